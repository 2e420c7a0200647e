// How soon a prepared recorder hears, and how soon a stopped one has its file: the public API only, on whatever device
// KAYIT_AUDIO names. Prints medians and maxima of 20 rounds.

import AVFoundation

let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kayit-bench-\(getpid())")
try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
defer { try? FileManager.default.removeItem(at: folder) }

/// Seconds of a clock that never jumps.
func now() -> Double { ProcessInfo.processInfo.systemUptime }

struct Round {
    /// From `record()` to the first frame: the time until `pause()` less what was heard by then.
    var start: Double
    var stop: Double
}

func round(_ number: Int, prepared: Bool, _ settings: [String: Any]) throws -> Round? {
    let recorder = try AVAudioRecorder(url: folder.appendingPathComponent("take.m4a"), settings: settings)
    if prepared, !recorder.prepareToRecord() { return nil }
    // A prepared recorder may wait for its moment.
    if prepared { Thread.sleep(forTimeInterval: 0.2) }
    let begin = now()
    guard recorder.record() else { return nil }
    Thread.sleep(forTimeInterval: 0.5)
    let pause = now()
    recorder.pause()
    let heard = recorder.currentTime
    let stop = now()
    recorder.stop()
    return Round(start: pause - begin - heard, stop: now() - stop)
}

func line(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    let milliseconds = { (seconds: Double) in (seconds * 1_000).formatted(.number.precision(.fractionLength(1))) }
    print(
        "\(name): median \(milliseconds(sorted[sorted.count / 2])) ms, "
            + "most \(milliseconds(sorted[sorted.count - 1])) ms"
    )
}

let settings: [String: Any] = [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1]
for prepared in [true, false] {
    let rounds = try (0..<20).compactMap { try round($0, prepared: prepared, settings) }
    guard rounds.count == 20 else {
        print("Recording does not start: is there a sound server with a microphone?")
        exit(69)
    }
    line("first frame after record(), \(prepared ? "prepared" : "not prepared")", rounds.map(\.start))
    line("stop() to the closed file", rounds.map(\.stop))
}
