internal import AudioCore
internal import AudioRuntime
internal import CoreAudioTypes
public import Foundation

/// A sound file for reading or writing, in buffers of linear PCM whatever the file holds.
///
/// What is read is exactly what was recorded: without the encoder's delay at the start and its padding at the end. What is
/// written is a file that plays at any moment, up to the last half second; `close()` completes it. Errors are in the domain
/// `com.apple.coreaudio.avfaudio`. One thread at a time.
open class AVAudioFile: NSObject {
    private enum State {
        case reading(FileReading)
        case writing(FileWriting)
        /// Its length, when it was closed.
        case closed(FrameCount)
    }

    private var state: State

    /// The file's URL.
    public let url: URL

    /// The format of the audio in the file.
    public let fileFormat: AVAudioFormat

    /// The format of the buffers that are read or written: the file's rate and channels.
    public let processingFormat: AVAudioFormat

    // MARK: Opening

    /// Opens a file for reading as standard format: 32-bit floating point, non-interleaved.
    /// - Throws: where the file cannot be opened, or holds no audio that is known.
    public init(forReading fileURL: URL) throws {
        let reading = try Self.reading(fileURL, .pcmFormatFloat32, false)
        (url, state) = (fileURL, .reading(reading))
        (fileFormat, processingFormat) = (reading.fileFormat, reading.processingFormat)
        super.init()
    }

    /// Opens a file for reading in one of the common formats.
    /// - Throws: as `init(forReading:)`; and for `otherFormat`.
    public init(forReading fileURL: URL, commonFormat format: AVAudioCommonFormat, interleaved: Bool) throws {
        let reading = try Self.reading(fileURL, format, interleaved)
        (url, state) = (fileURL, .reading(reading))
        (fileFormat, processingFormat) = (reading.fileFormat, reading.processingFormat)
        super.init()
    }

    /// Makes a file that is written as standard format: 32-bit floating point, non-interleaved. It takes the place of one
    /// of that name.
    /// - Parameters:
    ///   - fileURL: where it is made; a file URL.
    ///   - settings: what the file holds, in the keys of AVAudioSettings. The kind of file follows the extension, or
    ///     `AVAudioFileTypeKey`.
    /// - Throws: for settings that cannot be met, naming the key; and where the file cannot be made. A file of that name
    ///   then stays as it is.
    public init(forWriting fileURL: URL, settings: [String: Any]) throws {
        let writing = try Self.writing(fileURL, settings, .pcmFormatFloat32, false)
        (url, state) = (fileURL, .writing(writing))
        (fileFormat, processingFormat) = (writing.fileFormat, writing.processingFormat)
        super.init()
    }

    /// Makes a file that is written in one of the common formats.
    /// - Throws: as `init(forWriting:settings:)`; and for `otherFormat`.
    public init(
        forWriting fileURL: URL,
        settings: [String: Any],
        commonFormat format: AVAudioCommonFormat,
        interleaved: Bool
    ) throws {
        let writing = try Self.writing(fileURL, settings, format, interleaved)
        (url, state) = (fileURL, .writing(writing))
        (fileFormat, processingFormat) = (writing.fileFormat, writing.processingFormat)
        super.init()
    }

    /// Completes a file that was written and closes it; done too when the object goes away. A failure to complete it leaves
    /// a file that plays up to the last half second.
    open func close() {
        let length = frames
        if case .writing(let writing) = state { try? writing.finish() }
        state = .closed(length)
    }

    /// False once the file was closed.
    open var isOpen: Bool {
        if case .closed = state { return false }
        return true
    }

    // MARK: Reading and writing

    /// Frames in the file. Where a file does not tell, the first call decodes all of it to count them.
    open var length: AVAudioFramePosition { frames.value }

    /// The frame that is read or written next. Setting it moves the reading, clamped to the file; a file that is written
    /// grows at its end only, so there it changes nothing.
    open var framePosition: AVAudioFramePosition {
        get {
            if case .reading(let reading) = state { return reading.position.value }
            return frames.value
        }
        set {
            if case .reading(let reading) = state { reading.move(to: FrameCount(newValue)) }
        }
    }

    /// Reads frames until `buffer` is full or the file ends; its length then tells how many. 0 at the end.
    /// - Parameter buffer: in the processing format.
    /// - Throws: where the file cannot be read. The buffer then holds what came before; a damaged place throws once, and
    ///   reading can go on behind it.
    open func read(into buffer: AVAudioPCMBuffer) throws {
        try read(into: buffer, frameCount: buffer.frameCapacity)
    }

    /// Reads up to `frameCount` frames to the start of `buffer`; its length then tells how many. 0 at the end.
    /// - Parameters:
    ///   - buffer: in the processing format.
    ///   - frameCount: 0 … the capacity of `buffer`.
    /// - Throws: as `read(into:)`.
    open func read(into buffer: AVAudioPCMBuffer, frameCount: AVAudioFrameCount) throws {
        try Self.attempt { () throws(AudioFailure) in
            guard case .reading(let reading) = state else { throw notOpen(for: "reading") }
            try reading.read(into: buffer, frames: Int(frameCount))
        }
    }

    /// Writes the valid frames of `buffer` at the end of the file.
    /// - Parameter buffer: in the processing format.
    /// - Throws: where the file cannot be written.
    open func write(from buffer: AVAudioPCMBuffer) throws {
        try Self.attempt { () throws(AudioFailure) in
            guard case .writing(let writing) = state else { throw notOpen(for: "writing") }
            try writing.write(buffer)
        }
    }

    private var frames: FrameCount {
        switch state {
        case .reading(let reading): reading.length
        case .writing(let writing): writing.length
        case .closed(let length): length
        }
    }

    private func notOpen(for purpose: String) -> AudioFailure {
        AudioFailure(.invalidArgument, "The file is not open for \(purpose).", path: url.path)
    }

    private static func reading(_ url: URL, _ format: AVAudioCommonFormat, _ interleaved: Bool) throws -> FileReading {
        try attempt { () throws(AudioFailure) in
            try FileReading(url, common: format, interleaved: interleaved, runtime: .current)
        }
    }

    private static func writing(
        _ url: URL,
        _ settings: [String: Any],
        _ format: AVAudioCommonFormat,
        _ interleaved: Bool
    ) throws -> FileWriting {
        try attempt { () throws(AudioFailure) in
            try FileWriting(url, settings: settings, common: format, interleaved: interleaved, runtime: .current)
        }
    }

    private static func attempt<Result>(_ body: () throws(AudioFailure) -> Result) throws -> Result {
        do throws(AudioFailure) { return try body() } catch { throw error.appleError(in: .avfaudio) }
    }
}

extension URL {
    /// The path of a file URL.
    var soundFilePath: String {
        get throws(AudioFailure) {
            guard isFileURL else {
                throw AudioFailure(
                    .unsupported,
                    "'\(absoluteString)' is not a file URL: only files are read and written."
                )
            }
            return path
        }
    }
}

extension AVAudioFormat {
    /// What a file is read and written as.
    static func processing(
        _ format: AVAudioCommonFormat,
        interleaved: Bool,
        sampleRate: Double,
        channels: Int,
        layout: AVAudioChannelLayout?
    ) throws(AudioFailure) -> AVAudioFormat {
        guard format != .otherFormat else {
            throw AudioFailure(.invalidArgument, "A file is read and written in one of the common formats only.")
        }
        let description = AudioStreamBasicDescription.linearPCM(
            format,
            sampleRate: sampleRate,
            channels: UInt32(clamping: channels),
            interleaved: interleaved
        )
        return AVAudioFormat(description: description, layout: layout)
    }
}
