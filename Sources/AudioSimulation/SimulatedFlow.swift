import AudioCore

/// The frames of one simulated stream against time. Everything under the simulation's lock.
class SimulatedFlow: @unchecked Sendable {
    // Unchecked: guarded by the lock of the simulation that owns it.
    let direction: DeviceDirection
    let sampleRate: Int
    let channelCount: Int
    /// False for a stream that is pinned to its device.
    let isFollowing: Bool
    let events: @Sendable (StreamEvent) -> Void
    var device: SimulatedDevice
    private(set) var isRunning = false
    var failure: AudioFailure?
    /// Frames taken or given so far.
    private(set) var position = 0
    private var beginning: (time: Int64, position: Int) = (0, 0)
    private var wasMute = false

    init(
        _ request: StreamRequest,
        _ device: SimulatedDevice,
        _ direction: DeviceDirection,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) {
        self.direction = direction
        self.device = device
        self.events = events
        sampleRate = Int(request.sampleRate.rounded())
        channelCount = request.channelCount
        isFollowing = request.deviceID == nil
    }

    func start(at time: Int64) {
        beginning = (time, position)
        isRunning = true
    }

    /// Goes on after the device slept, not before the moment that it was started for.
    func wake(at time: Int64) { start(at: max(time, beginning.time)) }

    func stop() { isRunning = false }

    /// Moves on to `time`.
    ///
    /// - Returns: false where the other side must first take or give frames.
    final func advance(to time: Int64) -> Bool {
        if device.isSuspended {
            beginning = (max(time, beginning.time), position)
            return true
        }
        let isMute = device.isFrozen || isIdle
        defer { wasMute = isMute }
        if isMute { return true }
        let due = frames(until: time)
        if due > 0, wasMute {
            count(due)
            miss(due)
            return true
        }
        return due <= 0 || transfer(due, at: time)
    }

    /// True while the device has nothing to give.
    var isIdle: Bool { false }

    /// The device gave nothing for a while: these frames passed.
    func miss(_ frames: Int) {}

    /// Gives or takes frames, and counts them by `count`.
    func transfer(_ frames: Int, at time: Int64) -> Bool { true }

    final func count(_ frames: Int) { position += frames }

    /// The frames that are due until `time`.
    final func frames(until time: Int64) -> Int {
        if time <= beginning.time { return 0 }
        let elapsed = time - beginning.time
        // Whole seconds apart: the product of nanoseconds and a rate would overflow after hours.
        let whole = Int(elapsed / 1_000_000_000) * sampleRate
        let part = Int(elapsed % 1_000_000_000) * sampleRate / 1_000_000_000
        return beginning.position + whole + part - position
    }

    /// The position, with fraction, that the stream has at `time`; nil before it began.
    final func position(at time: Double) -> Double? {
        if time < Double(beginning.time) { return nil }
        return Double(beginning.position) + (time - Double(beginning.time)) / 1e9 * Double(sampleRate)
    }

    /// The time at which frame `position` is due, in nanoseconds.
    final func time(of position: Int) -> Double {
        Double(beginning.time) + Double(position - beginning.position) / Double(sampleRate) * 1e9
    }
}
