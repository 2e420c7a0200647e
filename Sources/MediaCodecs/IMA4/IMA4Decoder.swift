package import AudioCore

/// Decodes IMA4 as Apple's decoder does: see `IMA4.State.adopt(preamble:)`.
package final class IMA4Decoder: PacketDecoder {
    package let output: PCMFormat
    package let prerollPackets = 0
    private var states: [IMA4.State]
    private let moves = IMA4.moves
    private var frames: ReusedBuffer

    init(sampleRate: Double, channelCount: Int) {
        output = PCMFormat(sampleType: .int16, sampleRate: sampleRate, channelCount: channelCount)
        states = [IMA4.State](repeating: IMA4.State(), count: channelCount)
        frames = ReusedBuffer(format: output, capacity: IMA4.framesPerPacket)
    }

    package func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let channels = output.channelCount
        let packets = try CodecLimits.units(in: packet, of: IMA4.bytesPerChannel * channels, codec: "IMA4")
        if packets == 0 { return }
        let buffer = frames.sized(for: packets * IMA4.framesPerPacket)
        guard let samples = buffer.samples(as: Int16.self).baseAddress else { return }
        packet.bytes.withUnsafeBufferPointer { bytes in
            guard let base = bytes.baseAddress else { return }
            for part in 0..<packets * channels {
                let (index, channel) = part.quotientAndRemainder(dividingBy: channels)
                decode(
                    base + part * IMA4.bytesPerChannel,
                    channel: channel,
                    to: samples + index * IMA4.framesPerPacket * channels + channel
                )
            }
        }
        try emit(buffer)
    }

    private func decode(_ bytes: UnsafePointer<UInt8>, channel: Int, to samples: UnsafeMutablePointer<Int16>) {
        let channels = output.channelCount
        states[channel].adopt(preamble: UInt16(bytes[0]) &<< 8 | UInt16(bytes[1]))
        states[channel] = moves.withUnsafeBufferPointer { moves in
            var predictor = states[channel].predictor
            var index = states[channel].index
            var place = samples
            @inline(__always) func next(_ nibble: UInt8) {
                let move = moves[Int(index) &* 8 &+ Int(nibble & 7)]
                let sum = nibble & 8 == 0 ? predictor &+ move.distance : predictor &- move.distance
                predictor = max(min(sum, 32767), -32768)
                index = move.nextIndex
                place.pointee = Int16(truncatingIfNeeded: predictor)
                place += channels
            }
            for offset in 2..<IMA4.bytesPerChannel {
                let byte = bytes[offset]
                next(byte & 0x0F)
                next(byte &>> 4)
            }
            return IMA4.State(predictor: predictor, index: index)
        }
    }

    package func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {}

    package func reset() {
        for channel in states.indices { states[channel] = IMA4.State() }
    }
}
