public import AVFAudio
import AudioCore
import AudioRuntime
public import Foundation

/// A long recording that lies in parts, in a folder beside the file that they become: "Interview.m4a.parts".
///
/// Each part is a sound file by itself. The folder is there while the recording runs, while its parts are joined, after a
/// kill, and for as long as its owner likes where the parts are kept.
public struct PartedRecording: Sendable, Hashable {
    /// How far the recording has come.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It is still being recorded or joined, by this program or another.
        case inUse
        /// Its recorder ended before it could say so. What it had written is there and can be joined.
        case unfinished
        /// All parts are there and finished; they can be joined.
        case complete
        /// The joined file has its name; the parts were kept, or are left over.
        case joined
    }

    /// One file of the recording.
    public struct Part: Sendable, Hashable {
        /// The file.
        public var url: URL
        /// Frames that can be read; 0 where none can.
        public var frames: Int64
        /// Whether the part is all there.
        public var integrity: RecordingReport.Integrity
    }

    /// The folder of the parts.
    public let folder: URL
    /// The file that the parts become; nil where nothing tells. Joining takes another name ("Interview (2).m4a") where
    /// something else has come to lie there.
    public let target: URL?
    /// In the order of time.
    public let parts: [Part]
    /// Frames per second; 0 where no part can be read.
    public let sampleRate: Double
    /// How far it has come.
    public let state: State

    /// Frames of all parts, none counted twice.
    public var frames: Int64 { parts.reduce(0) { $0 + $1.frames } }

    /// Seconds of all parts.
    public var duration: TimeInterval { sampleRate > 0 ? Double(frames) / sampleRate : 0 }

    /// Looks at a folder of parts. Nothing is changed.
    /// - Throws: `notFound` where nothing there is a recording in parts; `accessDenied`, `inputOutput`.
    public init(contentsOf folder: URL) throws(RecordingError) {
        let path = try path(of: folder)
        let report = try reporting { () throws(AudioFailure) in try PartsReport(folder: path, in: .current) }
        self.folder = folder
        target = report.target.map { URL(fileURLWithPath: $0, isDirectory: false) }
        parts = report.parts.map { part in
            Part(
                url: URL(fileURLWithPath: part.path, isDirectory: false),
                frames: part.frames.value,
                integrity: RecordingReport.Integrity(part.integrity)
            )
        }
        sampleRate = report.sampleRate
        state =
            switch report.state {
            case .inUse: .inUse
            case .unfinished: .unfinished
            case .complete: .complete
            case .joined: .joined
            }
    }

    /// Makes one file of the parts, without decoding and to the frame, or goes on where an earlier try was ended.
    ///
    /// The file gets its name when it is verified and on the disk; only then the parts go away. A name that another file has
    /// got since the recording began is left to it. Blocks the calling thread for about as long as it takes to copy the
    /// parts.
    /// - Parameters:
    ///   - keepingParts: whether the parts stay; nil, the default, for what the recording was asked for.
    ///   - progress: hears how many parts are copied, of how many; on the calling thread.
    /// - Throws: `busy` while the recording runs or is being joined; `notFound`, `malformedMedia` or `unsupported` where the
    ///   parts are not all there; `accessDenied`, `noSpace`, `inputOutput`. The parts are then where they were.
    public func join(
        keepingParts: Bool? = nil,
        progress: (_ parts: Int, _ of: Int) -> Void = { _, _ in }
    ) throws(RecordingError) -> JoinedRecording {
        let path = try path(of: folder)
        let result = try reporting { () throws(AudioFailure) in
            try PartsJoin(folder: path, keepsParts: keepingParts).run(in: .current) { parts, count in
                progress(parts, count)
                return true
            }
        }
        return JoinedRecording(result)
    }
}

extension AVAudioRecorder {
    /// Where the parts of the last recording are, or were before they were joined; nil where it had none, or still runs.
    public var partsFolder: URL? { engine?.joinJob.map { URL(fileURLWithPath: $0.folder, isDirectory: true) } }

    /// Waits until the parts of the last recording are one file.
    ///
    /// A recording in parts is safe when `stop()` returns; its one file comes some time later, by work that no longer needs
    /// the recorder. Any thread.
    /// - Returns: the file; nil where the last recording had no parts.
    /// - Throws: why it could not be made; the parts are then all there, and can be joined by ``PartedRecording``.
    public func joinedRecording() async throws(RecordingError) -> JoinedRecording? {
        guard let job = engine?.joinJob else { return nil }
        let outcome = await withCheckedContinuation { continuation in
            job.whenDone { continuation.resume(returning: $0) }
        }
        return try reporting { () throws(AudioFailure) in JoinedRecording(try outcome.get()) }
    }

    /// As ``joinedRecording()``, and blocks the calling thread. Not for the main thread of a program with windows.
    /// - Returns: the file; nil where the last recording had no parts.
    /// - Throws: why it could not be made; the parts are then all there.
    public func waitForJoinedRecording() throws(RecordingError) -> JoinedRecording? {
        guard let job = engine?.joinJob else { return nil }
        return try reporting { () throws(AudioFailure) in JoinedRecording(try job.wait().get()) }
    }
}
