package import AudioCore

/// One byte for each sample. A packet is the frames of one call.
package final class G711Encoder: PacketEncoder {
    package let input: PCMFormat
    package let stream: StreamDescription
    private let law: CompandingLaw

    init(law: CompandingLaw, sampleRate: Double, channelCount: Int) {
        self.law = law
        input = PCMFormat(sampleRate: sampleRate, channelCount: channelCount)
        stream = StreamDescription(
            codec: law.codec,
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerPacket: 1,
            bytesPerPacket: channelCount,
            bitsPerChannel: 8,
            bitRate: Int((sampleRate * Double(channelCount * 8)).rounded())
        )
    }

    package func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        try CodecLimits.check(buffer, is: input)
        let count = buffer.frameLength * input.channelCount
        if count == 0 { return }
        let samples = buffer.samples(as: Float.self)
        let isMu = law == .mu
        let bytes = [UInt8](unsafeUninitializedCapacity: count) { target, initialized in
            for index in 0..<count {
                let sample = Int16(scaled: samples[index].scaled)
                target[index] = isMu ? CompandingLaw.muLawCode(sample) : CompandingLaw.aLawCode(sample)
            }
            initialized = count
        }
        try emit(EncodedPacket(bytes: bytes, frames: buffer.frameLength))
    }

    package func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {}
}

package final class G711Decoder: PacketDecoder {
    package let output: PCMFormat
    package let prerollPackets = 0
    private let law: CompandingLaw
    private let table: [Int16]
    private var frames: ReusedBuffer

    init(law: CompandingLaw, sampleRate: Double, channelCount: Int) {
        self.law = law
        table = law.samples
        output = PCMFormat(sampleType: .int16, sampleRate: sampleRate, channelCount: channelCount)
        frames = ReusedBuffer(format: output, capacity: 0)
    }

    package func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let count = try CodecLimits.units(in: packet, of: output.channelCount, codec: law.title)
        if count == 0 { return }
        let buffer = frames.sized(for: count)
        let samples = buffer.samples(as: Int16.self)
        table.withUnsafeBufferPointer { table in
            packet.bytes.withUnsafeBufferPointer { codes in
                for index in 0..<codes.count { samples[index] = table[Int(codes[index])] }
            }
        }
        try emit(buffer)
    }

    package func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {}

    package func reset() {}
}
