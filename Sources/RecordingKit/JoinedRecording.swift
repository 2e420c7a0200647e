import AudioCore
import AudioRuntime
public import Foundation

/// One file made of the parts of a recording, without decoding and without one frame more or less.
///
/// Linear PCM and FLAC files of any lengths can be joined. Of AAC, Opus, ALAC and IMA4 only the parts of one recording
/// can, because their packets hold many frames and depend on each other: what was encoded file by file has silence at
/// both ends of every file that would be heard in the middle. Such files are refused, never joined with a click.
public struct JoinedRecording: Sendable, Hashable {
    /// The joined file.
    public let url: URL
    /// Frames in it: exactly those of all parts.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Double
    /// Files that were joined.
    public let partCount: Int

    /// Seconds of the joined file: `frames` divided by `sampleRate`.
    public var duration: Double { Double(frames) / sampleRate }

    init(_ result: PartsJoin.Result) {
        url = URL(fileURLWithPath: result.path, isDirectory: false)
        frames = result.frames.value
        sampleRate = result.sampleRate
        partCount = result.partCount
    }

    /// Joins `parts` into `url`.
    ///
    /// The file appears under its name only when it is complete, was opened and counted, and lies on the disk. Until then
    /// a failure leaves everything as it was, and if the process ends, `RecordingJobs.resume(in:)` does it again. Parts that
    /// were never finished are joined as far as they can be read. The date of modification is that of the newest part.
    /// Blocks the calling thread, mostly for the disk. Memory does not grow with the parts.
    /// - Parameters:
    ///   - parts: files in the order of time, one at least; all with the same codec, rate and channels.
    ///   - url: the new file; its extension chooses the container ("m4a", "caf", "wav", "aiff", "aifc", "flac", "opus").
    ///   - replacing: whether a file that is already there may be replaced; false by default.
    ///   - removingParts: whether the parts are removed once all is safe; false by default. Only where nothing is replaced.
    ///   - waitingForDisk: false returns as soon as the complete file has its name, and leaves it to the system to bring it
    ///     to the disk: the parts stay until then in any case, so neither with `replacing` nor with `removingParts`. True
    ///     by default.
    ///   - progress: called on this thread before every part with what is done, 0 … 1. An answer of false gives up.
    /// - Throws: `unsupported` with the reason where the parts cannot be joined exactly or the container cannot hold them;
    ///   `alreadyExists`; `busy` where a part is still being recorded; `notFound`, `malformedMedia`, `accessDenied`,
    ///   `noSpace`, `limitReached`, `inputOutput`, `invalidArgument`. Where a part cannot be removed, the joined file is
    ///   complete all the same. `cancelled` where `progress` said so.
    public init(
        joining parts: [URL],
        into url: URL,
        replacing: Bool = false,
        removingParts: Bool = false,
        waitingForDisk: Bool = true,
        progress: (_ done: Double) -> Bool = { _ in true }
    ) throws(RecordingError) {
        guard let container = ContainerKind(fileExtension: url.pathExtension) else {
            throw RecordingError(
                .invalidArgument,
                "'\(url.lastPathComponent)' must end with m4a, caf, wav, aiff, aifc, flac or opus.",
                path: url.path
            )
        }
        var paths: [String] = []
        for part in parts { paths.append(try path(of: part)) }
        var job = MediaJob(.join, of: paths, to: try path(of: url), container)
        job.replaces = replacing
        job.removesSources = removingParts
        job.waitsForDisk = waitingForDisk
        let result = try reporting { () throws(AudioFailure) in try job.run(in: .current, progress: progress) }
        self.url = url
        frames = result.frames.value
        sampleRate = result.sampleRate
        partCount = parts.count
    }
}
