import Glibc

/// The machine's clock that never jumps and goes on while the machine sleeps (CLOCK_BOOTTIME). libpulse's own stands still
/// meanwhile.
enum MachineTime {
    static var microseconds: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
