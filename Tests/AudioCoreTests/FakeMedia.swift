import AudioCore

/// Packets of a ramp: frame n of the recording has the value n, priming has negative values, padding goes on.
final class RampReader: ContainerReader {
    let container = ContainerKind.caf
    let stream: StreamDescription
    let validFrames: FrameCount?
    let integrity = MediaIntegrity.complete
    let metadata = MediaMetadata()
    let audioByteCount: Int64 = 0
    let packetCount: Int
    /// Packets whose content is damaged.
    var damaged: Set<Int> = []
    private var next = 0

    init(packets: Int, framesPerPacket: Int, priming: Int, valid: Int?) {
        packetCount = packets
        validFrames = valid.map { FrameCount($0) }
        stream = StreamDescription(
            codec: .aac,
            sampleRate: 44_100,
            channelCount: 1,
            framesPerPacket: framesPerPacket,
            primingFrames: FrameCount(priming)
        )
    }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? {
        guard next < packetCount else { return nil }
        defer { next += 1 }
        let bytes: [UInt8] = damaged.contains(next) ? [] : withUnsafeBytes(of: Int64(next)) { Array($0) }
        return EncodedPacket(bytes: bytes, frames: stream.framesPerPacket)
    }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        next = max(min(Int(frame.value) / stream.framesPerPacket, packetCount) - preroll, 0)
        return FrameCount(next * stream.framesPerPacket)
    }
}

/// Decodes the packets of a `RampReader`. Like a real one it needs a packet before the first that comes out right, may hold
/// a packet back, and uses its buffer again.
final class RampDecoder: PacketDecoder {
    let output = PCMFormat(sampleType: .int32, sampleRate: 44_100, channelCount: 1)
    let prerollPackets = 1
    private let stream: StreamDescription
    private let holdsBack: Bool
    private let buffer: PCMBuffer
    private var held: Int?
    private var isSettled = true

    init(_ stream: StreamDescription, holdsBack: Bool) {
        self.stream = stream
        self.holdsBack = holdsBack
        buffer = PCMBuffer(format: output, capacity: stream.framesPerPacket)
    }

    func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard packet.bytes.count == 8 else { throw AudioFailure(.malformedMedia, "damaged") }
        let number = Int(packet.bytes.withUnsafeBytes { $0.loadUnaligned(as: Int64.self) })
        guard holdsBack else { return try give(number, emit) }
        if let held { try give(held, emit) }
        held = number
    }

    func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        if let held { try give(held, emit) }
        held = nil
    }

    func reset() {
        held = nil
        isSettled = false
    }

    private func give(_ number: Int, _ emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let count = stream.framesPerPacket
        let samples = buffer.samples(as: Int32.self)
        for frame in 0..<count {
            let value = number * count + frame - Int(stream.primingFrames.value)
            // After a jump the first packet is wrong, unless it is the first of the file.
            samples[frame] = isSettled || number == 0 ? Int32(value) : .min
        }
        isSettled = true
        buffer.setFrameLength(count)
        try emit(buffer)
        for frame in 0..<count { samples[frame] = .max }
    }
}

/// Makes packets of eight frames, with five frames of priming.
final class CountingEncoder: PacketEncoder {
    let input = PCMFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1)
    let stream = StreamDescription(
        codec: .aac,
        sampleRate: 8000,
        channelCount: 1,
        framesPerPacket: 8,
        primingFrames: 5
    )
    private var waiting = 5

    func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        waiting += buffer.frameLength
        while waiting >= 8 {
            waiting -= 8
            try emit(EncodedPacket(bytes: [], frames: 8))
        }
    }

    func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        if waiting > 0 { try emit(EncodedPacket(bytes: [], frames: 8)) }
        waiting = 0
    }
}

/// A container that can be told to fail.
final class CountingWriter: ContainerWriter {
    var packets = 0
    var failures = 0
    var validFrames: FrameCount?
    private(set) var checkpointedFrames: FrameCount = 0

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        if failures > 0 {
            failures -= 1
            throw AudioFailure(.noSpace, "full")
        }
        packets += 1
    }

    func note(_ note: RecordingNote) throws(AudioFailure) {}

    func checkpoint(synchronize: Bool) throws(AudioFailure) { checkpointedFrames = FrameCount(packets * 8 - 5) }

    func abandonPending() { packets = (Int(checkpointedFrames.value) + 5) / 8 }

    func finish(validFrames: FrameCount) throws(AudioFailure) { self.validFrames = validFrames }
}
