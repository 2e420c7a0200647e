import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Which server a test runs on.
enum ServerKind: String, CaseIterable, Sendable {
    case pulseAudio, pipeWire

    func make() throws -> any SoundServer {
        switch self {
        case .pulseAudio: try PrivatePulseServer()
        case .pipeWire: try PrivatePipeWireServer()
        }
    }
}

/// Microphones of real servers that come and go in the middle of a take. File time follows wall time within 0.3 s: less could
/// not be told from the delays of a busy machine, on which the test itself reads the clock.
@Suite("Microphones that change on a real server", .serialized)
struct DeviceChangeTests {
    static let tolerance = 0.3

    /// Ends the take and checks what must hold of each: one file, its length, its gaps, its tone.
    private func finish(
        _ rig: ToneRig,
        _ engine: RecorderEngine,
        since start: HostTime,
        gaps count: Int,
        _ reason: RecordingGap.Reason = .deviceLost
    ) throws -> [RecordingGap] {
        engine.pause()
        let elapsed = (rig.runtime.clock.now - start).inSeconds
        let gaps = engine.gaps
        engine.stop()
        let samples = try rig.samples()
        let length = Double(samples.count) / ToneRig.rate
        #expect(abs(length - elapsed) < Self.tolerance, "\(length) s of \(elapsed) s")
        #expect(gaps.count == count && gaps.allSatisfy { $0.reason == reason }, "\(gaps)")
        rig.expectTone(samples, gaps: gaps)
        return gaps
    }

    @Test(
        "unplugged and plugged in again, each time with another rate: one take at the right pitch",
        arguments: ServerKind.allCases
    )
    func otherRates(_ kind: ServerKind) throws {
        let rig = try ToneRig(kind.make())
        try rig.addTone("a", rate: 48_000, channels: 2)
        try rig.addTone("b", rate: 16_000, channels: 1)
        try rig.addTone("c", rate: 44_100, channels: 2)
        var module = try rig.plug("a", as: "mic")
        let engine = rig.engine(.wait, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 1)
        var absences: [(least: Double, most: Double)] = []
        for (index, (sink, rate, channels)) in [("b", 16_000, 1), ("c", 44_100, 2)].enumerated() {
            let before = rig.runtime.clock.now
            try rig.server.unload(module)
            let gone = rig.runtime.clock.now
            #expect(rig.eventually { rig.losses == index + 1 })
            #expect((rig.runtime.clock.now - gone).inSeconds < 1, "told within a second")
            Thread.sleep(forTimeInterval: 0.4)
            let again = rig.runtime.clock.now
            module = try rig.plug(sink, as: "mic", rate: rate, channels: channels)
            #expect(rig.eventually { rig.changes == index + 1 })
            absences.append(((again - gone).inSeconds, (rig.runtime.clock.now - before).inSeconds))
            if kind == .pulseAudio { #expect(engine.device?.sampleRate == Double(rate)) }
            Thread.sleep(forTimeInterval: 1)
        }
        let gaps = try finish(rig, engine, since: start, gaps: 2)
        for (gap, absence) in zip(gaps, absences) {
            let length = gap.length.seconds(at: ToneRig.rate)
            #expect(length > absence.least - 0.1 && length < absence.most + Self.tolerance, "\(length) s, \(absence)")
        }
        #expect(rig.host.opened == 3, "one opening for each change")
    }

    @Test("the server is killed and started again", arguments: ServerKind.allCases)
    func serverRestart(_ kind: ServerKind) throws {
        let rig = try ToneRig(kind.make())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        let engine = rig.engine(.fallBack, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 1)
        rig.server.kill()
        let gone = rig.runtime.clock.now
        #expect(rig.eventually { rig.losses == 1 })
        #expect((rig.runtime.clock.now - gone).inSeconds < 1, "told within a second")
        try rig.server.start()
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        #expect(rig.eventually { rig.changes == 1 })
        Thread.sleep(forTimeInterval: 1)
        #expect(engine.device?.id == "mic")
        _ = try finish(rig, engine, since: start, gaps: 1)
        #expect(rig.host.opened == 2)
    }

    @Test("the server puts the microphone to sleep for a second and wakes it")
    func suspended() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        let engine = rig.engine(.fallBack, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 1)
        try rig.server.control("suspend-source", "mic", "1")
        #expect(rig.eventually { rig.notices.all.contains(.microphoneAsleep(true)) })
        Thread.sleep(forTimeInterval: 1)
        try rig.server.control("suspend-source", "mic", "0")
        #expect(rig.eventually { rig.notices.all.contains(.microphoneAsleep(false)) })
        Thread.sleep(forTimeInterval: 1)
        let gaps = try finish(rig, engine, since: start, gaps: 1, .suspended)
        #expect(gaps.first.map { $0.length.seconds(at: ToneRig.rate) > 0.9 } == true)
        #expect(rig.host.opened == 1)
    }

    @Test(
        "the default changes three times in two seconds: the stream goes along, nothing is opened anew",
        arguments: ServerKind.allCases
    )
    func defaults(_ kind: ServerKind) throws {
        let rig = try ToneRig(kind.make())
        try rig.addTone("a")
        for name in ["one", "two", "three"] { try rig.plug("a", as: name) }
        try rig.server.control("set-default-source", "one")
        #expect(try rig.eventually { try rig.host.devices().contains { $0.id == "one" && $0.isDefault } })
        let engine = rig.engine(.fallBack)
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 0.8)
        for name in ["two", "three", "one"] {
            try rig.server.control("set-default-source", name)
            Thread.sleep(forTimeInterval: 0.6)
        }
        #expect(rig.eventually { engine.device?.id == "one" })
        Thread.sleep(forTimeInterval: 0.5)
        engine.pause()
        let elapsed = (rig.runtime.clock.now - start).inSeconds
        engine.stop()
        let samples = try rig.samples()
        #expect(
            abs(Double(samples.count) / ToneRig.rate - elapsed) < Self.tolerance,
            "\(samples.count) in \(elapsed) s"
        )
        rig.expectToneAtTheEnd(samples)
        #expect(rig.host.opened == 1 && rig.losses == 0)
    }

    @Test("moved to the monitor of an output by the server, the microphone counts as lost and is found again")
    func movedToMonitor() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.addTone("b")
        try rig.plug("a", as: "mic")
        try rig.server.control("set-default-source", "mic")
        let engine = rig.engine(.fallBack)
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 1)
        let streams = try rig.server.control("list", "short", "source-outputs").split(separator: "\n")
        // The last one is ours: the others belong to the remapped microphone.
        let number = try #require(streams.last?.split(separator: "\t").first)
        try rig.server.control("move-source-output", String(number), "b.monitor")
        #expect(rig.eventually { rig.losses == 1 && rig.changes == 1 })
        #expect(engine.device?.id == "mic")
        Thread.sleep(forTimeInterval: 1)
        _ = try finish(rig, engine, since: start, gaps: 1)
        #expect(rig.host.opened == 2)
    }

    @Test(
        "unplugged while another microphone is there: told with both names within three seconds, at the same pitch",
        arguments: ServerKind.allCases
    )
    func another(_ kind: ServerKind) throws {
        let rig = try ToneRig(kind.make())
        try rig.addTone("a")
        try rig.addTone("b", rate: 16_000, channels: 1)
        let module = try rig.plug("a", as: "mic")
        try rig.plug("b", as: "other", rate: 16_000, channels: 1)
        try rig.server.control("set-default-source", "mic")
        #expect(try rig.eventually { try rig.host.devices().contains { $0.id == "mic" && $0.isDefault } })
        let engine = rig.engine(.fallBack)
        try engine.record()
        Thread.sleep(forTimeInterval: 1)
        try rig.server.unload(module)
        let gone = rig.runtime.clock.now
        #expect(rig.eventually { rig.changes > 0 && engine.device?.id == "other" })
        #expect((rig.runtime.clock.now - gone).inSeconds < 3)
        let names = rig.notices.all.compactMap { notice -> [String?]? in
            if case .microphoneChanged(let before, let after) = notice { [before?.id, after.id] } else { nil }
        }
        #expect(names.first?.first == "mic" && names.last?.last == "other", "\(names)")
        Thread.sleep(forTimeInterval: 1)
        engine.stop()
        rig.expectToneAtTheEnd(try rig.samples())
    }

    @Test("a microphone that appears changes nothing for the one in use", arguments: ServerKind.allCases)
    func appearing(_ kind: ServerKind) throws {
        let rig = try ToneRig(kind.make())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        let engine = rig.engine(.fallBack, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 0.8)
        try rig.plug("a", as: "second")
        try rig.server.control("set-default-source", "second")
        Thread.sleep(forTimeInterval: 0.8)
        _ = try finish(rig, engine, since: start, gaps: 0)
        #expect(rig.host.opened == 1 && rig.losses == 0 && rig.changes == 0)
    }

    @Test("a microphone that is exchanged for one of another rate in the first moment")
    func exchangedAtOnce() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.addTone("b", rate: 16_000, channels: 1)
        let module = try rig.plug("a", as: "mic")
        let engine = rig.engine(.wait, device: "mic")
        try engine.record()
        try rig.server.unload(module)
        #expect(rig.eventually { rig.losses == 1 })
        try rig.plug("b", as: "mic", rate: 16_000, channels: 1)
        #expect(rig.eventually { rig.changes == 1 })
        Thread.sleep(forTimeInterval: 1)
        engine.stop()
        rig.expectToneAtTheEnd(try rig.samples())
    }
}
