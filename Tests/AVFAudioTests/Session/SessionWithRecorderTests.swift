import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// The session's activity with a real recorder, as the pattern for background recording uses it.
@Suite struct SessionWithRecorderTests {
    private let settings: [String: Any] = [
        AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
    ]

    /// Deactivated in mid-take, activated again: the same take goes on and holds every frame that was heard.
    @Test func theTakeSurvivesDeactivation() throws {
        let bench = try RecordingBench()
        let session = bench.audioSession
        let recorder = try bench.recorder("take.wav", settings)
        try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetoothA2DP])
        try session.setActive(true)
        #expect(recorder.record())
        #expect(bench.session.hasRunningClients)
        bench.host.capture?.hear(RecordingBench.sine(500, rate: 8_000))
        #expect(code { try session.setActive(false) } == .isBusy)
        #expect(!recorder.isRecording)
        #expect(!bench.session.hasRunningClients)
        try session.setActive(true)
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(300, rate: 8_000))
        recorder.stop()
        #expect(!bench.session.hasRunningClients)
        try session.setActive(false)
        #expect(try bench.frames("take.wav") == 800)
    }

    @Test func pausedRecordersDoNotKeepTheSessionBusy() throws {
        let bench = try RecordingBench()
        let recorder = try bench.recorder("take.wav", settings)
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(200, rate: 8_000))
        recorder.pause()
        try bench.audioSession.setActive(false)
        recorder.stop()
        #expect(try bench.frames("take.wav") == 200)
    }

    /// Without any category a recorder records, as on systems that have no session.
    @Test func aProgramWithoutSessionRecords() throws {
        let bench = try RecordingBench()
        #expect(bench.audioSession.category == .soloAmbient)
        let recorder = try bench.recorder("take.wav", settings)
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(100, rate: 8_000))
        recorder.stop()
        #expect(try bench.frames("take.wav") == 100)
        // A category that was chosen counts, also the one that was there before.
        try bench.audioSession.setCategory(.soloAmbient)
        #expect(!recorder.record())
        #expect(try bench.frames("take.wav") == 100)
    }
}
