import AudioCore
import AudioRuntime
import AudioSimulation
import TestSupport
import Testing

/// What a recording keeps when its microphone goes away, sleeps or gives nothing. A burst of 10 ms is the tolerance of
/// lengths.
@Suite("Microphones that go away", .serialized)
struct LostMicrophoneTests {
    static let burst = 160

    /// One gap, at its place, and a file as long as the time.
    private func expectGap(
        _ bench: MicrophoneBench,
        _ engine: RecorderEngine,
        start: Double,
        length: Double,
        total: Double,
        _ reason: RecordingGap.Reason
    ) async throws {
        engine.pause()
        let gaps = engine.gaps
        engine.stop()
        #expect(gaps.count == 1, "\(gaps)")
        let gap = try #require(gaps.first)
        let rate = MicrophoneBench.rate
        #expect(gap.reason == reason)
        #expect(abs(Int(gap.start.value) - Int(start * rate)) <= Self.burst, "begins at \(gap.start)")
        #expect(abs(Int(gap.length.value) - Int(length * rate)) <= Self.burst, "lasts \(gap.length)")
        #expect(await eventually { bench.notices.all.contains(.gap(gap)) })
        let samples = try #require(try bench.samples().first)
        #expect(abs(samples.count - Int(total * rate)) <= Self.burst, "\(samples.count) frames")
        MicrophoneBench.expectTone(samples, 0.1...(start - 0.1))
        MicrophoneBench.expectTone(samples, (start + length + 0.1)...(total - 0.1))
        let middle = samples[Int((start + 0.05) * rate)..<Int((start + length - 0.05) * rate)]
        #expect(middle.allSatisfy { $0 == 0 })
    }

    @Test("unplugged, and plugged in again with another rate and more channels: one take, one gap, right pitch")
    func replugged() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.wait, device: "simulated.microphone")
        try engine.record()
        bench.advance(2)
        audio.setMicrophoneConnected(false)
        #expect(await bench.told("lost"))
        if case .microphoneLost(let gone)? = bench.notices.all.first { #expect(gone?.id == "simulated.microphone") }
        bench.advance(3)
        audio.setMicrophoneFormat(sampleRate: 44_100, channelCount: 2)
        audio.setMicrophoneConnected(true)
        #expect(await bench.told("lost", "changed"))
        bench.advance(2)
        #expect(engine.device?.sampleRate == 44_100)
        try await expectGap(bench, engine, start: 2, length: 3, total: 7, .deviceLost)
        #expect(await eventually { bench.reports.all == ["finished true"] })
    }

    @Test("a chosen one that goes away is replaced by another, never by a monitor")
    func fallsBack() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.fallBack, device: "simulated.microphone")
        try engine.record()
        bench.advance(2)
        audio.setMicrophoneConnected(false)
        #expect(await bench.told("lost"))
        bench.advance(1)
        // Only the monitor of the speaker is there.
        try await Task.sleep(for: .milliseconds(500))
        #expect(bench.texts == ["lost"])
        audio.setMicrophoneConnected(true, .spare)
        #expect(await bench.told("lost", "changed"))
        #expect(engine.device?.id == "simulated.spare")
        bench.advance(1)
        try await expectGap(bench, engine, start: 2, length: 1, total: 4, .deviceLost)
    }

    @Test("one that follows the default goes along, three changes in two seconds, without a gap")
    func follows() async throws {
        let audio = MicrophoneBench.tone()
        audio.setMicrophoneConnected(true, .spare)
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.fallBack)
        try engine.record()
        bench.advance(1)
        for microphone in [SimulatedAudio.Microphone.spare, .main, .spare] {
            audio.setMicrophoneDefault(microphone)
            bench.advance(0.66)
        }
        #expect(await bench.told("changed", "changed", "changed"))
        engine.stop()
        #expect(!bench.notices.all.contains { if case .gap = $0 { true } else { false } })
        let samples = try #require(try bench.samples().first)
        #expect(abs(samples.count - Int(2.98 * MicrophoneBench.rate)) <= Self.burst)
    }

    @Test("the server goes and comes back")
    func server() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.fallBack)
        try engine.record()
        bench.advance(2)
        audio.setServerRunning(false)
        #expect(await bench.told("lost"))
        bench.advance(4)
        audio.setServerRunning(true)
        #expect(await bench.told("lost", "changed"))
        bench.advance(1)
        try await expectGap(bench, engine, start: 2, length: 4, total: 7, .deviceLost)
    }

    @Test("put to sleep by the server, and woken")
    func asleep() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.stop)
        try engine.record()
        bench.advance(2)
        audio.setMicrophoneSuspended(true)
        bench.advance(30)
        #expect(await bench.told("asleep"))
        audio.setMicrophoneSuspended(false)
        bench.advance(2)
        #expect(await bench.told("asleep", "awake"), "sleeping is no stall")
        try await expectGap(bench, engine, start: 2, length: 30, total: 34, .suspended)
    }

    @Test("gives nothing without a word, and goes on: told, and a gap")
    func stalls() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.stop)
        try engine.record()
        bench.advance(2)
        #expect(await eventually { engine.frames > 31_000 })
        // The watch must have seen what came before.
        try await Task.sleep(for: .milliseconds(500))
        audio.setMicrophoneFrozen(true)
        bench.advance(3)
        #expect(await bench.told("stalled"))
        audio.setMicrophoneFrozen(false)
        bench.advance(2)
        #expect(await bench.told("stalled", "flowing"))
        try await expectGap(bench, engine, start: 2, length: 3, total: 7, .overrun)
    }

    @Test("gives nothing for longer: opened anew by the policy, which closes the gap, or the end with a reason")
    func hopeless() async throws {
        for policy in [MicrophoneLossPolicy.wait, .stop] {
            let audio = MicrophoneBench.tone()
            let bench = try MicrophoneBench(audio)
            let engine = bench.engine(policy)
            try engine.record()
            bench.advance(2)
            try await Task.sleep(for: .milliseconds(500))
            audio.setMicrophoneFrozen(true)
            bench.advance(6)
            if policy == .stop {
                #expect(await eventually { engine.phase == .stopped })
                #expect(await eventually { bench.reports.all == ["failed deviceUnavailable", "finished false"] })
                let samples = try #require(try bench.samples().first)
                #expect(samples.count == Int(2 * MicrophoneBench.rate))
                continue
            }
            #expect(await bench.told("stalled", "lost", "changed"))
            audio.setMicrophoneFrozen(false)
            bench.advance(1)
            try await expectGap(bench, engine, start: 2, length: 6, total: 9, .deviceLost)
        }
    }

    @Test("frames that are left out without a word are found, filled and listed; a minute without any has no gap")
    func skips() async throws {
        let audio = MicrophoneBench.tone()
        let bench = try MicrophoneBench(audio)
        let engine = bench.engine(.stop)
        try engine.record()
        bench.advance(60)
        audio.skipMicrophoneFrames(800)
        bench.advance(20)
        engine.pause()
        let gaps = engine.gaps
        engine.stop()
        #expect(gaps.count == 1 && gaps.first?.reason == .overrun, "\(gaps)")
        #expect(gaps.first.map { abs($0.length.value - 800) < 32 } == true, "\(gaps)")
        let samples = try #require(try bench.samples().first)
        #expect(abs(samples.count - Int(80 * MicrophoneBench.rate)) <= Self.burst)
    }

    @Test("a monitor of an idle output gives nothing: silence by the clock, and stop() waits for nothing")
    func idleMonitor() async throws {
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        for index in configuration.devices.indices { configuration.devices[index].isMuteWhenIdle = true }
        let host = SimulatedHost(configuration)
        let bench = try MicrophoneBench(host)
        let engine = bench.engine(.stop, device: "simulated.speaker.monitor")
        try engine.record()
        bench.advance(4)
        let speaker = try host.openPlayback(
            StreamRequest(sampleRate: 48_000, channelCount: 2, title: "tone"),
            source: ToneSource(sampleRate: 48_000, channelCount: 2),
            events: { _ in }
        )
        try speaker.start()
        bench.advance(4)
        speaker.close()
        bench.advance(2)
        let start = ContinuousClock.now
        engine.stop()
        #expect(ContinuousClock.now - start < .milliseconds(500))
        let rate = MicrophoneBench.rate
        let samples = try #require(try bench.samples().first)
        #expect(abs(samples.count - Int(10 * rate)) <= 2 * Self.burst, "\(samples.count)")
        let onset = try #require(Measure.onset(samples))
        #expect(abs(onset - Int(4 * rate)) <= 2 * Self.burst, "\(onset)")
        MicrophoneBench.expectTone(samples, 4.1...7.9)
    }
}
