import AudioCore

/// Files of our own writers that were never finished, by the marks that `finish` takes off.
enum OwnRecording {
    /// More than any head has in which a mark stands.
    private static let headBytes: Int64 = 64 << 10

    static func isUnfinished(_ source: any ByteSource) throws(AudioFailure) -> Bool {
        let head = try source.bytes(at: 0, count: Int(min(headBytes, max(0, try source.size())))) ?? []
        if WaveReader.recognizes(head) {
            return has("JUNK", at: 12, in: head) && has(WaveFile.live, at: WaveFile.liveOffset, in: head)
        }
        if AIFFReader.recognizes(head) { return hasState(AIFFState.signature, FLACState.live, in: head) }
        if FLACReader.recognizes(head) { return hasState(FLACState.signature, FLACState.live, in: head) }
        if CAFReader.recognizes(head) { return position(of: CAFHead.recordingMark, in: head) != nil }
        if OggOpusReader.recognizes(head) {
            return position(of: Array("OpusTags".utf8) + VorbisComments.vendorField, in: head) != nil
        }
        if head.starts(with: MP4Index.fileType) {
            var salvage = try MP4Salvage(source, like: nil)
            return try salvage.isOpenRecording()
        }
        return false
    }

    private static func has(_ code: FourCC, at offset: Int, in bytes: [UInt8]) -> Bool {
        bytes.count >= offset + 4 && bytes[offset..<offset + 4].elementsEqual(code.bytes)
    }

    private static func hasState(_ signature: FourCC, _ state: FourCC, in bytes: [UInt8]) -> Bool {
        position(of: signature.bytes + state.bytes, in: Array(bytes.prefix(4096))) != nil
    }

    static func position(of pattern: [UInt8], in bytes: [UInt8]) -> Int? {
        guard let first = pattern.first, bytes.count >= pattern.count else { return nil }
        return (0...bytes.count - pattern.count).first { index in
            bytes[index] == first && bytes[index..<index + pattern.count].elementsEqual(pattern)
        }
    }
}
