import AudioCore
import AudioRuntime
public import Foundation

/// A file name that is taken for a recording before the recording starts, so that no other recording is replaced.
///
/// `AVAudioRecorder` replaces a file that exists, as Apple documents. An empty file made under the name in one
/// indivisible step tells two recorders apart that start in the same instant: exactly one of them gets the name.
public struct ReservedFile: Sendable {
    /// Where to record to.
    public let url: URL

    /// Takes exactly this name.
    /// - Throws: `alreadyExists` and leaves the file that is there as it is; `notFound` where the folder does not exist;
    ///   `accessDenied`, `noSpace`, `inputOutput`.
    public init(_ url: URL) throws(RecordingError) {
        let path = try path(of: url)
        try reporting { () throws(AudioFailure) in
            try Runtime.current.files.open(path, .creatingExclusively).close()
        }
        self.url = url
    }

    /// Takes `name.extension`, or the first of `name (2).extension`, `name (3).extension` … that is free.
    /// - Parameters:
    ///   - name: the file name without its extension.
    ///   - fileExtension: without the dot.
    ///   - folder: must exist.
    /// - Throws: as `init(_:)`; `limitReached` after 10 000 taken names.
    public init(name: String, fileExtension: String, in folder: URL) throws(RecordingError) {
        for number in 1...10_000 {
            let numbered = number == 1 ? name : "\(name) (\(number))"
            do throws(RecordingError) {
                try self.init(folder.appendingPathComponent("\(numbered).\(fileExtension)", isDirectory: false))
                return
            } catch {
                if error.code != .alreadyExists { throw error }
            }
        }
        throw RecordingError(.limitReached, "All names from '\(name)' to '\(name) (10000)' are taken.")
    }

    /// Gives the name back where nothing was recorded: removes the file if it is still empty.
    public func release() {
        guard let path = try? path(of: url), let status = try? Runtime.current.files.status(path) else { return }
        if status.size == 0, !status.isFolder { try? Runtime.current.files.remove(path) }
    }
}
