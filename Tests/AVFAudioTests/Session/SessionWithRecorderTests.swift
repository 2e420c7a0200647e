import AVFAudio
import AudioCore
import Foundation
import Synchronization
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

    /// Recording and playing share the session: whoever stops first, it knows who is left.
    @Test(arguments: [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]])
    func recordersAndAPlayerStopInAnyOrder(order: [Int]) throws {
        let bench = try RecordingBench()
        try recordSound(bench)
        try bench.audioSession.setCategory(.playAndRecord)
        let recorders = try ["first.wav", "second.wav"].map { try bench.recorder($0, settings) }
        let player = try bench.player("sound.wav")
        for recorder in recorders { #expect(recorder.record()) }
        #expect(player.play())
        hear(bench, frames: 400)
        let stops = [{ recorders[0].stop() }, { recorders[1].stop() }, { player.stop() }]
        for (step, index) in order.enumerated() {
            #expect(bench.session.hasRunningClients)
            stops[index]()
            stops[index]()
            #expect(bench.session.hasRunningClients == (step < 2))
        }
        try bench.audioSession.setActive(false)
        #expect(!bench.session.isActive)
        #expect(try bench.frames("first.wav") == 400)
        #expect(try bench.frames("second.wav") == 400)
    }

    /// Both stand still where they are; the take is complete on the disk, and both go on.
    @Test func deactivationPausesWhatIsRecordedAndPlayed() throws {
        let bench = try RecordingBench()
        try recordSound(bench)
        try bench.audioSession.setCategory(.playAndRecord)
        let recorder = try bench.recorder("take.wav", settings)
        let player = try bench.player("sound.wav")
        #expect(recorder.record() && player.play())
        hear(bench, frames: 400)
        #expect(code { try bench.audioSession.setActive(false) } == .isBusy)
        #expect(!recorder.isRecording && !player.isPlaying)
        #expect(!bench.session.hasRunningClients && !bench.session.isActive)
        #expect(recorder.currentTime == 0.05)
        #expect(try bench.frames("take.wav") == 400)
        #expect(recorder.record() && player.play())
        #expect(bench.session.isActive)
        hear(bench, frames: 100)
        player.stop()
        recorder.stop()
        try bench.audioSession.setActive(false)
        #expect(try bench.frames("take.wav") == 500)
    }

    /// The right to record that comes later works with the same recorder.
    @Test func aRefusedRecorderRecordsOnceItMay() throws {
        let bench = try RecordingBench()
        let recorder = try bench.recorder("take.wav", settings)
        let listener = RecorderListener()
        recorder.delegate = listener
        bench.host.state.withLock { $0.openFailure = AudioFailure(.permissionDenied, "The server refuses.") }
        #expect(!recorder.record())
        #expect(!bench.session.hasRunningClients)
        bench.settle()
        #expect(listener.heard.all.count == 1 && listener.heard.all.first?.contains("The server refuses.") == true)
        bench.host.state.withLock { $0.openFailure = nil }
        #expect(recorder.record())
        hear(bench, frames: 200)
        recorder.stop()
        #expect(try bench.frames("take.wav") == 200)
    }

    /// Something to play.
    private func recordSound(_ bench: RecordingBench) throws {
        let recorder = try bench.recorder("sound.wav", settings)
        #expect(recorder.record())
        hear(bench, frames: 8_000)
        recorder.stop()
    }

    /// Every microphone that is open hears a tone.
    private func hear(_ bench: RecordingBench, frames: Int) {
        let streams = bench.host.state.withLock { $0.captures.filter { !$0.isClosed } }
        for stream in streams { stream.hear(RecordingBench.sine(frames, rate: 8_000)) }
    }
}
