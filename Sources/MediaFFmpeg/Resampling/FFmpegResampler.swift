package import AudioCore

/// A change of rate by libswresample with its soxr engine, lined up: output frame k is the input at time k ÷ output rate.
package final class FFmpegResampler: Resampler {
    private let input: PCMFormat
    private let output: PCMFormat
    private let converter: SampleConverter
    private var inputFrames: Int64 = 0
    private var outputFrames: Int64 = 0
    private var isFinished = false

    /// Frames handed to the library at once, so that memory does not follow the size of the buffers.
    private static let sliceFrames = 8192

    /// - Parameters:
    ///   - inputRate, outputRate: whole frames per second, 1 or more.
    ///   - channelCount: 1…64.
    /// - Throws: `unsupported` for rates and channels that the library does not take.
    package init(from inputRate: Double, to outputRate: Double, channelCount: Int) throws(AudioFailure) {
        guard (1...64).contains(channelCount) else {
            throw AudioFailure(
                .unsupported,
                "The rate of \(channelCount) channels cannot be changed; allowed are 1 to 64."
            )
        }
        input = PCMFormat(sampleRate: inputRate, channelCount: channelCount)
        output = PCMFormat(sampleRate: outputRate, channelCount: channelCount)
        converter = try SampleConverter(from: FrameShape(input), to: output)
    }

    package func process(_ buffer: PCMBuffer, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard !isFinished else { throw AudioFailure(.internal, "A resampler was given frames after its end.") }
        guard buffer.format == input else {
            throw AudioFailure(.invalidArgument, "The resampler takes \(input), not \(buffer.format).")
        }
        var done = 0
        while done < buffer.frameLength {
            let count = min(Self.sliceFrames, buffer.frameLength - done)
            let ready = try converter.convert(interleaved: buffer.bytes + done * input.bytesPerFrame, count: count)
            done += count
            inputFrames += Int64(count)
            try give(ready, emit)
        }
    }

    package func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard !isFinished else { return }
        isFinished = true
        while true {
            let rest = try converter.convert(nil, count: 0)
            if rest.frameLength == 0 { break }
            try give(rest, emit)
        }
        // The engine may round the last frame the other way.
        let missing = total - outputFrames
        if missing > 0 {
            let silence = PCMBuffer(format: output, capacity: Int(clamping: missing))
            silence.bytes.initializeMemory(as: UInt8.self, repeating: 0, count: silence.capacity * output.bytesPerFrame)
            silence.setFrameLength(silence.capacity)
            try give(silence, emit)
        }
    }

    /// Frames that belong to the input so far, rounded to nearest.
    private var total: Int64 {
        FrameCount(seconds: Double(inputFrames) / input.sampleRate, sampleRate: output.sampleRate).value
    }

    private func give(_ buffer: PCMBuffer, _ emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let room = max(0, total - outputFrames)
        if buffer.frameLength > room { buffer.setFrameLength(Int(room)) }
        guard buffer.frameLength > 0 else { return }
        outputFrames += Int64(buffer.frameLength)
        try emit(buffer)
    }
}
