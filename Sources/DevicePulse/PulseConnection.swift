import AudioCore
import CPulse
import Dispatch

/// One connection to a server, from the attempt to its end. A lost one is never revived: the host makes another.
final class PulseConnection: @unchecked Sendable {
    // Unchecked: `context`, `isSettled`, `failure` and `watchesStreams` are guarded by the loop lock.
    let loop: PulseLoop
    /// When frames of its playback streams are heard. Under the loop lock.
    let timeline = PulseTimeline()
    private let address: String?
    private var context: OpaquePointer?
    private var isSettled = false
    private var failure: AudioFailure?
    private let settled = DispatchGroup()
    private var watchesStreams: Bool
    private let changed: @Sendable (Change) -> Void
    private let lost: @Sendable () -> Void

    /// What the server told of.
    enum Change { case devices, streams }

    /// Begins to connect.
    ///
    /// - Parameters:
    ///   - address: as `PULSE_SERVER` has it; nil looks where libpulse does by itself.
    ///   - watchesStreams: whether changes of streams are told as well; `watchStreams` has it done later.
    ///   - changed: called when a device, card or default changes, or a stream.
    ///   - lost: called once when an established connection ends. Like `changed` on the loop's thread, with its lock held:
    ///     both may only post.
    init(
        loop: PulseLoop,
        applicationName: String,
        address: String?,
        watchesStreams: Bool,
        changed: @escaping @Sendable (Change) -> Void,
        lost: @escaping @Sendable () -> Void
    ) {
        self.loop = loop
        self.address = address
        self.watchesStreams = watchesStreams
        self.changed = changed
        self.lost = lost
        settled.enter()
        loop.withLock {
            context = pa_context_new(pa_threaded_mainloop_get_api(loop.handle), applicationName)
            guard let context else {
                return end(AudioFailure(.limitReached, "No connection to the sound server can be made: out of memory."))
            }
            pa_context_set_state_callback(
                context,
                { _, user in PulseConnection.borrow(user) { $0.stateChanged() } },
                Unmanaged.passUnretained(self).toOpaque()
            )
            if pa_context_connect(context, address, PA_CONTEXT_NOAUTOSPAWN, nil) < 0 {
                end(PulseFailure.unreachable(pa_context_errno(context), address: address))
            }
        }
    }

    /// Callbacks hold no reference: `deinit` clears them under the lock before the object goes.
    deinit { loop.withLock { tearDown() } }

    private static func borrow(_ user: UnsafeMutableRawPointer?, _ body: (PulseConnection) -> Void) {
        guard let user else { return }
        Unmanaged<PulseConnection>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    /// False once the connection ended.
    var isAlive: Bool { loop.withLock { failure == nil } }

    /// Waits until requests can be made.
    func waitUntilReady(_ deadline: Deadline) throws(AudioFailure) {
        if settled.wait(timeout: deadline.time) == .timedOut {
            loop.withLock {
                if !isSettled { end(PulseFailure.silent(address: address)) }
            }
        }
        if let failure = loop.withLock({ failure }) { throw failure }
    }

    /// Gives the context to `body` under the lock.
    ///
    /// - Throws: why the connection ended, if it did.
    func withContext<Result>(_ body: (OpaquePointer) throws(AudioFailure) -> Result) throws(AudioFailure) -> Result {
        try loop.withLock { () throws(AudioFailure) -> Result in
            if let failure { throw failure }
            guard let context else { throw PulseFailure.silent(address: address) }
            return try body(context)
        }
    }

    /// Starts operations under the lock and waits, outside of it, until all of them ended in one way or another.
    ///
    /// What their callbacks point to must live until this returns: none is called later.
    /// - Parameter start: nil in the list stands for an operation that could not be started.
    func perform(
        _ what: String,
        _ deadline: Deadline,
        start: (OpaquePointer) -> [OpaquePointer?]
    ) throws(AudioFailure) {
        let ended = DispatchSemaphore(value: 0)
        let operations = try withContext { (context) throws(AudioFailure) -> [OpaquePointer] in
            let started = start(context)
            let operations = started.compactMap { $0 }
            if operations.count < started.count {
                let code = pa_context_errno(context)
                for operation in operations { PulseConnection.abandon(operation) }
                throw PulseFailure.refused(what, code)
            }
            for operation in operations {
                pa_operation_set_state_callback(
                    operation,
                    { operation, user in
                        guard let user, pa_operation_get_state(operation) != PA_OPERATION_RUNNING else { return }
                        Unmanaged<DispatchSemaphore>.fromOpaque(user)._withUnsafeGuaranteedRef { _ = $0.signal() }
                    },
                    Unmanaged.passUnretained(ended).toOpaque()
                )
            }
            return operations
        }
        for _ in operations where ended.wait(timeout: deadline.time) == .timedOut { break }
        let isComplete = loop.withLock {
            var isComplete = true
            for operation in operations {
                isComplete = isComplete && pa_operation_get_state(operation) == PA_OPERATION_DONE
                PulseConnection.abandon(operation)
            }
            return isComplete
        }
        if isComplete { return }
        try withContext { _ in }
        if ended.wait(timeout: .now()) == .timedOut, deadline.time <= .now() {
            throw PulseFailure.silent(address: address)
        }
        throw AudioFailure(.cancelled, "The request to \(what) was cancelled by the sound server.")
    }

    /// Makes sure that no callback of an operation comes any more, and gives it up. Under the lock.
    static func abandon(_ operation: OpaquePointer) {
        pa_operation_set_state_callback(operation, nil, nil)
        if pa_operation_get_state(operation) == PA_OPERATION_RUNNING { pa_operation_cancel(operation) }
        pa_operation_unref(operation)
    }

    private func stateChanged() {
        guard let context else { return }
        switch pa_context_get_state(context) {
        case PA_CONTEXT_READY:
            subscribe(context)
            settle()
        case PA_CONTEXT_FAILED, PA_CONTEXT_TERMINATED:
            end(PulseFailure.unreachable(pa_context_errno(context), address: address))
        default: break
        }
    }

    private func subscribe(_ context: OpaquePointer) {
        pa_context_set_subscribe_callback(
            context,
            { _, event, _, user in PulseConnection.borrow(user) { $0.changed(PulseConnection.change(event)) } },
            Unmanaged.passUnretained(self).toOpaque()
        )
        var kinds =
            PA_SUBSCRIPTION_MASK_SINK.rawValue | PA_SUBSCRIPTION_MASK_SOURCE.rawValue
            | PA_SUBSCRIPTION_MASK_SERVER.rawValue | PA_SUBSCRIPTION_MASK_CARD.rawValue
        if watchesStreams {
            kinds |= PA_SUBSCRIPTION_MASK_SINK_INPUT.rawValue | PA_SUBSCRIPTION_MASK_SOURCE_OUTPUT.rawValue
        }
        pa_context_subscribe(context, pa_subscription_mask_t(rawValue: kinds), nil, nil).map { pa_operation_unref($0) }
    }

    private static func change(_ event: pa_subscription_event_type_t) -> Change {
        switch event.rawValue & PA_SUBSCRIPTION_EVENT_FACILITY_MASK.rawValue {
        case PA_SUBSCRIPTION_EVENT_SINK_INPUT.rawValue, PA_SUBSCRIPTION_EVENT_SOURCE_OUTPUT.rawValue: .streams
        default: .devices
        }
    }

    /// Changes of streams are told from now on.
    func watchStreams() {
        loop.withLock {
            if watchesStreams { return }
            watchesStreams = true
            if let context, pa_context_get_state(context) == PA_CONTEXT_READY { subscribe(context) }
        }
    }

    private func settle() {
        if isSettled { return }
        isSettled = true
        settled.leave()
    }

    /// Under the lock.
    private func end(_ reason: AudioFailure) {
        if failure != nil { return }
        failure = reason
        let wasReady = isSettled
        settle()
        if wasReady { lost() }
    }

    private func tearDown() {
        settle()
        guard let context else { return }
        self.context = nil
        pa_context_set_state_callback(context, nil, nil)
        pa_context_set_subscribe_callback(context, nil, nil)
        pa_context_disconnect(context)
        pa_context_unref(context)
    }
}
