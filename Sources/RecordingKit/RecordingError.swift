import AVFAudio
package import AudioCore
public import Foundation

/// What went wrong with a file, a device or a setting, in one type for the whole of RecordingKit.
public struct RecordingError: Error, Sendable, Hashable {
    /// What the caller can do about it.
    public struct Code: Sendable, Hashable, CustomStringConvertible {
        private let name: String

        private init(_ name: String) { self.name = name }

        /// No sound server answers.
        public static let serverUnavailable = Code("serverUnavailable")
        /// The sound server has no such microphone or speaker.
        public static let deviceUnavailable = Code("deviceUnavailable")
        /// The user or the system refuses the device.
        public static let permissionDenied = Code("permissionDenied")
        /// The file or folder does not exist.
        public static let notFound = Code("notFound")
        /// The file is already there and was left as it is.
        public static let alreadyExists = Code("alreadyExists")
        /// The file system refuses: rights, a read-only disk, a folder where a file is needed.
        public static let accessDenied = Code("accessDenied")
        /// The disk, the quota or the largest size of a file is used up.
        public static let noSpace = Code("noSpace")
        /// The disk or the device reported an error.
        public static let inputOutput = Code("inputOutput")
        /// Well formed, but not offered.
        public static let unsupported = Code("unsupported")
        /// The request cannot be met as it was made; the message says what is allowed.
        public static let invalidArgument = Code("invalidArgument")
        /// The content is not audio that can be read, or damaged beyond use.
        public static let malformedMedia = Code("malformedMedia")
        /// A limit of time, memory or size was reached.
        public static let limitReached = Code("limitReached")
        /// The caller gave up.
        public static let cancelled = Code("cancelled")
        /// Somebody else is using it.
        public static let busy = Code("busy")
        /// A defect of this library.
        public static let `internal` = Code("internal")

        /// The name of the code, for logs.
        public var description: String { name }

        fileprivate init(_ code: AudioFailure.Code) { name = code.rawValue }
    }

    /// The kind of failure.
    public var code: Code
    /// What failed, on what, why, and what helps; one or two sentences.
    public var message: String
    /// The file concerned, as it was given; nil where there is none.
    public var path: String?

    /// An error of a program that stands on this library.
    /// - Parameters:
    ///   - code: the kind of failure.
    ///   - message: whole sentences for people.
    ///   - path: the file concerned.
    public init(_ code: Code, _ message: String, path: String? = nil) {
        self.code = code
        self.message = message
        self.path = path
    }

    /// Any error that this library or the audio frameworks have thrown, with its kind and message kept.
    /// - Parameter error: for errors of other origin the code is `internal` and the message the error's own description.
    public init(_ error: any Error) {
        if let error = error as? RecordingError {
            self = error
        } else if let failure = error as? AudioFailure {
            self.init(failure)
        } else {
            self.init(framework: error as NSError)
        }
    }

    package init(_ failure: AudioFailure) {
        self.init(Code(failure.code), failure.message, path: failure.path)
    }

    /// An error of Apple's domains.
    private init(framework error: NSError) {
        guard let row = AppleErrors.row(error) else {
            self.init(.internal, error.localizedDescription)
            return
        }
        var message = error.localizedDescription
        // The session has a summary for the description and puts what happened into the reason; elsewhere the reason is
        // the same for all failures of a kind.
        if let reason = error.localizedFailureReason, !row.reasons.contains(reason) { message += ": " + reason }
        self.init(Code(row.code), message, path: error.userInfo[NSFilePathErrorKey] as? String)
    }
}

/// The way back from Apple's codes to the kinds of failure, made from the one table that leads there.
private enum AppleErrors {
    struct Row: Sendable {
        var code: AudioFailure.Code
        /// What the table says of every failure with this number.
        var reasons: Set<String>
    }

    static func row(_ error: NSError) -> Row? {
        rows[Key(domain: error.domain, code: error.code)]
    }

    private struct Key: Hashable, Sendable {
        var domain: String
        var code: Int
    }

    private static let rows: [Key: Row] = {
        var rows: [Key: Row] = [:]
        for domain in [AppleErrorDomain.osStatus, .avfaudio] {
            for code in AudioFailure.Code.allCases {
                let error = AudioFailure(code, "").appleError(in: domain)
                let key = Key(domain: error.domain, code: error.code)
                // Where two share a number, the first is the more telling one.
                var row = rows[key] ?? Row(code: code, reasons: [])
                if let reason = error.localizedFailureReason { row.reasons.insert(reason) }
                rows[key] = row
            }
        }
        return rows
    }()
}

extension RecordingError: LocalizedError, CustomStringConvertible {
    /// The message.
    public var errorDescription: String? { message }

    /// The message.
    public var description: String { message }
}

/// Runs `body` and turns its failure into the public error.
func reporting<Result>(_ body: () throws(AudioFailure) -> Result) throws(RecordingError) -> Result {
    do throws(AudioFailure) {
        return try body()
    } catch {
        throw RecordingError(error)
    }
}
