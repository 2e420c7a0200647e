import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// A recording that ends by itself at a moment: by the clock, whatever it is doing then.
@Suite("Deadlines")
struct DeadlineTests {
    let bench = SystemBench()
    var engine: RecorderEngine { bench.engine }

    /// Lets time pass until it has ended, for as long as the encoder may need to notice.
    func awaitEnd() -> Bool { eventually(within: 20) { engine.phase == .stopped } }

    func expectTold() {
        #expect(eventually { bench.reports.all == ["finished true"] })
        #expect(bench.notices.all.count { $0 == .deadlineReached } == 1)
    }

    @Test("while it records, the file ends there to the frame")
    func recording() throws {
        engine.options.deadline = .after(.seconds(90))
        try engine.record()
        bench.pass(.seconds(89))
        #expect(engine.phase == .recording)
        bench.pass(.seconds(30))
        #expect(awaitEnd())
        #expect(try bench.length() == bench.frames(90))
        expectTold()
        #expect(!bench.desktop.isKeptAwake)
    }

    @Test("a pause counts, and a recording that is paused ends, too")
    func paused() throws {
        engine.options.deadline = .after(.seconds(60))
        try engine.record()
        bench.pass(.seconds(10))
        engine.pause()
        bench.pass(.seconds(20))
        try engine.record()
        bench.pass(.seconds(10))
        engine.pause()
        bench.pass(.seconds(19))
        #expect(engine.phase == .paused)
        bench.pass(.seconds(2))
        #expect(awaitEnd())
        #expect(try bench.length() == bench.frames(20))
        expectTold()
    }

    @Test("after a pause the file ends at the moment, not at the length")
    func goesOn() throws {
        engine.options.deadline = .after(.seconds(60))
        try engine.record()
        bench.pass(.seconds(10))
        engine.pause()
        bench.pass(.seconds(20))
        try engine.record()
        bench.pass(.seconds(60))
        #expect(awaitEnd())
        #expect(try bench.length() == bench.frames(40))
        expectTold()
    }

    @Test("a machine that slept through it ends at once when it is awake")
    func sleptThrough() throws {
        engine.options.deadline = .after(.seconds(100))
        try engine.record()
        bench.pass(.seconds(10))
        bench.host.inject(.sleep(.seconds(3600)))
        bench.pass(.seconds(3602))
        #expect(awaitEnd())
        let length = try bench.length()
        #expect(bench.frames(10) <= length && length <= bench.frames(100), "\(length)")
        expectTold()
    }

    @Test("a microphone that is gone keeps it from nothing")
    func microphoneGone() throws {
        engine.options.microphoneLossPolicy = .wait
        engine.options.deadline = .after(.seconds(30))
        try engine.record()
        bench.pass(.seconds(10))
        bench.host.inject(.serverLoss)
        bench.pass(.seconds(40))
        #expect(awaitEnd())
        expectTold()
    }

    @Test("it may be set, moved and taken away while it records")
    func moved() throws {
        try engine.record()
        bench.pass(.seconds(10))
        engine.options.deadline = .after(.seconds(20))
        engine.options.deadline = .after(.seconds(40))
        bench.pass(.seconds(15))
        #expect(engine.phase == .recording)
        engine.options.deadline = nil
        // In its turn behind the change.
        engine.pause()
        try engine.record()
        bench.pass(.seconds(100))
        #expect(engine.phase == .recording)
        engine.options.deadline = .at(Date().timeIntervalSince1970 - 5)
        bench.pass(.seconds(2))
        #expect(awaitEnd())
        #expect(try bench.length() >= bench.frames(125))
        expectTold()
    }

    @Test("the shorter of a deadline and a length counts, and is told for what it is")
    func withLength() throws {
        engine.options.deadline = .after(.seconds(60))
        try engine.record(limit: bench.frames(20))
        bench.pass(.seconds(30))
        #expect(awaitEnd())
        #expect(try bench.length() == bench.frames(20))
        #expect(eventually { bench.reports.all == ["finished true"] })
        #expect(!bench.notices.all.contains(.deadlineReached))
    }

    @Test("a moment that has passed is refused before an older file is touched")
    func passed() throws {
        try engine.record()
        bench.pass(.seconds(1))
        engine.stop()
        engine.options.deadline = .at(Date().timeIntervalSince1970 - 1)
        #expect(throws: AudioFailure.self) { try engine.record() }
        #expect(try bench.length() == bench.frames(1))
    }

    @Test(
        "no value of it does harm",
        arguments: [
            .at(.nan), .at(.infinity), .at(-.infinity), .at(1e300), .after(.seconds(Int64.max)), .after(.seconds(-1)),
            .after(.zero),
        ] as [TakeOptions.Deadline]
    )
    func oddValues(deadline: TakeOptions.Deadline) throws {
        engine.options.deadline = deadline
        try? engine.record()
        bench.pass(.seconds(2))
        engine.stop()
        #expect(engine.phase == .stopped)
    }
}
