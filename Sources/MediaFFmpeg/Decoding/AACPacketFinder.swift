internal import AudioCore
internal import CFFmpeg

/// Finds the packets of AAC, which have neither a mark nor a length: libavcodec decodes one out of all bytes that are
/// there, says how many it left, and goes on with those.
final class AACPacketFinder: PacketFinder {
    let longestPacket: Int

    private let plan: DecoderPlan
    private var context: CodecContext
    /// What is no packet can set the decoder up for other channels, and then anything fits.
    private var isTainted = false
    private let packet: Packet
    private let frame: AudioFrame
    private let channelCount: Int
    /// A packet of silence: the end of a packet is known from the next one that is right.
    private let silence: [UInt8]

    init(_ plan: DecoderPlan) throws(AudioFailure) {
        self.plan = plan
        context = try plan.open()
        packet = try Packet()
        frame = try AudioFrame()
        channelCount = plan.stream.channelCount
        // 6144 bits for each channel (ISO/IEC 14496-3, 4.5.3.2), and as much again for what may be packed beside.
        longestPacket = 2 * 768 * max(1, plan.stream.channelCount)
        // One element without a single band, and the end (4.4.2.1): three bits of kind, then all zero, then three ones.
        silence = channelCount == 2 ? [0x20, 0, 0, 0, 0, 0, 0x0E] : [0, 0, 0, 0x07]
    }

    /// Three bits of the element's kind and four of its number, which is 0.
    func mayStart(with byte: UInt8) -> Bool { byte & 0xFE == silence[0] }

    func sizes(in bytes: [UInt8], isEnd: Bool) throws(AudioFailure) -> [Int] {
        guard !bytes.isEmpty else { return [] }
        var (sizes, open) = try measure(bytes)
        // The last packet that was right, in front of one that is cut or damaged: nothing tells its end but trying.
        let start = sizes.reduce(0, +)
        if open, isEnd || bytes.count - start > longestPacket {
            if let size = try lastSize(bytes[start...]) { sizes.append(size) }
        }
        return sizes
    }

    /// - Returns: the sizes of whole packets, and whether one more was right whose end is not known.
    private func measure(_ bytes: [UInt8]) throws(AudioFailure) -> (sizes: [Int], open: Bool) {
        if isTainted { context = try plan.open() } else { context.flush() }
        isTainted = false
        // The decoder takes zeros up to the end for a part of a packet: what follows must not be zeros.
        let tail = silence + [0xFF]
        try packet.fill(bytes + tail)
        defer { packet.unreference() }
        guard context.send(packet) >= 0 else { return ([], false) }
        var sizes: [Int] = []
        var start: Int?
        while true {
            let status = context.receive(frame)
            if status < 0 {
                isTainted = !isDrained(status)
                break
            }
            defer { frame.unreference() }
            let position = bytes.count + tail.count - frame.remainingBytes
            if let start {
                // A packet that reads into the silence is cut.
                guard (1...longestPacket).contains(position - start), position <= bytes.count else {
                    isTainted = true
                    return (sizes, false)
                }
                sizes.append(position - start)
            }
            if position >= bytes.count { return (sizes, false) }
            guard frame.frameCount > 0, frame.channelCount == channelCount else {
                isTainted = true
                return (sizes, false)
            }
            start = position
        }
        return (sizes, start != nil)
    }

    /// The length at which a packet and silence behind it are both right.
    private func lastSize(_ bytes: ArraySlice<UInt8>) throws(AudioFailure) -> Int? {
        for count in 1...max(1, min(longestPacket, bytes.count)) {
            let found = try measure(Array(bytes.prefix(count)))
            if found.sizes == [count] { return count }
        }
        return nil
    }
}
