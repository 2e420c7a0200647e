import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Servers and microphones that are gone or answer nothing while somebody wants to stop or start.
@Suite("Servers that hang and microphones that go at the last moment", .serialized)
struct DeadServerTests {
    /// Seconds that `body` takes.
    private func time(_ body: () throws -> Void) rethrows -> Double {
        let start = DispatchTime.now().uptimeNanoseconds
        try body()
        return Double(DispatchTime.now().uptimeNanoseconds - start) / 1e9
    }

    @Test("stop() ends within two seconds when the server hangs: at once, and when it has hung for long")
    func frozen() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        for (seconds, policy) in [(0.0, MicrophoneLossPolicy.wait), (7.5, .fallBack)] {
            let engine = rig.engine(policy, device: "mic")
            try engine.record()
            Thread.sleep(forTimeInterval: 1)
            rig.server.freeze(true)
            defer { rig.server.freeze(false) }
            Thread.sleep(forTimeInterval: seconds)
            if seconds > 0 { #expect(rig.losses == 1, "given up by now") }
            let taken = time { engine.stop() }
            #expect(taken < 2, "stop() took \(taken) s after \(seconds) s")
            let samples = try rig.samples()
            #expect(samples.count > Int(0.8 * ToneRig.rate))
            rig.expectTone(samples, gaps: engine.gaps)
        }
    }

    @Test("a server that hangs for some seconds is no end: the take goes on")
    func thawed() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        let engine = rig.engine(.fallBack, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 1)
        rig.server.freeze(true)
        #expect(rig.eventually { rig.notices.all.contains(.microphoneStalled(true)) })
        #expect((rig.runtime.clock.now - start).inSeconds < 5, "told soon")
        rig.server.freeze(false)
        #expect(rig.eventually { rig.notices.all.contains(.microphoneStalled(false)) })
        Thread.sleep(forTimeInterval: 1.5)
        engine.pause()
        let elapsed = (rig.runtime.clock.now - start).inSeconds
        engine.stop()
        let length = Double(try rig.samples().count) / ToneRig.rate
        #expect(abs(length - elapsed) < DeviceChangeTests.tolerance, "\(length) s of \(elapsed) s")
    }

    @Test("fifty microphones that go at the moment of stop(): every file is whole, nothing is stuck")
    func unloadedAtStop() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        var random = SeededGenerator(seed: 50)
        for round in 0..<50 {
            let module = try rig.plug("a", as: "mic")
            let engine = rig.engine([.stop, .wait, .fallBack][round % 3], device: "mic", file: "\(round).wav")
            try engine.record()
            #expect(rig.eventually { engine.frames > 1_000 })
            let lead = Double(random.next() % 30) / 1000
            let done = DispatchSemaphore(value: 0)
            Thread {
                _ = try? rig.server.control("unload-module", module)
                done.signal()
            }.start()
            // The tool that unloads takes some ten milliseconds to start.
            Thread.sleep(forTimeInterval: lead)
            let taken = time { engine.stop() }
            #expect(taken < 2, "round \(round): \(taken) s")
            done.wait()
            #expect(rig.eventually { engine.phase == .stopped })
            #expect(try rig.samples("\(round).wav").count > 1_000, "round \(round)")
        }
        #expect(
            try rig.eventually { try !rig.server.control("list", "short", "source-outputs").contains("float32le 1ch") }
        )
    }

    @Test("on a server that is dead or hangs, a session and a recorder fail within two seconds, with the reason")
    func starting() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        defer { server.kill() }
        for hangs in [true, false] {
            if hangs { server.freeze(true) } else { server.kill() }
            let bench = try RuntimeBench(server)
            let recorder = try bench.recorder("a.wav", [:])
            let taken = time {
                try? bench.session.setActive(true)
                #expect(!recorder.record())
            }
            #expect(taken < 4, "two calls: \(taken) s")
            let single = time { #expect(!recorder.record()) }
            #expect(single < 2, "\(single) s")
            if hangs { server.freeze(false) }
        }
    }

    @Test("five thousand files opened during a take leave no gap")
    func manyFiles() throws {
        let rig = try ToneRig(PrivatePulseServer())
        try rig.addTone("a")
        try rig.plug("a", as: "mic")
        let short = rig.engine(.stop, device: "mic", file: "short.wav")
        try short.record(limit: 4_410)
        #expect(rig.eventually { short.phase == .stopped })
        let engine = rig.engine(.stop, device: "mic")
        try engine.record()
        for _ in 0..<5_000 {
            let file = try rig.runtime.files.open(rig.scratch.path("short.wav"), .reading)
            let reader = try FrameReader(file, media: rig.runtime.media)
            try #require(reader.length == 4_410)
            file.close()
        }
        Thread.sleep(forTimeInterval: 1)
        engine.pause()
        #expect(engine.gaps.isEmpty)
        engine.stop()
        rig.expectTone(try rig.samples(), gaps: [])
    }
}
