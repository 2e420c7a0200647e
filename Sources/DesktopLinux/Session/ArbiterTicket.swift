import AudioCore
import Dispatch
import Synchronization

/// What the thread of an arbiter is asked.
enum ArbiterCommand: Sendable {
    case activate(SessionClaim)
    case deactivate(notifyingOthers: Bool)
    /// Find out who is there.
    case look
    case survey
}

enum ArbiterAnswer: Sendable {
    case done
    case refused(AudioFailure)
    case survey(SessionSurvey)
}

/// A command on its way, and its answer on the way back.
final class ArbiterTicket: Sendable {
    let command: ArbiterCommand
    private let given = Mutex<ArbiterAnswer?>(nil)
    private let answered = DispatchSemaphore(value: 0)

    init(_ command: ArbiterCommand) { self.command = command }

    var answer: ArbiterAnswer? { given.withLock { $0 } }

    func give(_ answer: ArbiterAnswer) {
        given.withLock { $0 = answer }
        answered.signal()
    }

    func wait(_ limit: Duration) -> ArbiterAnswer? {
        _ = answered.wait(timeout: .now() + .milliseconds(Int(limit / .milliseconds(1))))
        return answer
    }
}
