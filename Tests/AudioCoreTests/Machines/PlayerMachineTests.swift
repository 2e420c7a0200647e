import AudioCore
import Testing

@Suite("PlayerMachine")
struct PlayerMachineTests {
    typealias Input = PlayerMachine.Input
    typealias Effect = PlayerMachine.Effect

    static let table = MachineTable<PlayerMachine>(
        ways: [
            .stopped: [], .prepared: [.prepare], .playing: [.play], .paused: [.play, .pause],
            .waiting: [.play, .serverLost],
        ],
        rows: [
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
            (.stopped, .serverLost, [], .stopped),
            (.stopped, .speakerReturned, [], .stopped),
            (.stopped, .gaveUp, [], .stopped),
            (.prepared, .serverLost, [.close], .stopped),
            (.prepared, .speakerReturned, [], .prepared),
            (.prepared, .gaveUp, [], .prepared),
            (.playing, .serverLost, [.close, .awaitSpeaker], .waiting),
            (.playing, .speakerReturned, [], .playing),
            (.playing, .gaveUp, [], .playing),
            (.paused, .serverLost, [.close], .stopped),
            (.paused, .speakerReturned, [], .paused),
            (.paused, .gaveUp, [], .paused),
            (.waiting, .prepare, [], .waiting),
            (.waiting, .play, [.endWait, .open, .start], .playing),
            (.waiting, .pause, [.endWait], .stopped),
            (.waiting, .stop, [.endWait], .stopped),
            (.waiting, .ended, [], .waiting),
            (.waiting, .undecodable, [.endWait, .reportError, .reportFinished(successfully: false)], .stopped),
            (.waiting, .deviceLost, [], .waiting),
            (.waiting, .serverLost, [], .waiting),
            (.waiting, .speakerReturned, [.open, .start, .endWait], .playing),
            (.waiting, .gaveUp, [.endWait, .reportError], .stopped),
            (.waiting, .release, [.endWait], .stopped),
        ]
    )

    @Test("the table names every combination once")
    func tableIsWhole() { Self.table.expectEveryCombinationOnce() }

    @Test("every combination", arguments: table.rows.indices)
    func combination(index: Int) { Self.table.expectRow(index) }

    @Test("only the natural end and an undecodable recording are reported")
    func reports() {
        for (_, input, effects, _) in Self.table.rows {
            let reports = effects.contains { if case .reportFinished = $0 { true } else { false } }
            #expect(!reports || input == .ended || input == .undecodable)
        }
    }

    @Test("a speaker that cannot be opened, started or paused is closed", arguments: [Effect.open, .start, .suspend])
    func failures(effect: Effect) {
        var machine = Self.table.machine(in: .playing)
        #expect(machine.failed(effect) == [.close])
        #expect(machine.phase == .stopped)
    }

    @Test("going on by itself fails without an end: it waits on", arguments: [Effect.open, .start])
    func returning(effect: Effect) {
        var machine = Self.table.machine(in: .waiting)
        _ = machine.handle(.speakerReturned)
        #expect(machine.failed(effect) == [.close])
        #expect(machine.phase == .waiting)
        _ = machine.handle(.speakerReturned)
        #expect(machine.phase == .playing)
    }
}
