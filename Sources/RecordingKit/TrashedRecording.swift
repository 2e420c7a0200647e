import AudioCore
import AudioRuntime
public import Foundation

/// A file in the trash of the desktop, as file managers show it, from which it can be brought back.
///
/// The trash is the one of the freedesktop.org specification: `$XDG_DATA_HOME/Trash`, or a folder at the top of the disk
/// on which the file lies. A file is never copied to another disk for it.
public struct TrashedRecording: Sendable, Hashable {
    /// Where the file was.
    public let original: URL
    /// Where it is.
    public let url: URL
    /// When it was put there, in local time ("2026-11-30T20:15:00").
    public let date: String

    private let item: Trash.Item

    init(_ item: Trash.Item) {
        self.item = item
        original = URL(fileURLWithPath: item.original, isDirectory: false)
        url = URL(fileURLWithPath: item.path, isDirectory: false)
        date = item.date
    }

    /// Moves a file into the trash. For what people delete: `AVAudioRecorder.deleteRecording()` deletes at once, as Apple's
    /// does.
    /// - Parameter url: a file.
    /// - Throws: `notFound`; `busy` where it is being recorded; `accessDenied` where no trash on its disk can be used. The
    ///   file is then where it was.
    public init(discarding url: URL) throws(RecordingError) {
        let path = try path(of: url)
        self = try reporting { () throws(AudioFailure) in
            let files = Runtime.current.files
            let file = try files.open(path, .reading)
            defer { file.close() }
            guard try file.tryLock() else {
                throw AudioFailure(.busy, "'\(path)' is being recorded.", path: path)
            }
            return Self(try Trash(files: files).discard(path))
        }
    }

    /// Puts the file back where it was, or beside what has its name now ("Talk (2).m4a").
    /// - Returns: where it is.
    /// - Throws: `notFound` where its folder or the file in the trash is gone; `accessDenied`, `noSpace`, `inputOutput`.
    public func restore() throws(RecordingError) -> URL {
        let path = try reporting { () throws(AudioFailure) in
            try Trash(files: Runtime.current.files).restore(item)
        }
        return URL(fileURLWithPath: path, isDirectory: false)
    }

    /// What this library has put into the trash, the newest first.
    /// - Parameter folders: whose disks are looked at besides the home folder's.
    public static func all(near folders: [URL] = []) -> [TrashedRecording] {
        let paths = folders.compactMap { try? path(of: $0) }
        return Trash(files: Runtime.current.files).items(near: paths).map(Self.init)
    }
}
