import AVFAudio
import Foundation
import Glibc
import RecordingKit
import TestSupport

/// Records, plays and looks into one short take after the other, and compares what the process holds at the end with what
/// it held after the first ones.
struct ManyTakes {
    private let folder: TemporaryFolder

    init(_ folder: TemporaryFolder) { self.folder = folder }

    func run(count: Int) throws {
        for index in 0..<50 { try take(index) }
        settle()
        let before = ProcessState.now
        for index in 0..<count { try take(index) }
        settle()
        var after = ProcessState.now
        // Threads of queues linger for some seconds.
        eventually(within: 20) {
            after = .now
            return after.threads <= before.threads && after.descriptors <= before.descriptors
        }
        print("| \(count) takes | \(before) | \(after) |")
        guard after.descriptors <= before.descriptors, after.threads <= before.threads else {
            throw SetupFailure("Left behind: \(before) became \(after).")
        }
        // Some KiB a take would be megabytes.
        guard after.memory <= before.memory + 4 << 20 || Self.isSanitized else {
            throw SetupFailure("Memory grows: \(before) became \(after).")
        }
    }

    /// Sanitizers keep what was freed, to tell its use.
    private static var isSanitized: Bool {
        dlsym(nil, "__tsan_acquire") != nil || dlsym(nil, "__asan_address_is_poisoned") != nil
    }

    private func settle() { Thread.sleep(forTimeInterval: 0.5) }

    private static let formats = ["a.m4a", "a.caf", "a.wav", "a.flac", "a.opus"]

    private func take(_ index: Int) throws {
        let url = folder.file(Self.formats[index % Self.formats.count])
        let format = RandomCalls.formatID(of: url)
        let recorder = try AVAudioRecorder(url: url, settings: [AVFormatIDKey: format, AVSampleRateKey: 48_000.0])
        switch index % 10 {
        case 8: break
        case 9: recorder.prepareToRecord()
        default:
            guard recorder.record() else { throw SetupFailure("Take \(index) does not start.") }
            recorder.isMeteringEnabled = true
            recorder.updateMeters()
            if index % 3 == 0 {
                recorder.pause()
                recorder.record()
            }
            // Some go away while they record.
            if index % 7 == 0 { return }
            recorder.stop()
            let player = try AVAudioPlayer(contentsOf: url)
            if index % 4 == 0 { player.play() }
            _ = try RecordingReport(contentsOf: url, waveformBins: 10)
        }
    }
}
