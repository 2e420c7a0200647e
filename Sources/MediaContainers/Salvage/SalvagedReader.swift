package import AudioCore

/// Packets that were found in a file whose own statement of them is lost.
package final class SalvagedReader: PacketRunReader {
    package let container: ContainerKind
    package let stream: StreamDescription
    package let validFrames: FrameCount?
    package let integrity: MediaIntegrity
    package let metadata = MediaMetadata()
    /// Bytes of the audio in which no packet was found.
    package let skippedBytes: Int64

    private var window: SourceWindow
    private let sizes: PacketSizes
    private let runs: [PacketScan.Run]
    private let lastPacketFrames: Int64
    private var next = 0

    /// - Parameter stream: with equal frames in all packets.
    init(
        _ source: any ByteSource,
        container: ContainerKind,
        stream: StreamDescription,
        packets: PacketScan,
        reason: String
    ) throws(AudioFailure) {
        guard packets.sizes.count > 0, stream.framesPerPacket > 0 else {
            throw AudioFailure(.malformedMedia, "No audio was found in the file.")
        }
        self.container = container
        window = try SourceWindow(source)
        sizes = packets.sizes
        runs = packets.runs
        skippedBytes = packets.skippedBytes
        lastPacketFrames = Int64(try Self.framesOfLast(packets, stream, &window))
        let frames = Int64(packets.sizes.count - 1) * Int64(stream.framesPerPacket) + lastPacketFrames
        var stream = stream
        stream.primingFrames = FrameCount(min(max(0, stream.primingFrames.value), frames))
        self.stream = stream
        validFrames = FrameCount(frames) - stream.primingFrames
        integrity = .unfinished(reason: reason)
    }

    /// A packet of Apple Lossless says when it is a short one.
    private static func framesOfLast(_ packets: PacketScan, _ stream: StreamDescription, _ window: inout SourceWindow)
        throws(AudioFailure) -> Int
    {
        let last = packets.sizes.count - 1
        guard stream.codec == .alac, let run = packets.runs.last else { return stream.framesPerPacket }
        let offset = run.offset + packets.sizes.start(of: last) - packets.sizes.start(of: run.firstPacket)
        let head = try window.bytes(at: offset, count: min(8, packets.sizes[last])) ?? []
        return ALACCookie.frames(inPacket: head, full: stream.framesPerPacket) ?? stream.framesPerPacket
    }

    package var audioByteCount: Int64 { sizes.total }

    package func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        guard next < sizes.count else { return nil }
        guard let bytes = try window.bytes(at: offset(of: next), count: sizes[next]) else {
            throw AudioFailure(.inputOutput, "The file has become shorter while it was read.")
        }
        next += 1
        return EncodedPacket(bytes: bytes, frames: Int(frames(of: next - 1)))
    }

    package func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? {
        guard next < sizes.count, limit > 0 else { return nil }
        let index = run(of: next)
        let runEnd = index + 1 < runs.count ? runs[index + 1].firstPacket : sizes.count
        let end = min(runEnd, next + min(limit, runEnd - next))
        let each = Int64(stream.framesPerPacket)
        let found = PacketRun(
            offset: offset(of: next),
            byteCount: sizes.start(of: end) - sizes.start(of: next),
            packets: Int64(end - next),
            sizes: Array(sizes[next..<end]),
            frames: Int64(end - next - 1) * each + frames(of: end - 1),
            lastPacketFrames: frames(of: end - 1)
        )
        next = end
        return found
    }

    package func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        let each = Int64(stream.framesPerPacket)
        let target = min(max(0, frame.value) / each, Int64(sizes.count))
        next = Int(max(0, target - Int64(max(0, preroll))))
        return FrameCount(Int64(next) * each)
    }

    private func frames(of packet: Int) -> Int64 {
        packet == sizes.count - 1 ? lastPacketFrames : Int64(stream.framesPerPacket)
    }

    private func offset(of packet: Int) -> Int64 {
        let run = runs[run(of: packet)]
        return run.offset + sizes.start(of: packet) - sizes.start(of: run.firstPacket)
    }

    private func run(of packet: Int) -> Int {
        var low = 0
        var high = runs.count
        while low < high {
            let middle = (low + high) / 2
            if runs[middle].firstPacket <= packet { low = middle + 1 } else { high = middle }
        }
        return max(0, low - 1)
    }
}
