import AudioCore

/// What an engine keeps on its queue.
protocol EngineControl: Sendable {
    associatedtype Machine: EngineMachine
    var machine: Machine { get set }
    /// Why the work that is ending ends.
    var failure: AudioFailure? { get set }
    /// The number of the opened device whose events count.
    var generation: Int { get set }
}

/// An engine carries out what its machine decides, one call after the other on a queue of its own.
protocol MachineEngine: AnyObject, Sendable {
    associatedtype Control: EngineControl
    typealias Input = Control.Machine.Input
    typealias Effect = Control.Machine.Effect

    var control: ControlQueue<Control> { get }
    var reports: EngineReports { get }

    func carryOut(_ effect: Effect, _ control: inout Control) throws(AudioFailure)

    /// Makes the state known to readers that wait for nobody.
    func publish(_ control: Control)
}

extension MachineEngine {
    /// From outside: waits for its turn and for what is done in it.
    func perform(_ input: Input, _ prepare: (inout Control) -> Void = { _ in }) throws(AudioFailure) {
        try control.sync { control throws(AudioFailure) in
            prepare(&control)
            try self.handle(input, &control)
        }
    }

    /// Within a turn. The first effect that fails ends the rest.
    func handle(_ input: Input, _ control: inout Control) throws(AudioFailure) {
        let effects = control.machine.handle(input)
        defer { publish(control) }
        for effect in effects {
            do throws(AudioFailure) {
                try carryOut(effect, &control)
            } catch {
                control.failure = error
                for consequence in control.machine.failed(effect) { try? carryOut(consequence, &control) }
                throw error
            }
        }
    }

    /// Within a turn: tells the owner, once, why the work ended.
    func tellFailure(_ control: inout Control) {
        if let failure = control.failure { tell(.failed(failure)) }
        control.failure = nil
    }

    /// From any thread: has its turn after the calls so far, if what was opened with `generation` is still in use.
    func enqueue(generation: Int, _ body: @escaping @Sendable (Self, inout Control) -> Void) {
        control.async { [self] control in
            if control.generation == generation { body(self, &control) }
        }
    }

    func tell(_ report: EngineReport) { reports.tell(report) }
}
