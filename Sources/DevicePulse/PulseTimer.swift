import CPulse
import Glibc

/// Calls something again and again on the loop's thread. Made and let go under the loop's lock; no call comes afterwards.
final class PulseTimer {
    private let api: UnsafeMutablePointer<pa_mainloop_api>
    private let interval: UInt64
    private let body: () -> Void
    private var event: OpaquePointer?

    /// - Parameter interval: in microseconds of running time.
    init(on loop: PulseLoop, every interval: UInt64, _ body: @escaping () -> Void) {
        api = pa_threaded_mainloop_get_api(loop.handle)
        self.interval = interval
        self.body = body
        var next = self.next
        event = api.pointee.time_new(
            api,
            &next,
            { _, _, _, user in
                guard let user else { return }
                Unmanaged<PulseTimer>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.fire() }
            },
            Unmanaged.passUnretained(self).toOpaque()
        )
    }

    deinit { if let event { api.pointee.time_free(event) } }

    private func fire() {
        body()
        var next = self.next
        if let event { api.pointee.time_restart(event, &next) }
    }

    private var next: timeval {
        var time = timeval()
        pa_gettimeofday(&time)
        pa_timeval_add(&time, interval)
        return time
    }
}
