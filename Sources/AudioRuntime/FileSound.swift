import AudioCore
import AudioSimulation

/// A sound file as what a simulated microphone hears, in the format of the stream.
final class FileSound: SimulatedSound {
    private let frames: ConvertedFrames
    /// Frames that are ready and not yet taken, from `taken` on.
    private var ready: [Float] = []
    private var taken = 0
    private var isEnded = false
    private let channelCount: Int

    /// - Throws: where the file cannot be opened or read.
    init(path: String, format: PCMFormat, media: MediaRegistry, files: any FileStore) throws(AudioFailure) {
        channelCount = format.channelCount
        let floats = PCMFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
        frames = try ConvertedFrames(try FrameReader(try files.open(path, .reading), media: media), to: floats)
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
        isEnded = try !frames.next { buffer throws(AudioFailure) in self.append(buffer) }
    }

    private func append(_ buffer: PCMBuffer) {
        ready += buffer.samples(as: Float.self).prefix(buffer.frameLength * channelCount)
    }
}
