import AVFAudio
import AudioSimulation
import Foundation
import RecordingKit
import TestSupport
import Testing

/// The disk stands still while sound comes as fast as it is heard.
@Suite("Stalled disk in real time", .serialized)
@MainActor
struct RealTimeStallTests {
    /// Seconds; a minute in the campaign.
    private static let stall = Double(ProcessInfo.processInfo.environment["KAYIT_TEST_STALL_SECONDS"] ?? "") ?? 2.5

    @Test("no frame is lost, and it is told in time")
    func nothingIsLost() async throws {
        let folder = try TemporaryFolder()
        let audio = SimulatedAudio(.init(input: .noise(seed: 5, amplitude: 0.3), time: .real))
        audio.install()
        defer { audio.uninstall() }
        // A process has one session, and another suite may have left it for playing.
        try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
        let forms: [(name: String, format: AudioFormatID)] = [
            ("a.m4a", kAudioFormatMPEG4AAC), ("b.m4a", kAudioFormatAppleLossless), ("c.wav", kAudioFormatLinearPCM),
        ]
        var recorders: [AVAudioRecorder] = []
        let told = Recorded<RecordingEvent>()
        for form in forms {
            let recorder = try AVAudioRecorder(
                url: folder.file(form.name),
                settings: [AVFormatIDKey: form.format, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1]
            )
            let events = recorder.events
            Task.detached { for await event in events { told.append(event) } }
            try #require(recorder.record())
            recorders.append(recorder)
        }
        try await Task.sleep(for: .milliseconds(300))
        audio.setDisk(.stalled(for: nil))
        try await Task.sleep(for: .seconds(Self.stall))
        // A busy machine may make the disk stand still once more by itself.
        #expect(await times(.diskStalled, in: told, atLeast: forms.count))
        let before = recorders.map(\.currentTime)
        audio.setDisk(nil)
        try await Task.sleep(for: .milliseconds(300))
        for (index, recorder) in recorders.enumerated() {
            recorder.pause()
            let seconds = recorder.currentTime
            #expect(seconds > before[index])
            #expect(seconds > Self.stall)
            recorder.stop()
            let report = try RecordingReport(contentsOf: folder.file(forms[index].name))
            #expect(report.frames == Int64((seconds * 48_000).rounded()))
            #expect(report.integrity == .complete)
        }
        #expect(await times(.diskAnswers, in: told, atLeast: forms.count))
        #expect(!told.all.contains { if case .gap = $0 { true } else { false } })
    }
    /// Whether an event is told that often before five seconds are over.
    private func times(_ event: RecordingEvent, in told: Recorded<RecordingEvent>, atLeast count: Int) async -> Bool {
        for _ in 0..<500 where told.all.filter({ $0 == event }).count < count {
            try? await Task.sleep(for: .milliseconds(10))
        }
        return told.all.filter { $0 == event }.count >= count
    }
}
