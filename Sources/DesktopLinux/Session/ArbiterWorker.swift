import AudioCore
import CGIO
import Glibc
import Synchronization

/// What the thread of an arbiter does: carries out commands, hears signals, and keeps a connection to the bus.
final class ArbiterWorker: @unchecked Sendable {
    // Unchecked: `bus` takes care of itself, `inbox` is a lock; everything else belongs to the thread.
    private struct Inbox {
        var tickets: [ArbiterTicket] = []
        var streams: [OtherStream]?
    }

    let bus = BusConnection()
    let log: @Sendable (String) -> Void
    private let program: String
    private let address: BusAddress
    private let outlet: ArbiterOutlet
    private let inbox = Mutex(Inbox())

    var machine = ArbiterMachine()
    /// What others are told, also before it counts.
    private(set) var declaration: SessionDeclaration
    /// The names that this connection owns or waits for.
    var floors: Set<Floor> = []
    /// Answers of other programs that are still to come.
    var expected = 0
    private var awaitsStreams: Bool
    private var wasConnected = false
    private var retry: (at: Duration, pause: Duration)?
    private var toldObstacle = false
    /// The sound was somebody else's when the bus went away.
    private var isReturning = false

    /// For an answer of another program.
    static let limitOfCall = Duration.milliseconds(600)
    private static let limitOfAnswers = Duration.milliseconds(500)
    private static let limitOfFirstLook = Duration.milliseconds(300)
    private static let limitOfSurvey = Duration.milliseconds(1_500)
    private static let retryPauses = (first: Duration.milliseconds(500), longest: Duration.seconds(5))

    init(
        _ program: String,
        _ address: BusAddress,
        awaitsStreams: Bool,
        _ outlet: ArbiterOutlet,
        _ log: @escaping @Sendable (String) -> Void
    ) {
        self.program = program
        self.address = address
        self.awaitsStreams = awaitsStreams
        self.outlet = outlet
        self.log = log
        declaration = SessionDeclaration(program: program, claim: nil)
    }

    // MARK: Any thread

    /// - Returns: false where no thread is left.
    func start() -> Bool {
        let thread = g_thread_try_new(
            "kayit-session",
            { user in
                guard let user else { return nil }
                Unmanaged<ArbiterWorker>.fromOpaque(user).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(self).toOpaque(),
            nil
        )
        guard let thread else {
            Unmanaged.passUnretained(self).release()
            return false
        }
        g_thread_unref(thread)
        return true
    }

    func end() { bus.cancel() }

    func post(_ ticket: ArbiterTicket) {
        inbox.withLock { $0.tickets.append(ticket) }
        bus.wake()
    }

    func heard(_ streams: [OtherStream]) {
        inbox.withLock { $0.streams = streams }
        bus.wake()
    }

    // MARK: The thread

    private func run() {
        while !bus.isCancelled {
            takeStreams()
            if let ticket = inbox.withLock({ $0.tickets.isEmpty ? nil : $0.tickets.removeFirst() }) {
                ticket.give(carryOut(ticket.command))
                flush()
                continue
            }
            flush()
            if bus.isConnected { bus.iterate() } else { awaitBus() }
        }
        bus.disconnect()
        // What still waits for an answer hears that none comes.
        while bus.iterateOnce() {}
        for ticket in inbox.withLock({ $0.tickets }) { ticket.give(.done) }
    }

    private func carryOut(_ command: ArbiterCommand) -> ArbiterAnswer {
        switch command {
        case .activate(let claim):
            // What can be known of calls and players must be known before anybody is interrupted.
            look()
            flush()
            return activate(claim)
        case .deactivate(let notifyingOthers):
            flush()
            deactivate(notifyingOthers: notifyingOthers)
            return .done
        case .look:
            look()
            return .done
        case .survey:
            look(for: Self.limitOfSurvey)
            return .survey(survey())
        }
    }

    /// Not for long: the sound server may be dead, and whoever asks has two seconds for everything.
    private func look(for limit: Duration = ArbiterWorker.limitOfFirstLook) {
        connect()
        receive(within: limit) { !awaitsStreams && expected == 0 }
        awaitsStreams = false
    }

    private func flush() { for event in machine.takeEvents() { outlet.tell(event) } }

    private func takeStreams() {
        let streams = inbox.withLock { inbox in
            defer { inbox.streams = nil }
            return inbox.streams
        }
        guard let streams else { return }
        awaitsStreams = false
        machine.heard(streams)
    }

    /// Hears what comes, until `isEnough` or for so long.
    func receive(within limit: Duration, until isEnough: () -> Bool) {
        let end = Self.now + limit
        while !isEnough(), !bus.isCancelled, Self.now < end {
            bus.iterate(within: end - Self.now)
            takeStreams()
        }
        receiveAll()
    }

    /// Hears what is there already.
    func receiveAll() {
        // Somebody who sends without end must not keep anybody.
        for _ in 0..<1_000 where !bus.iterateOnce() { break }
        takeStreams()
    }

    func awaitAnswers() { receive(within: Self.limitOfAnswers) { expected == 0 } }

    func sessionChanged() { outlet.advance() }

    // MARK: The connection

    private func connect() {
        if bus.isConnected { return }
        if wasConnected { busIsLost() }
        do throws(BusFailure) {
            try bus.connect(to: address)
            wasConnected = true
            retry = nil
            machine.me = bus.uniqueName
            try meetOthers()
            reclaim(insists: !isReturning)
        } catch {
            if bus.isCancelled { return }
            bus.disconnect()
            if !toldObstacle {
                log("Sessions of other programs are unknown: there is no message bus of the user (\(error.reason)).")
            }
            toldObstacle = true
        }
    }

    /// The bus has failed in the middle of something: this program goes on alone until it is back.
    func abandonBus(_ failure: BusFailure) {
        if bus.isCancelled { return }
        log("Sessions of other programs are unknown: \(failure.reason).")
        bus.disconnect()
    }

    private func busIsLost() {
        wasConnected = false
        bus.disconnect()
        floors = []
        isReturning = machine.isInterrupted
        machine.busLost()
        if retry == nil { retry = (Self.now + Self.retryPauses.first, Self.retryPauses.first) }
    }

    /// Without a bus: waits for commands, and for the time to look whether it is back.
    private func awaitBus() {
        if wasConnected {
            log("The user's message bus has ended the connection: sessions of other programs are unknown.")
            busIsLost()
            flush()
        }
        guard let (time, pause) = retry else { return bus.iterate() }
        if Self.now < time { return bus.iterate(within: time - Self.now) }
        connect()
        if !bus.isConnected {
            let next = min(pause * 2, Self.retryPauses.longest)
            retry = (Self.now + next, next)
        }
    }

    func declare(_ claim: SessionClaim?) {
        declaration = SessionDeclaration(program: program, claim: claim)
        bus.emit(
            "PropertiesChanged",
            of: SessionNames.properties,
            at: SessionNames.path,
            [.text(SessionNames.interface), .dictionary(declaration.properties), .texts([])]
        )
    }

    static let processID = UInt32(bitPattern: getpid())

    static var now: Duration { .microseconds(g_get_monotonic_time()) }
}
