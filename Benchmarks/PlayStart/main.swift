// How soon a prepared player is heard, and how long the first seek in a long file takes.
//
//     PlayStart start           on the server that PULSE_SERVER names, by the monitor of its sink "loop"
//     PlayStart seek FILE…

import AVFoundation
import AudioCore
import AudioRuntime
import DevicePulse
import Synchronization

/// Seconds of a clock that never jumps.
func now() -> Double { ProcessInfo.processInfo.systemUptime }

func milliseconds(_ seconds: Double) -> String { (seconds * 1_000).formatted(.number.precision(.fractionLength(1))) }

func line(_ name: String, _ values: [Double]) {
    let sorted = values.sorted()
    print(
        "\(name): median \(milliseconds(sorted[sorted.count / 2])) ms, most \(milliseconds(sorted[sorted.count - 1])) ms"
    )
}

/// Notes when the first frame that is no silence came.
final class Onset: CaptureSink {
    private let moment = Mutex<Double?>(nil)

    func capture(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let values = samples.assumingMemoryBound(to: Float.self)
        // A monitor hears what its sink has taken: before it sounds, a block at a time.
        guard (0..<frames).contains(where: { abs(values[$0]) > 0.01 }) else { return frames }
        let time = now()
        moment.withLock { if $0 == nil { $0 = time } }
        return frames
    }

    func lost(frames: Int) {}

    func next(after action: () throws -> Void) throws -> Double? {
        moment.withLock { $0 = nil }
        let begin = now()
        try action()
        while now() < begin + 3 {
            if let heard = moment.withLock({ $0 }) { return heard - begin }
            usleep(500)
        }
        return nil
    }
}

/// A constant, as soon as it is asked.
final class Constant: PlaybackSource {
    func render(into samples: UnsafeMutableRawPointer, frames: Int) -> RenderResult {
        samples.assumingMemoryBound(to: Float.self).update(repeating: 0.25, count: 2 * frames)
        return RenderResult(frames: frames, isLast: false)
    }
}

func measureStarts() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("kayit-bench-\(getpid())")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let url = folder.appendingPathComponent("a.wav")
    do {
        guard let format = AVAudioFormat(standardFormatWithSampleRate: 48_000, channels: 2),
            let buffer = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 48_000 * 5)
        else { return }
        buffer.frameLength = buffer.frameCapacity
        for channel in 0..<2 { buffer.floatChannelData?[channel].update(repeating: 0.25, count: 48_000 * 5) }
        try AVAudioFile(forWriting: url, settings: format.settings).write(from: buffer)
    }
    let host = PulseHost(applicationName: "bench")
    let onset = Onset()
    let ear = try host.openCapture(
        StreamRequest(
            sampleRate: 48_000,
            channelCount: 1,
            deviceID: "loop.monitor",
            fragment: .milliseconds(5),
            title: "ear"
        ),
        sink: onset
    ) { _ in }
    try ear.start()
    var starts: [String: [Double]] = [:]
    for _ in 0..<20 {
        for prepared in [true, false] {
            let player = try AVAudioPlayer(contentsOf: url)
            if prepared, !player.prepareToPlay() { continue }
            Thread.sleep(forTimeInterval: 0.2)
            let heard = try onset.next { player.play() }
            player.stop()
            if let heard { starts[prepared ? "prepared" : "not prepared", default: []].append(heard) }
            Thread.sleep(forTimeInterval: 0.3)
        }
        let request = StreamRequest(
            sampleRate: 48_000,
            channelCount: 2,
            fragment: .milliseconds(60),
            title: "bare"
        )
        let bare = try host.openPlayback(request, source: Constant()) { _ in }
        Thread.sleep(forTimeInterval: 0.2)
        let heard = try onset.next { try bare.start() }
        bare.close()
        if let heard { starts["the server itself", default: []].append(heard) }
        Thread.sleep(forTimeInterval: 0.3)
    }
    ear.close()
    for (name, values) in starts.sorted(by: { $0.key < $1.key }) { line("first frame on the monitor, \(name)", values) }
}

func measureSeeks(_ paths: [String]) throws {
    for path in paths {
        let begin = now()
        let reader = try FrameReader(try Runtime.system.files.open(path, .reading), media: Runtime.system.media)
        let opened = now()
        let rate = reader.format.sampleRate
        let buffer = PCMBuffer(format: reader.format, capacity: 1)
        func seek(_ seconds: Double) throws -> Double {
            let begin = now()
            buffer.setFrameLength(0)
            try reader.seek(to: FrameCount(seconds: seconds, sampleRate: rate))
            _ = try reader.read(into: buffer)
            return now() - begin
        }
        let length = reader.length?.seconds(at: rate) ?? 0
        let first = try seek(length * 0.93)
        let others = try (0..<200).map { _ in try seek(.random(in: 0..<max(length, 1))) }
        let name = path.split(separator: "/").last ?? ""
        print(
            "\(name): \((length / 3_600).formatted(.number.precision(.fractionLength(2)))) h, opened in "
                + "\(milliseconds(opened - begin)) ms, first seek \(milliseconds(first)) ms"
        )
        line("  200 others", others)
    }
}

switch CommandLine.arguments.dropFirst().first {
case "start": try measureStarts()
case "seek": try measureSeeks(Array(CommandLine.arguments.dropFirst(2)))
default: print("PlayStart start, or PlayStart seek FILE…")
}
