internal import AudioCore
internal import CFFmpeg

/// One decoder of libavcodec. Gives every frame that the codec has, priming too: trims are the caller's.
final class FFmpegDecoder: PacketDecoder {
    let output: PCMFormat
    let prerollPackets: Int

    private let name: String
    private let context: CodecContext
    private let packet: Packet
    private let frame: AudioFrame
    /// Made for the shape of the frames that come, which only the first packet tells for certain (HE-AAC).
    private var converter: SampleConverter?

    init(_ plan: DecoderPlan) throws(AudioFailure) {
        name = plan.stream.codec.name
        context = try plan.open()
        packet = try Packet()
        frame = try AudioFrame()
        prerollPackets = plan.prerollPackets
        output = PCMFormat(
            sampleType: plan.sampleType(of: context),
            sampleRate: plan.stream.sampleRate,
            channelCount: plan.stream.channelCount
        )
    }

    func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        // An empty packet would mean the end of the stream to libavcodec.
        guard !packet.bytes.isEmpty else { throw AudioFailure(.malformedMedia, "A packet of \(name) audio is empty.") }
        try self.packet.fill(packet.bytes)
        defer { self.packet.unreference() }
        let status = context.send(self.packet)
        guard status >= 0 else {
            throw libraryFailure(status, "A packet of \(name) audio is damaged", code: .malformedMedia)
        }
        try drain(emit)
    }

    func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let status = context.send(nil as Packet?)
        if status >= 0 { try drain(emit) }
        if let converter, converter.changesRate {
            let rest = try converter.convert(nil, count: 0)
            if rest.frameLength > 0 { try emit(rest) }
        }
    }

    func reset() {
        context.flush()
        converter = nil
    }

    private func drain(_ emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        while true {
            let status = context.receive(frame)
            if isDrained(status) { return }
            guard status >= 0 else {
                throw libraryFailure(status, "A packet of \(name) audio is damaged", code: .malformedMedia)
            }
            defer { frame.unreference() }
            guard frame.frameCount > 0, frame.channelCount > 0, frame.pointer.pointee.sample_rate > 0 else { continue }
            let buffer = try converter(for: FrameShape(frame)).convert(frame)
            if buffer.frameLength > 0 { try emit(buffer) }
        }
    }

    private func converter(for shape: FrameShape) throws(AudioFailure) -> SampleConverter {
        if let converter, converter.source == shape { return converter }
        let made = try SampleConverter(from: shape, to: output)
        converter = made
        return made
    }
}
