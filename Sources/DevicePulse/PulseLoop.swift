import AudioCore
import CPulse
import Dispatch

/// The thread on which libpulse talks to the server, and the lock that guards everything made on it.
final class PulseLoop: @unchecked Sendable {
    // Unchecked: `handle` never changes; what is reached through it is used under `withLock` only.
    let handle: OpaquePointer

    init() throws(AudioFailure) {
        guard let handle = pa_threaded_mainloop_new() else {
            throw AudioFailure(.limitReached, "The sound server's client thread cannot be made: out of memory.")
        }
        pa_threaded_mainloop_set_name(handle, "kayit-pulse")
        guard pa_threaded_mainloop_start(handle) == 0 else {
            pa_threaded_mainloop_free(handle)
            throw AudioFailure(.limitReached, "The sound server's client thread cannot be started: no threads left.")
        }
        self.handle = handle
    }

    deinit {
        pa_threaded_mainloop_stop(handle)
        pa_threaded_mainloop_free(handle)
    }

    /// Runs `body` while no callback of libpulse runs. Nothing may be waited for, and nobody else be called, inside.
    func withLock<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
        // Callbacks run with the lock held, and libpulse refuses to take it again there.
        if pa_threaded_mainloop_in_thread(handle) != 0 { return try body() }
        pa_threaded_mainloop_lock(handle)
        defer { pa_threaded_mainloop_unlock(handle) }
        return try body()
    }
}

/// The moment at which a call gives up, so that the parts of one call share one limit.
struct Deadline {
    let time: DispatchTime

    init(within limit: Duration) {
        time = .now() + .nanoseconds(Int(limit.inNanoseconds))
    }

    /// The limit of one public call: below the two seconds that the seam allows.
    static var ofCall: Deadline { Deadline(within: .milliseconds(1800)) }
}
