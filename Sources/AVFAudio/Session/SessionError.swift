package import AudioCore
package import Foundation

/// The one place where the session's failures become Apple's errors: domain `NSOSStatusErrorDomain`, code
/// `AVAudioSession.ErrorCode`.
package enum SessionError {
    /// - Parameters:
    ///   - summary: what failed, as `localizedDescription`.
    ///   - reason: why, and what helps, as `localizedFailureReason`.
    package static func make(_ code: AVAudioSession.ErrorCode, _ summary: String, _ reason: String) -> NSError {
        NSError(
            domain: NSOSStatusErrorDomain,
            code: code.rawValue,
            userInfo: [NSLocalizedDescriptionKey: summary, NSLocalizedFailureReasonErrorKey: reason]
        )
    }

    package static func make(_ failure: AudioFailure, _ summary: String) -> NSError {
        make(code(for: failure.code), summary, failure.message)
    }

    package static func code(for code: AudioFailure.Code) -> AVAudioSession.ErrorCode {
        switch code {
        case .serverUnavailable: .mediaServicesFailed
        case .deviceUnavailable, .notFound, .unsupported, .limitReached, .noSpace: .resourceNotAvailable
        case .permissionDenied, .accessDenied: .cannotStartRecording
        case .invalidArgument: .badParam
        case .busy: .isBusy
        case .alreadyExists, .inputOutput, .malformedMedia, .cancelled, .internal: .unspecified
        }
    }

    /// Throws `badParam` with `reason` where a wish of the program makes no sense.
    static func require(_ isMet: Bool, _ reason: String) throws {
        if !isMet { throw make(.badParam, "Setting an audio preference failed", reason) }
    }

    /// Throws where `count` channels cannot be wished for.
    static func requireChannels(_ count: Int, isAllowed: Bool, maximum: Int) throws {
        let summary = "Setting the number of channels failed"
        if !isAllowed { throw make(.incompatibleCategory, summary, "The session's category has no such direction.") }
        if count < 0 || count > maximum { throw make(.badParam, summary, "\(count) is not in 0 … \(maximum).") }
    }
}
