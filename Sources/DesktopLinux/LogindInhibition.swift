import AudioCore
import CGIO
import Glibc
import Synchronization

/// Two locks of logind for as long as it is held: one that keeps the machine from sleeping by itself (`block`), and one
/// that has it wait, where it goes to sleep all the same, until the recording is on the disk (`delay`).
///
/// All that speaks with the bus is done by a thread of its own, which ends with the inhibition: a bus that does not answer
/// stops nobody.
final class LogindInhibition: SleepInhibition {
    private let keeper: LockKeeper

    init(
        who: String,
        why: String,
        address: String?,
        log: @escaping @Sendable (String) -> Void,
        events: @escaping @Sendable (SleepEvent) -> Void
    ) {
        let keeper = LockKeeper(who: who, why: why, address: address, log: log, events: events)
        self.keeper = keeper
        // The thread owns its reference: it ends by itself once the inhibition is released.
        let thread = g_thread_try_new(
            "kayit-desktop",
            { user in
                guard let user else { return nil }
                Unmanaged<LockKeeper>.fromOpaque(user).takeRetainedValue().run()
                return nil
            },
            Unmanaged.passRetained(keeper).toOpaque(),
            nil
        )
        if let thread {
            g_thread_unref(thread)
        } else {
            Unmanaged.passUnretained(keeper).release()
            log("The machine may go to sleep: no thread is left to ask it not to.")
        }
    }

    deinit { release() }

    func release() { keeper.end() }
}

/// What the thread of an inhibition does.
private final class LockKeeper: @unchecked Sendable {
    // Unchecked: `bus` takes care of itself; the descriptors and `sleeping` belong to the thread.
    private let bus = BusConnection()
    private let who: String
    private let why: String
    private let address: String?
    private let log: @Sendable (String) -> Void
    private let events: @Sendable (SleepEvent) -> Void
    /// The last sleep that everything is ready for, counted from 1.
    private let readyFor = Atomic<Int>(0)

    private var block: Int32?
    private var delay: Int32?
    private var sleeps = 0
    private var isSleeping = false

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"
    private static let limitOfCall = Duration.seconds(5)
    /// Below the five seconds that logind waits by itself (InhibitDelayMaxSec).
    private static let limitOfReadiness = Duration.seconds(4)
    private static let retryInterval = Duration.seconds(5)

    init(
        who: String,
        why: String,
        address: String?,
        log: @escaping @Sendable (String) -> Void,
        events: @escaping @Sendable (SleepEvent) -> Void
    ) {
        self.who = who
        self.why = why
        self.address = address
        self.log = log
        self.events = events
    }

    deinit { closeLocks() }

    /// Any thread.
    func end() { bus.cancel() }

    func run() {
        var wasConnected = false
        while !bus.isCancelled {
            do throws(BusFailure) {
                try bus.connect(to: address.map { .at($0) } ?? .system)
                wasConnected = true
                takeLocks()
                listen()
                if !bus.isCancelled { log("The system bus has ended the connection: the machine may go to sleep.") }
            } catch {
                if bus.isCancelled { break }
                log("The machine may go to sleep: there is no system bus to ask it not to (\(error.reason)).")
                // A container has none. One that was there may come again.
                if !wasConnected { break }
            }
            closeLocks()
            pause(Self.retryInterval)
        }
        closeLocks()
        bus.disconnect()
    }

    private func takeLocks() {
        bus.subscribe("PrepareForSleep", of: Self.interface, at: Self.path, from: Self.name) { [unowned self] signal in
            if let begins = signal.arguments.first?.truth { if begins { sleepBegins() } else { sleepEnded() } }
        }
        delay = lock("delay")
        block = lock("block")
    }

    private func lock(_ mode: String) -> Int32? {
        do throws(BusFailure) {
            return try bus.descriptor(
                from: BusCall(
                    "Inhibit",
                    of: Self.interface,
                    at: Self.path,
                    of: Self.name,
                    ["sleep", who, why, mode].map { .text($0) },
                    within: Self.limitOfCall
                )
            )
        } catch {
            if !bus.isCancelled { log("The machine may go to sleep (\(mode)): \(error.reason).") }
            return nil
        }
    }

    private func listen() {
        while !bus.isCancelled, bus.isConnected {
            if isSleeping, delay != nil { awaitReadiness() } else { bus.iterate() }
        }
    }

    private func sleepBegins() {
        sleeps += 1
        isSleeping = true
        let number = sleeps
        events(
            .willSleep { [self] in
                readyFor.store(number, ordering: .releasing)
                bus.wake()
            }
        )
    }

    /// Lets the machine sleep once everything is on the disk, or when it has waited long enough.
    private func awaitReadiness() {
        let number = sleeps
        let end = Self.now + Self.limitOfReadiness
        while readyFor.load(ordering: .acquiring) < number, isSleeping, !bus.isCancelled, Self.now < end {
            bus.iterate(within: end - Self.now)
        }
        // Awake again meanwhile: the lock is that of the next sleep.
        if isSleeping, sleeps == number { close(&delay) }
    }

    private func sleepEnded() {
        guard isSleeping else { return }
        isSleeping = false
        events(.didWake)
        // The lock of the last sleep was given back.
        close(&delay)
        delay = lock("delay")
    }

    private func pause(_ duration: Duration) {
        let end = Self.now + duration
        while !bus.isCancelled, Self.now < end { bus.iterate(within: end - Self.now) }
    }

    private func closeLocks() {
        close(&delay)
        close(&block)
        isSleeping = false
    }

    private func close(_ lock: inout Int32?) {
        if let descriptor = lock { Glibc.close(descriptor) }
        lock = nil
    }

    private static var now: Duration { .microseconds(g_get_monotonic_time()) }
}
