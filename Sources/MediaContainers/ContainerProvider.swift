package import AudioCore

/// The writers and readers of the containers that this project writes itself.
package struct ContainerProvider: MediaProvider {
    package init() {}

    package var name: String { "containers" }

    package func makeWriter(
        _ container: ContainerKind,
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions
    ) throws(AudioFailure) -> (any ContainerWriter)? {
        switch container {
        case .caf: try CAFWriter.make(stream: stream, file: file, options: options)
        case .m4a: try MP4Writer(stream: stream, file: file, options: options)
        case .wav: try WaveWriter(stream: stream, file: file, options: options)
        case .aiff, .aifc:
            try AIFFWriter(isCompressed: container == .aifc, stream: stream, file: file, options: options)
        case .flac: try FLACWriter(stream: stream, file: file, options: options)
        case .oggOpus: try OggOpusWriter(stream: stream, file: file, options: options)
        case .foreign: nil
        }
    }

    package func openReader(_ source: any ByteSource, hint: ContainerKind?) throws(AudioFailure)
        -> (any ContainerReader)?
    {
        // Content decides. Each kind looks at the same first bytes and either knows them or leaves them to the next.
        let opening = try Self.opening(of: source)
        if CAFReader.recognizes(opening) { return try CAFReader.open(source) }
        if MP4Reader.recognizes(opening) { return try MP4Reader.open(source) }
        if WaveReader.recognizes(opening) { return try WaveReader(source) }
        if AIFFReader.recognizes(opening) { return try AIFFReader(source) }
        if FLACReader.recognizes(opening) { return try FLACReader(source) }
        if OggOpusReader.recognizes(opening) { return try OggOpusReader(source) }
        return nil
    }

    /// The first bytes of a source, fewer where it is shorter: enough to recognise every kind.
    private static func opening(of source: any ByteSource) throws(AudioFailure) -> [UInt8] {
        let count = Int(min(64, max(0, try source.size())))
        return try source.bytes(at: 0, count: count) ?? []
    }
}
