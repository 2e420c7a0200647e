package import AudioCore

/// Audio out of files that the readers cannot open, because what says where it is was never written or is damaged.
package enum MediaSalvage {
    /// - Parameters:
    ///   - source: any bytes.
    ///   - hint: what the file should be, by its name; used where its first bytes do not tell.
    ///   - like: the stream of a whole file from the same recorder, for what the file itself no longer says.
    ///   - finder: makes what finds packets of a codec.
    /// - Returns: nil for kinds of files that are not searched.
    /// - Throws: `malformedMedia`, `unsupported` with what would help.
    package static func open(
        _ source: any ByteSource,
        hint: ContainerKind?,
        like: StreamDescription?,
        finder: (StreamDescription) throws(AudioFailure) -> (any PacketFinder)?
    ) throws(AudioFailure) -> (any ContainerReader)? {
        let opening = try source.bytes(at: 0, count: Int(min(64, max(0, try source.size())))) ?? []
        switch kind(opening) ?? hint {
        case .m4a:
            var salvage = try MP4Salvage(source, like: like)
            return try salvage.open(finder)
        case .caf:
            var salvage = try CAFSalvage(source, like: like)
            return try salvage.open(finder)
        case .wav: return try HeadSalvage.pcm(source, .wav, like: like)
        case .aiff: return try HeadSalvage.pcm(source, .aiff, like: like)
        case .aifc: return try HeadSalvage.pcm(source, .aifc, like: like)
        case .flac: return try HeadSalvage.flac(source, like: like)
        case .oggOpus: return try HeadSalvage.opus(source, like: like)
        case .foreign, nil: return nil
        }
    }

    private static func kind(_ opening: [UInt8]) -> ContainerKind? {
        if MP4Reader.recognizes(opening) { return .m4a }
        if CAFReader.recognizes(opening) { return .caf }
        if FLACReader.recognizes(opening) { return .flac }
        return nil
    }

    /// True for a recording of this program that was never finished.
    package static func isUnfinishedRecording(_ source: any ByteSource) throws(AudioFailure) -> Bool {
        try OwnRecording.isUnfinished(source)
    }
}
