import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// Sleep in virtual time: the clock jumps, and nothing was captured.
@Suite("Sleep in virtual time")
struct VirtualSleepTests {
    @Test("the file follows the clock through two sleeps, to the frame", arguments: [8_000.0, 44_100])
    func followsTheClock(rate: Double) async throws {
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        let host = SimulatedHost(configuration)
        let files = MemoryFileStore()
        let runtime = Runtime(
            devices: host,
            media: .system,
            files: files,
            clock: host.clock,
            callbacks: SerialQueueExecutor(label: "test")
        )
        let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let engine = RecorderEngine(
            TakeConfiguration(
                path: "/a.wav",
                container: .wav,
                encoding: EncodingRequest(codec: .linearPCM(pcm), sampleRate: rate, channelCount: 1)
            ),
            runtime: runtime,
            report: { _ in }
        )
        let notices = Recorded<TakeNotice>()
        _ = engine.observers.add { if let notice = $0 { notices.append(notice) } }
        try engine.record()
        let start = host.clock.now
        for minutes in [10, 3] {
            #expect(host.clock.advance(by: .seconds(2)))
            host.inject(.sleep(.seconds(60 * minutes)))
            #expect(host.clock.advance(by: .seconds(60 * minutes)))
        }
        #expect(host.clock.advance(by: .seconds(2)))
        engine.pause()
        let elapsed = FrameCount(seconds: (host.clock.now - start).inSeconds, sampleRate: rate)
        #expect(engine.frames == elapsed, "nothing is counted twice, nothing is left out")
        let second = FrameCount(seconds: 1, sampleRate: rate).value
        let expected = [(2, 600), (604, 180)].map { start, length in
            RecordingGap(start: FrameCount(start * second), length: FrameCount(length * second), reason: .asleep)
        }
        #expect(engine.gaps == expected)
        engine.stop()
        #expect(await eventually { notices.all == expected.map { .gap($0) } })
    }
}
