package import AudioCore

/// Encodes IMA4. The nibbles of a packet are found by `IMA4Search`.
package final class IMA4Encoder: PacketEncoder {
    package let input: PCMFormat
    package let stream: StreamDescription
    private var states: [IMA4.State]
    private let search = IMA4Search()
    /// The open packet: for each channel 64 samples.
    private var samples: [Int32]
    private var filled = 0
    private var isFirst = true

    init(sampleRate: Double, channelCount: Int) {
        input = PCMFormat(sampleRate: sampleRate, channelCount: channelCount)
        let bytes = IMA4.bytesPerChannel * channelCount
        stream = StreamDescription(
            codec: .ima4,
            sampleRate: sampleRate,
            channelCount: channelCount,
            framesPerPacket: IMA4.framesPerPacket,
            bytesPerPacket: bytes,
            bitRate: Int((sampleRate * Double(bytes * 8) / Double(IMA4.framesPerPacket)).rounded())
        )
        states = [IMA4.State](repeating: IMA4.State(), count: channelCount)
        samples = [Int32](repeating: 0, count: channelCount * IMA4.framesPerPacket)
    }

    package func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        try CodecLimits.check(buffer, is: input)
        let source = buffer.samples(as: Float.self)
        let channels = input.channelCount
        var taken = 0
        while taken < buffer.frameLength {
            let count = min(IMA4.framesPerPacket - filled, buffer.frameLength - taken)
            samples.withUnsafeMutableBufferPointer { samples in
                for channel in 0..<channels {
                    let place = channel * IMA4.framesPerPacket + filled
                    for frame in 0..<count {
                        let sample = Int16(scaled: source[(taken + frame) * channels + channel].scaled)
                        samples[place + frame] = Int32(sample)
                    }
                }
            }
            taken += count
            filled += count
            if filled == IMA4.framesPerPacket {
                try emit(packet(&states))
                filled = 0
                isFirst = false
            }
        }
    }

    package func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard let packet = try partialPacket() else { return }
        filled = 0
        try emit(packet)
    }

    package func partialPacket() throws(AudioFailure) -> EncodedPacket? {
        if filled == 0 { return nil }
        for channel in 0..<input.channelCount {
            for frame in filled..<IMA4.framesPerPacket { samples[channel * IMA4.framesPerPacket + frame] = 0 }
        }
        var copy = states
        return packet(&copy)
    }

    private func packet(_ states: inout [IMA4.State]) -> EncodedPacket {
        let size = IMA4.bytesPerChannel * states.count
        let bytes = [UInt8](unsafeUninitializedCapacity: size) { target, count in
            samples.withUnsafeBufferPointer { samples in
                guard let base = target.baseAddress, let source = samples.baseAddress else { return }
                for channel in states.indices {
                    search.encode(
                        source + channel * IMA4.framesPerPacket,
                        from: &states[channel],
                        isFirst: isFirst,
                        to: base + channel * IMA4.bytesPerChannel
                    )
                }
            }
            count = size
        }
        return EncodedPacket(bytes: bytes, frames: IMA4.framesPerPacket)
    }
}
