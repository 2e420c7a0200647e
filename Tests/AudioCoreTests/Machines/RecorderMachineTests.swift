import AudioCore
import TestSupport
import Testing

@Suite("RecorderMachine")
struct RecorderMachineTests {
    typealias Input = RecorderMachine.Input
    typealias Effect = RecorderMachine.Effect

    static let finished: [Effect] = [.finish, .reportFinished(successfully: true)]
    static let failed: [Effect] = [.finish, .reportError, .reportFinished(successfully: false)]

    static let table = MachineTable<RecorderMachine>(
        ways: [.stopped: [], .prepared: [.prepare], .recording: [.record], .paused: [.record, .pause]],
        rows: [
            (.stopped, .prepare, [.open], .prepared),
            (.stopped, .record, [.open, .start], .recording),
            (.stopped, .pause, [], .stopped),
            (.stopped, .interrupt, [], .stopped),
            (.stopped, .stop, [], .stopped),
            (.stopped, .limitReached, [], .stopped),
            (.stopped, .failure, [], .stopped),
            (.stopped, .release, [], .stopped),
            (.prepared, .prepare, [], .prepared),
            (.prepared, .record, [.start], .recording),
            (.prepared, .pause, [], .prepared),
            (.prepared, .interrupt, [], .prepared),
            (.prepared, .stop, [.discard], .stopped),
            (.prepared, .limitReached, [], .prepared),
            (.prepared, .failure, [.discard], .stopped),
            (.prepared, .release, [.discard], .stopped),
            (.recording, .prepare, [], .recording),
            (.recording, .record, [], .recording),
            (.recording, .pause, [.suspend], .paused),
            (.recording, .interrupt, [.suspend], .paused),
            (.recording, .stop, finished, .stopped),
            (.recording, .limitReached, finished, .stopped),
            (.recording, .failure, failed, .stopped),
            (.recording, .release, [.finish], .stopped),
            (.paused, .prepare, [], .paused),
            (.paused, .record, [.resume(interrupted: false)], .recording),
            (.paused, .pause, [], .paused),
            (.paused, .interrupt, [], .paused),
            (.paused, .stop, finished, .stopped),
            (.paused, .limitReached, finished, .stopped),
            (.paused, .failure, failed, .stopped),
            (.paused, .release, [.finish], .stopped),
        ]
    )

    @Test("the table names every combination once")
    func tableIsWhole() { Self.table.expectEveryCombinationOnce() }

    @Test("every combination", arguments: table.rows.indices)
    func combination(index: Int) { Self.table.expectRow(index) }

    @Test("a file that cannot be opened leaves the machine stopped and silent")
    func openFails() {
        var machine = RecorderMachine()
        _ = machine.handle(.record)
        #expect(machine.failed(.open) == [])
        #expect(machine.phase == .stopped)
    }

    @Test("a microphone that does not start leaves no file and no report")
    func startFails() {
        var machine = RecorderMachine()
        _ = machine.handle(.record)
        #expect(machine.failed(.start) == [.discard])
        #expect(machine.phase == .stopped)
    }

    @Test("a microphone that does not resume leaves the recording paused")
    func resumeFails() {
        var machine = Self.table.machine(in: .paused)
        _ = machine.handle(.record)
        #expect(machine.failed(.resume(interrupted: false)) == [])
        #expect(machine.phase == .paused)
    }

    @Test("what was interrupted goes on as such, also at the second try")
    func interrupted() {
        var machine = Self.table.machine(in: .recording)
        _ = machine.handle(.interrupt)
        _ = machine.handle(.pause)
        #expect(machine.handle(.record) == [.resume(interrupted: true)])
        _ = machine.failed(.resume(interrupted: true))
        #expect(machine.handle(.record) == [.resume(interrupted: true)])
        _ = machine.handle(.pause)
        #expect(machine.handle(.record) == [.resume(interrupted: false)])
    }

    @Test("a pause that does not reach the disk ends the recording: nothing stays open")
    func suspendFails() {
        var machine = Self.table.machine(in: .recording)
        _ = machine.handle(.pause)
        #expect(machine.failed(.suspend) == [.finish, .reportError, .reportFinished(successfully: false)])
        #expect(machine.phase == .stopped)
    }

    @Test("a file that cannot be completed is reported, once")
    func finishFails() {
        var machine = Self.table.machine(in: .recording)
        _ = machine.handle(.stop)
        #expect(machine.failed(.finish) == [.reportError, .reportFinished(successfully: false)])
        #expect(machine.phase == .stopped)
    }

    @Test("in any order of 10 000 inputs, each recording is reported at most once", arguments: [1, 2, 3])
    func reportsOnce(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        var machine = RecorderMachine()
        var openRecordings = 0
        for _ in 0..<10_000 {
            let input = Input.allCases[Int(generator.next() % UInt64(Input.allCases.count))]
            let before = machine.phase
            for effect in machine.handle(input) {
                switch effect {
                case .start: openRecordings += 1
                case .reportFinished: openRecordings -= 1
                case .finish where input == .release: openRecordings -= 1
                default: break
                }
            }
            let isOpen = machine.phase == .recording || machine.phase == .paused
            #expect(openRecordings == (isOpen ? 1 : 0), "after \(input) in \(before)")
        }
    }
}
