import AudioCore
import Testing

@Suite("PlayerMachine")
struct PlayerMachineTests {
    typealias Input = PlayerMachine.Input
    typealias Effect = PlayerMachine.Effect
    typealias Phase = PlayerMachine.Phase

    static func machine(in phase: Phase) -> PlayerMachine {
        var machine = PlayerMachine()
        let inputs: [Input] =
            switch phase {
            case .stopped: []
            case .prepared: [.prepare]
            case .playing: [.play]
            case .paused: [.play, .pause]
            }
        for input in inputs { _ = machine.handle(input) }
        return machine
    }

    static let table: [(Phase, Input, [Effect], Phase)] = [
        (.stopped, .prepare, [.open], .prepared),
        (.stopped, .play, [.open, .start], .playing),
        (.stopped, .pause, [], .stopped),
        (.stopped, .stop, [], .stopped),
        (.stopped, .ended, [], .stopped),
        (.stopped, .undecodable, [], .stopped),
        (.stopped, .deviceLost, [], .stopped),
        (.stopped, .release, [], .stopped),
        (.prepared, .prepare, [], .prepared),
        (.prepared, .play, [.start], .playing),
        (.prepared, .pause, [], .prepared),
        (.prepared, .stop, [.close], .stopped),
        (.prepared, .ended, [], .prepared),
        (.prepared, .undecodable, [], .prepared),
        (.prepared, .deviceLost, [.close], .stopped),
        (.prepared, .release, [.close], .stopped),
        (.playing, .prepare, [], .playing),
        (.playing, .play, [], .playing),
        (.playing, .pause, [.suspend], .paused),
        (.playing, .stop, [.close], .stopped),
        (.playing, .ended, [.close, .rewind, .reportFinished(successfully: true)], .stopped),
        (.playing, .undecodable, [.close, .reportError, .reportFinished(successfully: false)], .stopped),
        (.playing, .deviceLost, [.close], .stopped),
        (.playing, .release, [.close], .stopped),
        (.paused, .prepare, [], .paused),
        (.paused, .play, [.start], .playing),
        (.paused, .pause, [], .paused),
        (.paused, .stop, [.close], .stopped),
        (.paused, .ended, [], .paused),
        (.paused, .undecodable, [], .paused),
        (.paused, .deviceLost, [.close], .stopped),
        (.paused, .release, [.close], .stopped),
    ]

    @Test("the table names every combination once")
    func tableIsWhole() {
        #expect(Self.table.count == Phase.allCases.count * Input.allCases.count)
        for phase in Phase.allCases {
            for input in Input.allCases {
                #expect(Self.table.filter { $0.0 == phase && $0.1 == input }.count == 1)
            }
        }
    }

    @Test("every combination", arguments: table.indices)
    func combination(index: Int) {
        let (phase, input, effects, next) = Self.table[index]
        var machine = Self.machine(in: phase)
        #expect(machine.phase == phase)
        #expect(machine.handle(input) == effects)
        #expect(machine.phase == next)
    }

    @Test("only the natural end and an undecodable recording are reported")
    func reports() {
        for (_, input, effects, _) in Self.table {
            let reports = effects.contains { if case .reportFinished = $0 { true } else { false } }
            #expect(!reports || input == .ended || input == .undecodable)
        }
    }

    @Test("a speaker that cannot be opened, started or paused is closed", arguments: [Effect.open, .start, .suspend])
    func failures(effect: Effect) {
        var machine = Self.machine(in: .playing)
        #expect(machine.failed(effect) == [.close])
        #expect(machine.phase == .stopped)
    }
}
