import AudioCore
import Synchronization

/// What a recording makes of the machine's state and of the time of day.
extension RecorderEngine {
    /// Less than what a machine that wants to sleep waits for.
    static let limitBeforeSleep = Duration.seconds(3)

    // MARK: Deadline

    /// A hundred years: further away is never.
    private static let furthest = 3_155_760_000.0

    /// When a recording that starts at `start` ends by itself.
    /// - Throws: `invalidArgument` for a moment that has passed: a recording must not replace another to end at once.
    func moment(of deadline: TakeOptions.Deadline?, start: HostTime) throws(AudioFailure) -> HostTime? {
        let now = runtime.clock.now
        switch deadline {
        case nil: return nil
        case .after(let duration):
            return max(start, now) + min(max(duration, .zero), .seconds(Self.furthest))
        case .at(let time):
            let left = time - WallTime.seconds
            guard left > 0 else {
                throw AudioFailure(.invalidArgument, "The moment at which the recording is to end has passed.")
            }
            return now + .seconds(min(left, Self.furthest))
        }
    }

    /// The options have changed: what they say of the end counts at once.
    func moveDeadline() {
        let deadline = options.deadline
        control.async { [self] control in
            guard let take = control.take, control.machine.phase == .recording || control.machine.phase == .paused
            else { return }
            do throws(AudioFailure) {
                control.deadline = try moment(of: deadline, start: control.startedAt ?? runtime.clock.now)
            } catch {
                control.deadline = runtime.clock.now
            }
            take.setDeadline(control.deadline, isFlowing: control.machine.phase == .recording)
        }
    }

    // MARK: Power and memory

    /// Follows the machine's state until the take ends.
    func watchConditions(_ control: inout Control) {
        if control.conditions != nil { return }
        let generation = control.generation
        let before = Mutex(runtime.conditions.now)
        control.conditions = runtime.conditions.observe { [weak self] now in
            let last = before.withLock { before in
                defer { before = now }
                return before
            }
            self?.conditionsChanged(from: last, to: now, generation)
        }
    }

    /// Brings what was heard to the disk where the machine may soon be gone, then tells.
    private func conditionsChanged(from before: SystemState, to now: SystemState, _ generation: Int) {
        var notices: [TakeNotice] = []
        if now.power.warning != before.power.warning || now.power.isLowPowerMode != before.power.isLowPowerMode {
            notices.append(.power(now.power))
        }
        if now.memoryPressure != before.memoryPressure { notices.append(.memoryPressure(now.memoryPressure)) }
        // With each step of a battery that is low, too: the machine may be off at the next.
        let isUrgent =
            now.power.warning > .none && now.power != before.power
            || now.power.isLowPowerMode && !before.power.isLowPowerMode
            || now.memoryPressure > before.memoryPressure
            || now.app != before.app && (now.app == .suspended || now.app == .terminated)
        if notices.isEmpty, !isUrgent { return }
        let told = notices
        let hold = runtime.clock.hold()
        enqueue(generation: generation) { engine, control in
            defer { withExtendedLifetime(hold) {} }
            // A disk that fails says so itself, by the event of its writer.
            if isUrgent { try? control.take?.secure(within: Self.limitBeforeSleep) }
            for notice in told { engine.notify(notice) }
        }
    }
}
