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
        let told = Recorded<RecordingGap>()
        _ = engine.observers.add { if case .gap(let gap) = $0 { told.append(gap) } }
        try engine.record()
        let start = host.clock.now
        for seconds in [120, 40] {
            #expect(host.clock.advance(by: .seconds(2)))
            host.inject(.sleep(.seconds(seconds)))
            #expect(host.clock.advance(by: .seconds(seconds)))
        }
        #expect(host.clock.advance(by: .seconds(2)))
        engine.pause()
        let elapsed = FrameCount(seconds: (host.clock.now - start).inSeconds, sampleRate: rate)
        #expect(engine.frames == elapsed, "nothing is counted twice, nothing is left out")
        let second = FrameCount(seconds: 1, sampleRate: rate).value
        let expected = [(2, 120), (124, 40)].map { start, length in
            RecordingGap(start: FrameCount(start * second), length: FrameCount(length * second), reason: .asleep)
        }
        #expect(engine.gaps == expected)
        engine.stop()
        #expect(await eventually { told.all == expected })
    }
}
