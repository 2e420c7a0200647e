package import AudioCore
package import Foundation

/// The session's errors: domain `NSOSStatusErrorDomain`, codes of `AVAudioSession.ErrorCode`.
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

    /// A failure with the code that the table of all failures gives it, and `summary` as `localizedDescription`.
    package static func make(_ failure: AudioFailure, _ summary: String) -> NSError {
        let error = failure.appleError
        var userInfo = error.userInfo
        userInfo[NSLocalizedDescriptionKey] = summary
        userInfo[NSLocalizedFailureReasonErrorKey] = failure.message
        return NSError(domain: error.domain, code: error.code, userInfo: userInfo)
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
