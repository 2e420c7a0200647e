internal import Glibc

// Host time: ticks of the machine's monotonic clock. Here a tick is a nanosecond, and the clock also counts while the
// machine sleeps (CLOCK_BOOTTIME), so that a recording's times stay true over a suspend.

/// The host's time now, in ticks.
public func AudioGetCurrentHostTime() -> UInt64 {
    var time = timespec()
    clock_gettime(CLOCK_BOOTTIME, &time)
    return UInt64(time.tv_sec) * 1_000_000_000 + UInt64(time.tv_nsec)
}

/// Ticks per second.
public func AudioGetHostClockFrequency() -> Float64 { 1_000_000_000 }

/// Ticks between two readings that can be told apart.
public func AudioGetHostClockMinimumTimeDelta() -> UInt32 { 1 }

/// Ticks as nanoseconds.
public func AudioConvertHostTimeToNanos(_ inHostTime: UInt64) -> UInt64 { inHostTime }

/// Nanoseconds as ticks.
public func AudioConvertNanosToHostTime(_ inNanos: UInt64) -> UInt64 { inNanos }
