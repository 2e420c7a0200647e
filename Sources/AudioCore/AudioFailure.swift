import Glibc

/// Everything that can go wrong below Apple's API, as one type.
///
/// The message says what failed, on what, why, what was kept and what helps. Apple's modules translate a failure to
/// Apple's domain and code in one table.
package struct AudioFailure: Error, Sendable, Hashable, CustomStringConvertible {
    /// What the caller can do about it, not where it came from.
    package enum Code: String, Sendable, CaseIterable {
        /// No sound server, or it does not answer. Starting it helps; retrying may.
        case serverUnavailable
        /// The server is there, the device is not (never was, or went away).
        case deviceUnavailable
        /// The user or the system refuses access to the device.
        case permissionDenied
        /// A file or folder does not exist.
        case notFound
        /// A file is already there and must not be replaced.
        case alreadyExists
        /// The file system refuses: permissions, read-only, a folder where a file is needed.
        case accessDenied
        /// No space, quota or file-size limit.
        case noSpace
        /// The device or the file system reported an input/output error.
        case inputOutput
        /// Well formed, but not offered here.
        case unsupported
        /// The request cannot be met as it was made; the message names the argument and what is allowed.
        case invalidArgument
        /// The file is not what it says, or its audio cannot be found.
        case malformedMedia
        /// A limit of time, memory or size was reached.
        case limitReached
        /// The caller gave up.
        case cancelled
        /// The object is doing something that excludes this.
        case busy
        /// A defect of ours.
        case `internal`
    }

    /// The value of a request that cannot be met.
    package enum Argument: String, Sendable, CaseIterable {
        case sampleRate, channelCount, bitRate, bitDepth
    }

    package var code: Code
    package var message: String
    /// The errno of the system call that failed, where there was one.
    package var errno: Int32?
    /// The path concerned, where there is one.
    package var path: String?
    /// The value concerned, where one of a request is; so that it can be named by the key that the caller used.
    package var argument: Argument?
    /// What the session refuses with, where it is the session that refuses.
    package var refusal: SessionRefusal?

    package init(
        _ code: Code,
        _ message: String,
        errno: Int32? = nil,
        path: String? = nil,
        argument: Argument? = nil,
        refusal: SessionRefusal? = nil
    ) {
        self.code = code
        self.message = message
        self.errno = errno
        self.path = path
        self.argument = argument
        self.refusal = refusal
    }

    package var description: String { message }
}

extension AudioFailure.Code {
    /// What an error number of a file's system call means to its caller.
    package init(fileError number: Int32) {
        self =
            switch number {
            case ENOENT, ENOTDIR: .notFound
            case EEXIST: .alreadyExists
            case EACCES, EPERM, EROFS, EISDIR, ENAMETOOLONG, ELOOP, ETXTBSY: .accessDenied
            case ENOSPC, EDQUOT, EFBIG: .noSpace
            case EMFILE, ENFILE, ENOMEM: .limitReached
            case EBUSY, ENOTEMPTY: .busy
            case EINVAL: .invalidArgument
            default: .inputOutput
            }
    }
}
