import AudioCore
import Foundation

/// A file that is open for reading.
final class FileReading {
    private let path: String
    private let runtime: Runtime
    private let file: any StoredFile
    private let reader: FrameReader
    private let exchange: SampleExchange
    private var countedLength: FrameCount?

    let fileFormat: AVAudioFormat
    let processingFormat: AVAudioFormat
    /// The frame that is read next. A position that was set is sought when the next frames are asked for.
    private(set) var position: FrameCount = 0

    init(_ url: URL, common: AVAudioCommonFormat, interleaved: Bool, runtime: Runtime) throws(AudioFailure) {
        path = try url.soundFilePath
        self.runtime = runtime
        file = try runtime.files.open(path, .reading)
        do throws(AudioFailure) {
            reader = try FrameReader(file, media: runtime.media, hint: ContainerKind(fileExtension: url.pathExtension))
            fileFormat = AVAudioFormat(of: reader.reader.stream)
            processingFormat = try AVAudioFormat.processing(
                common,
                interleaved: interleaved,
                sampleRate: reader.format.sampleRate,
                channels: reader.format.channelCount,
                layout: fileFormat.channelLayout
            )
            guard let exchange = SampleExchange(processingFormat, reader.format) else {
                throw AudioFailure(.internal, "The decoder's frames do not fit to the processing format.")
            }
            self.exchange = exchange
        } catch {
            file.close()
            var failure = error
            failure.path = failure.path ?? path
            throw failure
        }
    }

    deinit { file.close() }

    /// Frames of the file. Where it does not tell them, everything is decoded once to count them.
    var length: FrameCount {
        if let known = reader.length ?? countedLength { return known }
        let counted = (try? count()) ?? 0
        countedLength = counted
        return counted
    }

    /// Moves to `frame`, clamped to the file as far as its length is known.
    func move(to frame: FrameCount) { position = min(max(frame, 0), reader.length ?? countedLength ?? max(frame, 0)) }

    private func count() throws(AudioFailure) -> FrameCount {
        let file = try runtime.files.open(path, .reading)
        defer { file.close() }
        let reader = try FrameReader(file, media: runtime.media)
        let step = PCMBuffer(format: reader.format, capacity: SampleExchange.step)
        while true {
            step.setFrameLength(0)
            do throws(AudioFailure) {
                if try reader.read(into: step) == 0 { return reader.position }
            } catch {
                // Damaged packets count: reading gives silence for them.
                guard error.code == .malformedMedia else { throw error }
            }
        }
    }

    /// Fills `buffer` from its start with up to `frames` frames; fewer only at the end of the file.
    func read(into buffer: AVAudioPCMBuffer, frames: Int) throws(AudioFailure) {
        guard buffer.format == processingFormat else {
            throw AudioFailure(.invalidArgument, "The buffer's format is not the file's processing format.", path: path)
        }
        guard frames <= Int(buffer.frameCapacity) else {
            throw AudioFailure(
                .invalidArgument,
                "\(frames) frames were asked for; the buffer has room for \(buffer.frameCapacity).",
                path: path
            )
        }
        buffer.frameLength = 0
        if reader.position != position { try reader.seek(to: position) }
        var done = 0
        defer {
            buffer.frameLength = AVAudioFrameCount(done)
            position = reader.position
        }
        let step = PCMBuffer(format: reader.format, capacity: min(frames, SampleExchange.step))
        while done < frames {
            step.setFrameLength(0)
            let last = frames - done < step.capacity
            let target = last ? PCMBuffer(format: reader.format, capacity: frames - done) : step
            let count = try reader.read(into: target)
            if count == 0 { return }
            exchange.read(target, into: buffer, at: done)
            done += count
        }
    }
}
