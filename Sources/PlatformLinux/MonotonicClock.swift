package import AudioCore
import Glibc

/// The machine's clock that never jumps and also counts while it sleeps (CLOCK_BOOTTIME).
package struct MonotonicClock: HostClock {
    package init() {}

    package var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    package func sleep(until time: HostTime) {
        while true {
            let remaining = (time - now).inNanoseconds
            if remaining <= 0 { return }
            var request = timespec(tv_sec: Int(remaining / 1_000_000_000), tv_nsec: Int(remaining % 1_000_000_000))
            nanosleep(&request, nil)
        }
    }
}
