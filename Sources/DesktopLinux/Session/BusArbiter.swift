package import AudioCore
import Synchronization

/// The sessions of several programs on one desktop: a queue of owners for a name on the user's bus, media players by MPRIS,
/// and the streams of others at the sound server.
///
/// Nothing happens before it is first used. All that speaks with the bus is done by a thread of its own (`kayit-session`): a
/// bus that does not answer keeps callers for less than two seconds, and then they go on alone.
package final class BusArbiter: SessionArbiter {
    private struct State {
        var worker: ArbiterWorker?
        var observation: (any AnyObject & Sendable)?
        /// The last call that was not answered in time: until it is, nobody waits for another.
        var overdue: ArbiterTicket?
    }

    private let program: String
    private let address: BusAddress
    private let host: (any AudioDeviceHost)?
    private let log: @Sendable (String) -> Void
    private let outlet = ArbiterOutlet()
    private let state = Mutex(State())

    /// Pausing players and asking who is there have limits of their own below it.
    private static let limit = Duration.milliseconds(1_900)

    /// - Parameters:
    ///   - program: what others see of this one.
    ///   - address: of the bus; nil for the user's own.
    ///   - host: tells of streams of others; nil where nobody does.
    ///   - log: takes what could not be done.
    package init(
        program: String,
        address: String? = nil,
        host: (any AudioDeviceHost)?,
        log: @escaping @Sendable (String) -> Void
    ) {
        self.program = program
        self.address = address.map { .at($0) } ?? .session
        self.host = host
        self.log = log
    }

    deinit { state.withLock { $0.worker }?.end() }

    package func activate(_ claim: SessionClaim) throws(AudioFailure) {
        if case .refused(let failure) = perform(.activate(claim)) { throw failure }
    }

    package func deactivate(notifyingOthers: Bool) {
        if state.withLock({ $0.worker == nil }) { return }
        _ = perform(.deactivate(notifyingOthers: notifyingOthers))
    }

    package var others: OtherAudio {
        // Who asks before anything was activated wants to know whether to be silent: worth a moment, once.
        if state.withLock({ $0.worker == nil }) { _ = perform(.look) }
        return outlet.others
    }

    package func listen(_ listener: @escaping @Sendable (ArbiterEvent) -> Void) { outlet.listen(listener) }

    package func survey() -> SessionSurvey {
        if case .survey(let survey) = perform(.survey) { return survey }
        return SessionSurvey(obstacle: "The user's message bus does not answer.")
    }

    /// - Returns: nil where the answer does not come in time.
    private func perform(_ command: ArbiterCommand) -> ArbiterAnswer? {
        guard let worker = worker() else { return .done }
        let ticket = ArbiterTicket(command)
        worker.post(ticket)
        let isStuck = state.withLock { $0.overdue.map { $0.answer == nil } ?? false }
        if let answer = ticket.wait(isStuck ? .zero : Self.limit) { return answer }
        state.withLock { $0.overdue = ticket }
        if !isStuck { log("The user's message bus does not answer: other programs are not asked.") }
        return nil
    }

    /// - Returns: nil where no thread is left.
    private func worker() -> ArbiterWorker? {
        let (worker, isNew) = state.withLock { state in
            if let worker = state.worker { return (worker as ArbiterWorker?, false) }
            let worker = ArbiterWorker(program, address, awaitsStreams: host != nil, outlet, log)
            guard worker.start() else {
                log("Other programs are not asked: no thread is left.")
                return (nil, false)
            }
            state.worker = worker
            return (worker, true)
        }
        guard isNew, let worker, let host else { return worker }
        let observation = host.observeOtherStreams { [weak worker] in worker?.heard($0) }
        if observation == nil { worker.heard([]) }
        state.withLock { $0.observation = observation }
        return worker
    }
}
