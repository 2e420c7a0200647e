import AudioCore
import Testing

/// The whole table of a machine: in every phase every input, the effects, and the phase that follows.
struct MachineTable<Machine: EngineMachine> where Machine.Input: CaseIterable {
    typealias Row = (phase: Machine.Phase, input: Machine.Input, effects: [Machine.Effect], next: Machine.Phase)

    /// The inputs that lead to each phase.
    let ways: [Machine.Phase: [Machine.Input]]
    let rows: [Row]

    func machine(in phase: Machine.Phase) -> Machine {
        var machine = Machine()
        for input in ways[phase] ?? [] { _ = machine.handle(input) }
        return machine
    }

    func expectEveryCombinationOnce() {
        #expect(rows.count == Machine.Phase.allCases.count * Machine.Input.allCases.count)
        for phase in Machine.Phase.allCases {
            for input in Machine.Input.allCases {
                #expect(rows.count { $0.phase == phase && $0.input == input } == 1, "\(input) in \(phase)")
            }
        }
    }

    func expectRow(_ index: Int) {
        let (phase, input, effects, next) = rows[index]
        var machine = machine(in: phase)
        #expect(machine.phase == phase)
        #expect(machine.handle(input) == effects)
        #expect(machine.phase == next)
    }
}
