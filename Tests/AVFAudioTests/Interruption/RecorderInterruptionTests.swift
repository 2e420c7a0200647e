import AVFAudio
import AudioCore
import AudioRuntime
import Dispatch
import Foundation
import TestSupport
import Testing

/// A take that others interrupt: nothing that was heard is lost, and nothing that was not asked for is recorded.
@Suite struct RecorderInterruptionTests {
    private static let rate = 8_000.0
    private static var settings: [String: Any] {
        [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: rate, AVNumberOfChannelsKey: 1,
        ]
    }

    /// Heard while the recorder stands still, too: then nobody may take it.
    private static func hear(_ seconds: Double, _ bench: RecordingBench) {
        bench.host.capture?.hear(RecordingBench.sine(Int(seconds * rate), rate: rate))
    }

    /// Began at 3 s, ended with resume at 5 s, began at 8 s, stopped at 9 s: ten times over, every callback exactly once.
    @Test(arguments: ["wav", "caf", "m4a", "flac"])
    func twoInterruptionsTenTimes(container: String) throws {
        let bench = try RecordingBench()
        let session = bench.audioSession
        let log = SessionLog(session)
        try session.setCategory(.playAndRecord)
        try session.setActive(true)
        var settings = Self.settings
        if container == "m4a" { settings[AVFormatIDKey] = kAudioFormatAppleLossless }
        if container == "flac" { settings[AVFormatIDKey] = kAudioFormatFLAC }
        for round in 0..<(container == "wav" ? 10 : 1) {
            let name = "take\(round).\(container)"
            let listener = RecorderListener()
            let recorder = try bench.recorder(name, settings)
            recorder.delegate = listener
            #expect(recorder.record())
            Self.hear(3, bench)
            bench.arbiter.tell(.began(.call))
            #expect(!recorder.isRecording)
            #expect(recorder.currentTime == 3)
            Self.hear(1, bench)
            #expect(!recorder.record(), "a call has the sound")
            #expect(recorder.currentTime == 3)
            bench.arbiter.tell(.ended(.call, shouldResume: true))
            #expect(!recorder.isRecording, "it is the program that goes on")
            Self.hear(1, bench)
            #expect(recorder.record())
            Self.hear(3, bench)
            #expect(recorder.engine?.gaps == [Self.gap])
            bench.arbiter.tell(.began(.otherProgram))
            Self.hear(1, bench)
            #expect(recorder.currentTime == 6)
            recorder.stop()
            bench.settle()
            #expect(try bench.frames(name) == 6 * Int64(Self.rate))
            #expect(try bench.gaps(name) == [Self.gap])
            #expect(
                listener.heard.all == [
                    "interruption began", "error \(SessionRefusal.insufficientPriority.message)",
                    "interruption ended 1", "interruption began", "finished true",
                ]
            )
            bench.arbiter.tell(.ended(.otherProgram, shouldResume: false))
        }
        bench.settle()
        let told = log.heard.all.filter { !$0.hasPrefix("route") }
        let round = ["began, reason 0", "ended, options 1", "began, reason 0", "ended, options 0"]
        #expect(told == Array(repeating: round, count: container == "wav" ? 10 : 1).flatMap { $0 })
    }

    private static let gap = RecordingGap(start: FrameCount(24_000), length: 0, reason: .interrupted)

    /// Never resumed, and the program lets go: the file is complete up to the moment at which it was interrupted.
    @Test func aTakeThatIsNeverResumedIsComplete() throws {
        let bench = try RecordingBench()
        try bench.audioSession.setCategory(.record)
        do {
            let recorder = try bench.recorder("take.wav", Self.settings)
            #expect(recorder.record())
            Self.hear(2, bench)
            bench.arbiter.tell(.began(.assistant))
            bench.arbiter.tell(.ended(.assistant, shouldResume: false))
            Self.hear(1, bench)
        }
        #expect(try bench.frames("take.wav") == 16_000)
        #expect(try bench.gaps("take.wav") == [])
    }

    /// Parts keep the mark, and the joined file has it at the same place.
    @Test func interruptedPartsAreMarkedAtTheirPlace() async throws {
        let bench = try RecordingBench()
        try bench.audioSession.setCategory(.record)
        let recorder = try bench.recorder("take.wav", Self.settings)
        recorder.engine?.options.partLength = .seconds(2)
        #expect(recorder.record())
        Self.hear(3, bench)
        bench.arbiter.tell(.began(.call))
        bench.arbiter.tell(.ended(.call, shouldResume: true))
        #expect(recorder.record())
        Self.hear(3, bench)
        recorder.stop()
        let job = try #require(recorder.engine?.joinJob)
        _ = try job.wait().get()
        #expect(try bench.frames("take.wav") == 48_000)
        #expect(try bench.gaps("take.wav") == [Self.gap])
    }

    /// A program may want the time of the interruption as silence.
    @Test func interruptionsAsSilence() throws {
        let clock = FakeClock()
        let bench = try RecordingBench(clock: clock)
        try bench.audioSession.setCategory(.record)
        let recorder = try bench.recorder("take.wav", Self.settings)
        recorder.engine?.options.fillsInterruptions = true
        #expect(recorder.record())
        clock.step(.seconds(1))
        Self.hear(1, bench)
        bench.arbiter.tell(.began(.call))
        clock.step(.seconds(2))
        bench.arbiter.tell(.ended(.call, shouldResume: true))
        #expect(recorder.record())
        clock.step(.seconds(1))
        Self.hear(1, bench)
        recorder.stop()
        #expect(try bench.frames("take.wav") == 32_000)
        #expect(
            try bench.gaps("take.wav") == [
                RecordingGap(start: FrameCount(8_000), length: FrameCount(16_000), reason: .interrupted)
            ]
        )
    }

    /// Taken away in the middle of the start: nothing records behind the back of whoever has the sound.
    @Test func interruptedWhileItBegins() throws {
        let bench = try RecordingBench()
        try bench.audioSession.setCategory(.record)
        let recorder = try bench.recorder("take.wav", Self.settings)
        let listener = RecorderListener()
        recorder.delegate = listener
        bench.host.onOpen { [arbiter = bench.arbiter, session = bench.session] in
            DispatchQueue.global().async { arbiter.tell(.began(.call)) }
            while session.hasRunningClients { usleep(1_000) }
        }
        #expect(!recorder.record())
        #expect(!recorder.isRecording)
        bench.host.onOpen(nil)
        bench.arbiter.tell(.ended(.call, shouldResume: true))
        #expect(recorder.record())
        Self.hear(1, bench)
        recorder.stop()
        #expect(try bench.frames("take.wav") == 8_000)
    }

    /// A second of pause by the program in the same take is no interruption.
    @Test func pausesAreNotMarked() throws {
        let bench = try RecordingBench()
        try bench.audioSession.setCategory(.record)
        let recorder = try bench.recorder("take.wav", Self.settings)
        #expect(recorder.record())
        Self.hear(1, bench)
        recorder.pause()
        bench.arbiter.tell(.began(.call))
        bench.arbiter.tell(.ended(.call, shouldResume: true))
        #expect(recorder.record())
        Self.hear(1, bench)
        recorder.stop()
        #expect(try bench.gaps("take.wav") == [])
        #expect(try bench.frames("take.wav") == 16_000)
    }
}
