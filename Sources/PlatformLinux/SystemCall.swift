import AudioCore
import CLinux
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

/// Makes a call that may reach the largest size of a file that the process is allowed.
///
/// The kernel then sends SIGXFSZ beside the error, which would end a program that has not asked for anything else. The
/// signal is taken back; a program that ignores or handles it sees no difference.
func withoutSizeSignal<Result: SignedInteger>(_ body: () -> Result) -> Result {
    if largestFileOfProcess == nil { return body() }
    var signals = sigset_t()
    var before = sigset_t()
    sigemptyset(&signals)
    sigaddset(&signals, SIGXFSZ)
    pthread_sigmask(SIG_BLOCK, &signals, &before)
    let result = body()
    let code = errno
    if result == -1, code == EFBIG {
        var now = timespec()
        _ = sigtimedwait(&signals, nil, &now)
    }
    pthread_sigmask(SIG_SETMASK, &before, nil)
    errno = code
    return result
}

/// Bytes that a file of this process may have; nil for as many as it wants.
var largestFileOfProcess: Int64? {
    var limit = rlimit()
    guard getrlimit(__rlimit_resource_t(RLIMIT_FSIZE.rawValue), &limit) == 0, limit.rlim_cur != .max else { return nil }
    return Int64(clamping: limit.rlim_cur)
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
