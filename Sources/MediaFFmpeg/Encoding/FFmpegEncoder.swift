internal import AudioCore
internal import CFFmpeg

/// One encoder of libavcodec. Collects whatever it is given into frames of the codec's size.
final class FFmpegEncoder: PacketEncoder {
    let input: PCMFormat
    let stream: StreamDescription

    private let plan: EncoderPlan
    private let context: CodecContext
    /// The frame being filled; the first `collected` of its `frameSize` frames are valid.
    private let frame: AudioFrame
    private let packet: Packet
    private let frameSize: Int
    private var collected = 0
    private var encodedFrames: Int64 = 0
    private var emittedFrames: Int64 = 0
    private var isFinished = false

    init(_ plan: EncoderPlan) throws(AudioFailure) {
        self.plan = plan
        context = try plan.open()
        stream = plan.stream(of: context)
        input = plan.input
        frame = try AudioFrame()
        packet = try Packet()
        frameSize = stream.framesPerPacket
        guard frameSize > 0 else { throw AudioFailure(.internal, "The encoder \(plan.encoderName) has no frame size.") }
        try frame.allocate(capacity: frameSize, for: context)
        frame.pointer.pointee.pts = 0
    }

    func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard !isFinished else { throw AudioFailure(.internal, "An encoder was given frames after its end.") }
        guard buffer.format == input else {
            throw AudioFailure(.invalidArgument, "The encoder takes \(input), not \(buffer.format).")
        }
        var taken = 0
        while taken < buffer.frameLength {
            if collected == 0 { try frame.makeWritable() }
            let count = min(frameSize - collected, buffer.frameLength - taken)
            store(buffer.bytes + taken * input.bytesPerFrame, count: count)
            taken += count
            encodedFrames += Int64(count)
            if collected == frameSize { try submit(emit) }
        }
    }

    func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard !isFinished else { return }
        isFinished = true
        let isLossless = stream.codec.isLossless
        // A codec with priming has something to give back even where nothing was recorded.
        if collected > 0 || (encodedFrames == 0 && !isLossless) {
            if collected == 0 { try frame.makeWritable() }
            if !isLossless { padWithSilence() }
            try submit(emit)
        }
        let status = context.send(nil as AudioFrame?)
        guard status >= 0 else { throw libraryFailure(status, "The \(stream.codec.name) encoder could not be ended") }
        try drain(emit)
        guard emittedFrames >= stream.primingFrames.value + encodedFrames else {
            throw AudioFailure(
                .internal,
                "The \(stream.codec.name) encoder gave \(emittedFrames) frames for \(encodedFrames) frames of audio."
            )
        }
    }

    /// ALAC packets stand for themselves, so a second encoder can close the open packet early. All others go on from
    /// packet to packet, or are numbered (FLAC).
    func partialPacket() throws(AudioFailure) -> EncodedPacket? {
        guard stream.codec == .alac, collected > 0, !isFinished else { return nil }
        let context = try plan.open()
        frame.pointer.pointee.nb_samples = Int32(collected)
        defer { frame.pointer.pointee.nb_samples = Int32(frameSize) }
        let sent = context.send(frame)
        guard sent >= 0 else { throw libraryFailure(sent, "A packet could not be closed early") }
        let received = context.receive(packet)
        guard received >= 0 else { throw libraryFailure(received, "A packet could not be closed early") }
        defer { packet.unreference() }
        return EncodedPacket(bytes: packet.bytes, frames: collected)
    }

    // MARK: Frames in

    /// Appends `count` interleaved frames to the frame being filled.
    private func store(_ samples: UnsafeRawPointer, count: Int) {
        let channels = input.channelCount
        let isPlanar = av_sample_fmt_is_planar(plan.sampleFormat) != 0
        let planeCount = isPlanar ? channels : 1
        // Samples of one plane that belong to one frame, and the distance of samples of one plane in the source.
        let width = isPlanar ? 1 : channels
        let step = isPlanar ? channels : 1
        for index in 0..<planeCount {
            guard let plane = frame.pointer.pointee.extended_data?[index] else { return }
            let target = UnsafeMutableRawPointer(plane + collected * width * input.sampleType.byteCount)
            switch input.sampleType {
            case .int16:
                gather(Int16.self, from: samples, index, step, to: target, count: count * width) { $0 }
            case .int32:
                gather(Int32.self, from: samples, index, step, to: target, count: count * width) { $0 }
            case .float32, .float64:
                // The AAC encoder gives up at a sample that is not a number; a bad sample must not end a recording.
                gather(Float.self, from: samples, index, step, to: target, count: count * width) {
                    $0.isFinite ? min(max($0, -64), 64) : 0
                }
            }
        }
        collected += count
    }

    /// Copies every `step`th sample of the source, from the one at `first` on.
    private func gather<Sample>(
        _: Sample.Type,
        from samples: UnsafeRawPointer,
        _ first: Int,
        _ step: Int,
        to target: UnsafeMutableRawPointer,
        count: Int,
        _ change: (Sample) -> Sample
    ) {
        let from = samples.assumingMemoryBound(to: Sample.self)
        let to = target.assumingMemoryBound(to: Sample.self)
        for index in 0..<count { to[index] = change(from[first + index * step]) }
    }

    private func padWithSilence() {
        // All formats here are signed or floating point: zero bytes are silence.
        let isPlanar = av_sample_fmt_is_planar(plan.sampleFormat) != 0
        let stride = isPlanar ? input.sampleType.byteCount : input.bytesPerFrame
        for index in 0..<(isPlanar ? input.channelCount : 1) {
            guard let plane = frame.pointer.pointee.extended_data?[index] else { return }
            (plane + collected * stride).update(repeating: 0, count: (frameSize - collected) * stride)
        }
        collected = frameSize
    }

    // MARK: Packets out

    /// Hands the collected frames to the codec and gives what it has ready.
    private func submit(_ emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        frame.pointer.pointee.nb_samples = Int32(collected)
        collected = 0
        let status = context.send(frame)
        frame.pointer.pointee.nb_samples = Int32(frameSize)
        guard status >= 0 else { throw libraryFailure(status, "\(stream.codec.name) encoding failed") }
        frame.pointer.pointee.pts += Int64(frameSize)
        try drain(emit)
    }

    private func drain(_ emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        while true {
            let status = context.receive(packet)
            if isDrained(status) { return }
            guard status >= 0 else { throw libraryFailure(status, "\(stream.codec.name) encoding failed") }
            defer { packet.unreference() }
            // The FLAC encoder ends with an empty packet that carries its final set-up.
            if packet.count == 0 { continue }
            // What lies wholly behind the last frame of the recording is only padding.
            if isFinished, emittedFrames >= stream.primingFrames.value + encodedFrames { continue }
            let frames =
                stream.codec.isLossless ? min(Int(clamping: packet.pointer.pointee.duration), frameSize) : frameSize
            emittedFrames += Int64(frames)
            try emit(EncodedPacket(bytes: packet.bytes, frames: frames))
        }
    }
}
