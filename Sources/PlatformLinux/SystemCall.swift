import AudioCore
import Glibc

/// Runs a system call again for as long as a signal interrupts it: the one EINTR policy of the house.
///
/// - Returns: what the call returned, or the errno where that was −1.
func systemCall<Result: SignedInteger>(_ body: () -> Result) -> Swift.Result<Result, Errno> {
    while true {
        let result = body()
        if result != -1 { return .success(result) }
        let code = errno
        if code != EINTR { return .failure(Errno(code: code)) }
    }
}

/// The error number of a failed system call.
struct Errno: Error, Sendable, Equatable {
    var code: Int32

    var text: String { String(cString: strerror(code)) }

    /// What the number means to a caller of the file store.
    var failureCode: AudioFailure.Code { AudioFailure.Code(fileError: code) }

    func failure(_ what: String, path: String) -> AudioFailure {
        AudioFailure(failureCode, "\(what) '\(path)': \(text).", errno: code, path: path)
    }
}
