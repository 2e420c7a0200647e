/// The Opus identification header (RFC 7845, 5.1), made for containers that state its content in other ways.
enum OpusHead {
    /// For one or two channels; `preSkip` is counted at `sampleRate`.
    static func synthesized(channelCount: Int, preSkip: Int, sampleRate: Double) -> [UInt8] {
        let preSkipAt48000 = Double(preSkip) * 48000 / max(1, sampleRate)
        var head = ByteWriter()
        head.text("OpusHead")
        head.big(UInt8(1))
        head.big(UInt8(clamping: channelCount))
        head.little(UInt16(min(65535, max(0, preSkipAt48000.rounded()))))
        head.little(UInt32(min(4e9, max(0, sampleRate))))
        head.little(UInt16(0))  // gain
        head.big(UInt8(0))  // mapping family: mono or stereo
        return head.bytes
    }
}
