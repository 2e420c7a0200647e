/// Notices that a device gives nothing although it says that it runs. Asked again and again, at intervals of `interval`; a
/// value without a clock.
package struct DeliveryWatch: Sendable {
    package enum Finding: Sendable, Equatable {
        /// Nothing has come for over a second.
        case stalled
        /// Nothing has come for so long that nothing is to be expected.
        case hopeless
        /// Frames come again.
        case flowing
    }

    private enum State { case flowing, stalled, hopeless }

    /// How often it is to be asked, in the machine's time.
    package static let interval = Duration.milliseconds(200)
    /// Without frames for longer, a device has stalled.
    package static let patience = Duration.seconds(1)
    /// Without frames for longer, it is given up.
    package static let limit = Duration.seconds(5)

    /// When frames were last seen to have come, and how many there were.
    private var last: (frames: Int64, time: HostTime)?
    /// Askings in a row that saw nothing new: as many as fit into the time. So a process or machine that stood still is not
    /// blamed on the device.
    private var idle = 0
    private var state = State.flowing
    /// The longest time that the device took from one delivery to the next: some give much at once.
    private var rhythm = Duration.zero

    package init() {}

    /// True while nothing comes.
    package var isStalled: Bool { state != .flowing }

    /// - Parameters:
    ///   - frames: all that came so far.
    ///   - time: now.
    package mutating func observe(_ frames: Int64, at time: HostTime) -> Finding? {
        guard let last, last.frames == frames else {
            let wasFlowing = state == .flowing
            if let last, idle > 0 { rhythm = min(max(rhythm, time - last.time), Self.patience * 2) }
            self.last = (frames, time)
            idle = 0
            state = .flowing
            return wasFlowing ? nil : .flowing
        }
        idle += 1
        let silence = time - last.time
        switch state {
        case .flowing where silence > max(Self.patience, rhythm * 3 / 2) && idle >= 5:
            state = .stalled
            return .stalled
        case .stalled where silence > Self.limit && idle >= 25:
            state = .hopeless
            return .hopeless
        default: return nil
        }
    }
}
