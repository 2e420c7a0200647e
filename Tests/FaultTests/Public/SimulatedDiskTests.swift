import AVFAudio
import AudioSimulation
import Foundation
import Glibc
import RecordingKit
import TestSupport
import Testing

/// A client's tests of a failing disk: nothing but what everybody can import.
@Suite("A disk that fails on purpose", .serialized)
@MainActor
struct SimulatedDiskTests {
    private final class Listener: NSObject, AVAudioRecorderDelegate, Sendable {
        let told = Recorded<String>()

        func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
            told.append("finished \(flag)")
        }

        func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
            told.append(error.map { RecordingError($0).code.description } ?? "none")
        }
    }

    private let folder: TemporaryFolder
    private let audio = SimulatedAudio(.init(input: .noise(seed: 3, amplitude: 0.3), time: .stepped))
    private let listener = Listener()

    init() throws {
        folder = try TemporaryFolder()
        // A process has one session, and another suite may have left it for playing.
        try AVAudioSession.sharedInstance().setCategory(.playAndRecord)
    }

    private func recorder(_ name: String = "a.wav") throws -> AVAudioRecorder {
        let settings: [String: Any] = [AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 1]
        let recorder = try AVAudioRecorder(url: URL(fileURLWithPath: folder.path(name)), settings: settings)
        recorder.delegate = listener
        return recorder
    }

    /// What the delegate hears on the main queue, once it has heard anything.
    private func told() async -> [String] {
        for _ in 0..<500 where listener.told.all.isEmpty { try? await Task.sleep(for: .milliseconds(10)) }
        try? await Task.sleep(for: .milliseconds(100))
        return listener.told.all
    }

    private func report(_ name: String = "a.wav") throws -> RecordingReport {
        try RecordingReport(contentsOf: URL(fileURLWithPath: folder.path(name)))
    }

    @Test("full")
    func full() async throws {
        audio.install()
        defer { audio.uninstall() }
        audio.setDisk(.full(afterBytes: 1_000_000))
        let recorder = try recorder()
        #expect(recorder.record())
        for _ in 0..<40 where recorder.isRecording { audio.advance(by: .milliseconds(500)) }
        #expect(await told() == ["noSpace", "finished false"])
        let report = try report()
        #expect(report.integrity == .complete)
        #expect((9.5...10.5).contains(report.duration), "\(report.duration) s of 96 000 bytes")
    }

    @Test("full from the start")
    func fullFromTheStart() async throws {
        audio.install()
        defer { audio.uninstall() }
        audio.setDisk(.full(afterBytes: 10_000))
        let recorder = try recorder()
        #expect(!recorder.record())
        #expect(await told() == ["noSpace"])
        #expect(!FileManager.default.fileExists(atPath: folder.path("a.wav")))
    }

    @Test("every call fails in its turn, and what a pause had made safe is there")
    func failing() throws {
        audio.install()
        defer { audio.uninstall() }
        for call in 1...200 {
            let name = "\(call).wav"
            audio.setDisk(.failing(errno: EIO, fromCall: call))
            let recorder = try recorder(name)
            var kept = 0.0
            if recorder.record() {
                audio.advance(by: .milliseconds(200))
                recorder.pause()
                kept = recorder.currentTime
                if recorder.record() { audio.advance(by: .milliseconds(200)) }
                recorder.stop()
                #expect(try report(name).duration >= kept, "call \(call)")
            }
            audio.setDisk(nil)
            if kept > 0, try report(name).duration > 0.399 { return }
        }
        Issue.record("a take this short ends")
    }

    @Test("stalled for half a minute of the devices' time: nothing is lost")
    func stalled() throws {
        audio.install()
        defer { audio.uninstall() }
        let recorder = try recorder()
        #expect(recorder.record())
        audio.advance(by: .seconds(1))
        audio.setDisk(.stalled(for: .seconds(30)))
        audio.advance(by: .seconds(40))
        recorder.pause()
        recorder.stop()
        let report = try report()
        #expect(report.frames == 41 * 48_000)
        #expect(report.integrity == .complete)
    }

    @Test("the power fails: what was on the disk is there")
    func power() throws {
        audio.install()
        defer { audio.uninstall() }
        for seed in 1...8 as ClosedRange<UInt64> {
            audio.setDisk(nil)
            let recorder = try recorder("\(seed).wav")
            #expect(recorder.record())
            audio.advance(by: .milliseconds(1_700))
            recorder.pause()
            let safe = recorder.currentTime
            #expect(recorder.record())
            audio.advance(by: .milliseconds(130))
            audio.cutPower(seed: seed)
            recorder.stop()
            let report = try report("\(seed).wav")
            #expect(report.duration >= safe, "seed \(seed): \(report.duration) of \(safe) s")
            #expect(report.duration <= safe + 0.14)
        }
    }
}
