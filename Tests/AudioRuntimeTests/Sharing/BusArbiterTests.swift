import AudioCore
import DesktopLinux
import Foundation
import TestSupport
import Testing

/// Several programs on a real bus.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("dbus-daemon"), "dbus-daemon is not installed"))
struct BusArbiterTests {
    private let bench: ArbiterBench

    init() throws { bench = try ArbiterBench() }

    @Test(arguments: [true, false]) func twoProgramsTakeTurns(notifies: Bool) throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try b.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.hears([.began(.otherProgram)]))
        b.arbiter.deactivate(notifyingOthers: notifies)
        #expect(a.hears([.began(.otherProgram), .ended(.otherProgram, shouldResume: notifies)]))
        #expect(b.interruptions.isEmpty)
    }

    @Test func theyComeBackInTheOrderInWhichTheyWereInterrupted() throws {
        let programs = ["a", "b", "c"].map { bench.program($0) }
        for program in programs { try program.arbiter.activate(ArbiterBench.exclusive) }
        #expect(programs[1].hears([.began(.otherProgram)]))
        programs[2].arbiter.deactivate(notifyingOthers: true)
        #expect(programs[1].hears(.ended(.otherProgram, shouldResume: true)))
        #expect(programs[0].interruptions == [.began(.otherProgram)])
        programs[1].arbiter.deactivate(notifyingOthers: true)
        #expect(programs[0].hears(.ended(.otherProgram, shouldResume: true)))
    }

    @Test func oneThatWaitsAndLeavesIsForgotten() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try b.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.hears([.began(.otherProgram)]))
        a.arbiter.deactivate(notifyingOthers: false)
        b.arbiter.deactivate(notifyingOthers: true)
        try a.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.interruptions == [.began(.otherProgram)])
        #expect(b.arbiter.survey().sessions.map(\.program) == ["a"])
    }

    @Test func theOneThatIsInterruptedMayTakeTheSoundBack() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        for _ in 0..<10 {
            try a.arbiter.activate(ArbiterBench.exclusive)
            try b.arbiter.activate(ArbiterBench.exclusive)
        }
        #expect(a.hears(.began(.otherProgram)))
        #expect(eventually { a.arbiter.survey().sessions.map(\.program) == ["b", "a"] })
        // Each time that it was taken back, the end is not told.
        #expect(!b.interruptions.contains { if case .ended = $0 { true } else { false } })
    }

    @Test func nobodyTakesTheSoundFromACall() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try b.arbiter.activate(ArbiterBench.call)
        #expect(a.hears([.began(.call)]))
        for program in [a, bench.program("c")] {
            #expect {
                try program.arbiter.activate(ArbiterBench.exclusive)
            } throws: {
                ($0 as? AudioFailure)?.code == .busy
            }
        }
        try bench.program("mixing").arbiter.activate(ArbiterBench.mixing)
        b.arbiter.deactivate(notifyingOthers: true)
        #expect(a.hears([.began(.call), .ended(.call, shouldResume: true)]))
        #expect(eventually { a.arbiter.survey().sessions.first?.program == "a" })
    }

    @Test func mixingDisturbsNobody() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try b.arbiter.activate(ArbiterBench.mixing)
        try a.arbiter.activate(ArbiterBench.exclusive)
        #expect(b.hears(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true))))
        #expect(b.arbiter.others == OtherAudio(isPlaying: true, isPrimary: true))
        #expect(a.interruptions.isEmpty && b.interruptions.isEmpty)
        a.arbiter.deactivate(notifyingOthers: false)
        #expect(eventually { b.arbiter.others == OtherAudio() })
    }

    @Test func aPromptLowersMusicAndInterruptsSpeech() throws {
        let (music, book, prompt) = (bench.program("music"), bench.program("book"), bench.program("prompt"))
        try music.arbiter.activate(ArbiterBench.mixing)
        try book.arbiter.activate(ArbiterBench.speech)
        try prompt.arbiter.activate(ArbiterBench.prompt)
        #expect(book.hears([.began(.otherProgram)]))
        #expect(music.hears(.ducked(true)))
        prompt.arbiter.deactivate(notifyingOthers: true)
        #expect(book.hears([.began(.otherProgram), .ended(.otherProgram, shouldResume: true)]))
        #expect(music.hears(.ducked(false)))
        #expect(music.interruptions.isEmpty)
    }

    @Test func aConversationAtTheSoundServerInterrupts() throws {
        let host = StreamsHost()
        let a = bench.program("a", host: host)
        let phone = OtherStream(direction: .input, mediaRole: "phone", isCorked: false)
        try a.arbiter.activate(ArbiterBench.exclusive)
        host.tell([phone])
        #expect(a.hears([.began(.call)]))
        #expect(throws: AudioFailure.self) { try a.arbiter.activate(ArbiterBench.exclusive) }
        host.tell([])
        #expect(a.hears([.began(.call), .ended(.call, shouldResume: true)]))
        let late = bench.program("late", host: StreamsHost([phone]))
        #expect(throws: AudioFailure.self) { try late.arbiter.activate(ArbiterBench.exclusive) }
        try late.arbiter.activate(ArbiterBench.mixing)
    }

    @Test func aProgramThatEndsGivesTheSoundBack() throws {
        let a = bench.program("a")
        try a.arbiter.activate(ArbiterBench.exclusive)
        do {
            let b = bench.program("b")
            try b.arbiter.activate(ArbiterBench.exclusive)
            #expect(a.hears([.began(.otherProgram)]))
        }
        #expect(a.hears([.began(.otherProgram), .ended(.otherProgram, shouldResume: false)]))
    }

    @Test func withoutABusOneIsAlone() throws {
        bench.bus.kill()
        let a = bench.program("a")
        #expect(a.notes.isEmpty)
        try a.arbiter.activate(ArbiterBench.exclusive)
        a.arbiter.deactivate(notifyingOthers: true)
        try a.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.notes.count == 1)
        #expect(a.notes.first?.contains("there is no message bus") == true)
        #expect(a.arbiter.survey().obstacle != nil)
        #expect(a.interruptions.isEmpty)
    }

    @Test func aBusThatDiesLeavesNobodyInterruptedAndIsUsedAgain() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try b.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.hears([.began(.otherProgram)]))
        bench.bus.kill()
        #expect(a.hears([.began(.otherProgram), .ended(.otherProgram, shouldResume: false)]))
        try bench.bus.start()
        #expect(eventually(within: 20) { b.arbiter.survey().sessions.map(\.program) == ["b", "a"] })
        #expect(b.interruptions.filter { $0 == .began(.otherProgram) }.count <= 1)
        b.arbiter.deactivate(notifyingOthers: true)
        #expect(eventually(within: 10) { a.arbiter.survey().sessions.map(\.program) == ["a"] })
        #expect(eventually { a.interruptions.count.isMultiple(of: 2) })
    }

    @Test func aBusThatHangsKeepsNobody() throws {
        let a = bench.program("a")
        try a.arbiter.activate(ArbiterBench.exclusive)
        bench.bus.freeze(true)
        defer { bench.bus.freeze(false) }
        for program in [a, bench.program("b")] {
            let start = ContinuousClock.now
            try program.arbiter.activate(ArbiterBench.mixing)
            program.arbiter.deactivate(notifyingOthers: true)
            #expect(ContinuousClock.now - start < .seconds(6))
            #expect(!program.notes.isEmpty)
        }
    }

    @Test func strangersWhoTalkNonsenseAreNotHeard() throws {
        let (a, b) = (bench.program("a"), bench.program("b"))
        try a.arbiter.activate(ArbiterBench.exclusive)
        try b.arbiter.activate(ArbiterBench.exclusive)
        #expect(a.hears([.began(.otherProgram)]))
        let messages: [[String]] = [
            ["org.kayit.AudioSession1.Leaving", "boolean:true", "array:string:x"],
            ["org.kayit.AudioSession1.Leaving", "string:true"],
            ["org.kayit.AudioSession1.Leaving"],
            ["org.freedesktop.DBus.Properties.PropertiesChanged", "string:org.kayit.AudioSession1"],
            [
                "org.freedesktop.DBus.Properties.PropertiesChanged", "string:org.kayit.AudioSession1",
                "dict:string:int32:Program,7,Active,1", "array:string:",
            ],
            ["org.freedesktop.DBus.NameOwnerChanged", "string:org.kayit.AudioSession", "string:", "string:"],
        ]
        for message in messages {
            let sent = try ExternalTool.run(
                "dbus-send",
                ["--bus=\(bench.bus.address)", "--type=signal", "/org/kayit/AudioSession"] + message
            )
            #expect(sent.status == 0, "\(sent.messages)")
        }
        #expect(b.arbiter.survey().sessions.map(\.program) == ["b", "a"])
        b.arbiter.deactivate(notifyingOthers: false)
        #expect(a.hears([.began(.otherProgram), .ended(.otherProgram, shouldResume: false)]))
    }

    @Test func everybodyIsSeen() throws {
        let programs = ["a", "b"].map { bench.program($0) }
        for program in programs { try program.arbiter.activate(ArbiterBench.exclusive) }
        let mixing = bench.program("mixing")
        try mixing.arbiter.activate(ArbiterBench.mixing)
        let survey = bench.program("looks").arbiter.survey()
        #expect(survey.sessions.map(\.program) == ["b", "a", "mixing"])
        #expect(survey.sessions.map(\.standing) == [.holds, .waits, .beside])
        #expect(survey.sessions.map(\.claim.manner) == [.exclusive, .exclusive, .mixing])
        #expect(survey.sessions.allSatisfy { $0.processID == UInt32(ProcessInfo.processInfo.processIdentifier) })
    }
}
