import AudioCore
import AudioRuntime
import Foundation

/// A file that is open for writing.
final class FileWriting {
    private let path: String
    private let file: EncodedFile
    private let exchange: SampleExchange
    private let step: PCMBuffer

    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat

    init(
        _ url: URL,
        settings: [String: Any],
        common: AVAudioCommonFormat,
        interleaved: Bool,
        runtime: Runtime
    ) throws(AudioFailure) {
        path = try url.soundFilePath
        let request = try RecordingSettings(settings, url: url)
        let stream = try request.stream(with: runtime.media)
        fileFormat = AVAudioFormat(of: stream)
        processingFormat = try AVAudioFormat.processing(
            common,
            interleaved: interleaved,
            sampleRate: stream.sampleRate,
            channels: stream.channelCount,
            layout: fileFormat.channelLayout
        )
        file = try EncodedFile(path: path, container: request.container, encoding: request.encoding, runtime: runtime)
        guard let exchange = SampleExchange(processingFormat, file.format) else {
            throw AudioFailure(.internal, "The encoder's frames do not fit to the processing format.", path: path)
        }
        self.exchange = exchange
        step = PCMBuffer(format: file.format, capacity: SampleExchange.step)
    }

    deinit { try? file.finish() }

    var length: FrameCount { file.length }

    /// Writes all valid frames of `buffer`.
    func write(_ buffer: AVAudioPCMBuffer) throws(AudioFailure) {
        guard buffer.format == processingFormat else {
            throw AudioFailure(.invalidArgument, "The buffer's format is not the file's processing format.", path: path)
        }
        let frames = Int(buffer.frameLength)
        var done = 0
        while done < frames {
            let count = min(frames - done, SampleExchange.step)
            exchange.write(buffer, from: done, frames: count, into: step)
            try file.write(step)
            done += count
        }
    }

    /// Completes the file.
    func finish() throws(AudioFailure) { try file.finish() }
}
