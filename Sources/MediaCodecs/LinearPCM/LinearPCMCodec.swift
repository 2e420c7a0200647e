package import AudioCore

/// Stores samples in a file's layout. A packet is the frames of one call.
package final class LinearPCMEncoder: PacketEncoder {
    package let input: PCMFormat
    package let stream: StreamDescription
    private let layout: LinearPCMLayout

    init(layout: LinearPCMLayout, sampleRate: Double, channelCount: Int) throws(AudioFailure) {
        try layout.checkSupported()
        self.layout = layout
        input = PCMFormat(sampleType: layout.naturalSampleType, sampleRate: sampleRate, channelCount: channelCount)
        stream = StreamDescription(
            codec: .linearPCM(layout),
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerPacket: 1,
            bytesPerPacket: layout.bytesPerSample * channelCount,
            bitsPerChannel: layout.bitsPerSample,
            bitRate: Int((sampleRate * Double(layout.bytesPerSample * channelCount * 8)).rounded())
        )
    }

    package func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        try CodecLimits.check(buffer, is: input)
        let samples = buffer.frameLength * input.channelCount
        if samples == 0 { return }
        let byteCount = samples * layout.bytesPerSample
        let bytes = [UInt8](unsafeUninitializedCapacity: byteCount) { target, count in
            if let base = target.baseAddress {
                layout.store(UnsafeRawPointer(buffer.bytes), samples: samples, to: UnsafeMutableRawPointer(base))
            }
            count = byteCount
        }
        try emit(EncodedPacket(bytes: bytes, frames: buffer.frameLength))
    }

    package func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {}
}

/// Reads samples in a file's layout.
package final class LinearPCMDecoder: PacketDecoder {
    package let output: PCMFormat
    package let prerollPackets = 0
    private let layout: LinearPCMLayout
    private var frames: ReusedBuffer

    init(layout: LinearPCMLayout, sampleRate: Double, channelCount: Int) throws(AudioFailure) {
        try layout.checkSupported()
        self.layout = layout
        output = PCMFormat(sampleType: layout.naturalSampleType, sampleRate: sampleRate, channelCount: channelCount)
        frames = ReusedBuffer(format: output, capacity: 0)
    }

    package func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let bytesPerFrame = layout.bytesPerSample * output.channelCount
        let count = try CodecLimits.units(in: packet, of: bytesPerFrame, codec: "linear PCM")
        if count == 0 { return }
        let buffer = frames.sized(for: count)
        packet.bytes.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress {
                layout.load(base, samples: count * output.channelCount, to: buffer.bytes)
            }
        }
        try emit(buffer)
    }

    package func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {}

    package func reset() {}
}
