import Synchronization

/// What a program is told of the machine and of its own place on it: the seam behind which the desktop, a test or a scenario
/// stands.
///
/// Nobody is asked anything before somebody wants to know: `watch` runs while there are observers. Until it has answered, and
/// of what it never says, the state is that of a machine with no battery and much memory.
package final class SystemConditions: Sendable {
    /// Called with each change, in order, one at a time, on the thread of whoever made it.
    package typealias Observer = @Sendable (SystemState) -> Void

    private struct State {
        var now = SystemState()
        /// What the program says of itself; the machine's sleep counts over it.
        var program = AppState.foreground
        var isSuspended = false
        var observers: [UInt64: Observer] = [:]
        var next: UInt64 = 0
        var watch: (any AnyObject & Sendable)?
        /// What is to be told.
        var waiting: [(SystemState, [Observer])] = []
        var isTelling = false
    }

    private let state: Mutex<State>
    private let watch: @Sendable (SystemConditions) -> (any AnyObject & Sendable)?

    /// - Parameters:
    ///   - initial: the state before anything is known.
    ///   - watch: begins to look, and goes on while what it returns lives, which must not hold the conditions. Must not wait.
    package init(
        _ initial: SystemState = SystemState(),
        watch: @escaping @Sendable (SystemConditions) -> (any AnyObject & Sendable)? = { _ in nil }
    ) {
        state = Mutex(State(now: initial, program: initial.app))
        self.watch = watch
    }

    /// As it is known now. Any thread, without waiting. Changes are seen while there are observers.
    package var now: SystemState { state.withLock { $0.now } }

    /// Tells of every change from now on, for as long as what it returns lives.
    package func observe(_ observer: @escaping Observer) -> any AnyObject & Sendable {
        let (number, isFirst) = state.withLock { state in
            defer { state.next += 1 }
            state.observers[state.next] = observer
            return (state.next, state.observers.count == 1 && state.watch == nil)
        }
        if isFirst {
            let begun = watch(self)
            // Nobody may be left meanwhile, or somebody else was quicker. Outside of the lock, where it may be released.
            let superfluous = state.withLock { state -> (any AnyObject & Sendable)? in
                if state.observers.isEmpty || state.watch != nil { return begun }
                state.watch = begun
                return nil
            }
            withExtendedLifetime(superfluous) {}
        }
        return Observation(self, number)
    }

    private func remove(_ number: UInt64) {
        let ended = state.withLock { state -> (any AnyObject & Sendable)? in
            state.observers.removeValue(forKey: number)
            guard state.observers.isEmpty else { return nil }
            defer { state.watch = nil }
            return state.watch
        }
        withExtendedLifetime(ended) {}
    }

    // MARK: Told by the machine and by the program

    /// What the program says of itself. Any thread.
    package func program(is app: AppState) {
        change { $0.program = app }
    }

    /// The machine, and everything on it, stands still (true) or goes on. Any thread.
    package func machine(isAsleep: Bool) {
        change { $0.isSuspended = isAsleep }
    }

    package func power(_ change: (inout PowerState) -> Void) {
        self.change { change(&$0.now.power) }
    }

    package func memory(is pressure: MemoryPressure) {
        change { $0.now.memoryPressure = pressure }
    }

    private func change(_ body: (inout State) -> Void) {
        let tells = state.withLock { state in
            let before = state.now
            body(&state)
            state.now.app = state.isSuspended && state.program != .terminated ? .suspended : state.program
            guard state.now != before else { return false }
            state.waiting.append((state.now, state.observers.sorted { $0.key < $1.key }.map(\.value)))
            // Whoever tells goes on until there is nothing more: so the order is one, and an observer may make a change.
            defer { state.isTelling = true }
            return !state.isTelling
        }
        if tells { tell() }
    }

    private func tell() {
        while true {
            let next = state.withLock { state -> (SystemState, [Observer])? in
                if state.waiting.isEmpty {
                    state.isTelling = false
                    return nil
                }
                return state.waiting.removeFirst()
            }
            guard let (now, observers) = next else { return }
            for observer in observers { observer(now) }
        }
    }

    /// Ends with its last holder.
    private final class Observation: Sendable {
        private let conditions: SystemConditions
        private let number: UInt64

        init(_ conditions: SystemConditions, _ number: UInt64) {
            self.conditions = conditions
            self.number = number
        }

        deinit { conditions.remove(number) }
    }
}
