import AudioCore
import AudioSimulation
import MediaFFmpeg

/// A sound file as what a simulated microphone hears, in the format of the stream.
final class FileSound: SimulatedSound {
    private let reader: FrameReader
    private let read: PCMBuffer
    private let converted: PCMBuffer
    private let converter: SampleConverter
    private let resampler: (any Resampler)?
    /// Frames that are ready and not yet taken, from `taken` on.
    private var ready: [Float] = []
    private var taken = 0
    private var isEnded = false
    private let channelCount: Int

    /// - Throws: where the file cannot be opened or read.
    init(path: String, format: PCMFormat, media: MediaRegistry, files: any FileStore) throws(AudioFailure) {
        reader = try FrameReader(try files.open(path, .reading), media: media)
        channelCount = format.channelCount
        let source = reader.format
        let floats = PCMFormat(sampleRate: source.sampleRate, channelCount: format.channelCount)
        read = PCMBuffer(format: source, capacity: 4_096)
        converted = PCMBuffer(format: floats, capacity: 4_096)
        converter = SampleConverter(from: source, to: floats)
        resampler =
            source.sampleRate == format.sampleRate
            ? nil
            : try FFmpegResampler(
                from: source.sampleRate,
                to: format.sampleRate,
                channelCount: format.channelCount
            )
    }

    func read(into samples: UnsafeMutableRawPointer, frames: Int) -> Int {
        let wanted = frames * channelCount
        while ready.count - taken < wanted, !isEnded {
            do throws(AudioFailure) { try refill() } catch {
                RuntimeLog.note("KAYIT_SIMULATED_INPUT", error)
                isEnded = true
            }
        }
        let count = min(wanted, ready.count - taken)
        ready.withUnsafeBytes { bytes in
            guard let base = bytes.baseAddress else { return }
            samples.copyMemory(from: base + taken * MemoryLayout<Float>.stride, byteCount: count * 4)
        }
        taken += count
        return count / channelCount
    }

    private func refill() throws(AudioFailure) {
        ready.removeFirst(taken)
        taken = 0
        read.setFrameLength(0)
        if try reader.read(into: read) == 0 {
            isEnded = true
            try resampler?.finish { buffer throws(AudioFailure) in self.append(buffer) }
            return
        }
        converter.convert(read, into: converted)
        if let resampler {
            try resampler.process(converted) { buffer throws(AudioFailure) in self.append(buffer) }
        } else {
            append(converted)
        }
    }

    private func append(_ buffer: PCMBuffer) {
        ready += buffer.samples(as: Float.self).prefix(buffer.frameLength * channelCount)
    }
}
