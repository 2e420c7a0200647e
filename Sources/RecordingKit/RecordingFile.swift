import AudioCore
import AudioRuntime
import Foundation

/// The path of a file URL, byte for byte.
func path(of url: URL) throws(RecordingError) -> String {
    guard url.isFileURL else {
        throw RecordingError(.invalidArgument, "'\(url.absoluteString)' is not the URL of a file.")
    }
    let path = url.withUnsafeFileSystemRepresentation { $0.map { String(cString: $0) } }
    guard let path, !path.isEmpty else {
        throw RecordingError(.invalidArgument, "'\(url.absoluteString)' does not name a file.")
    }
    return path
}
