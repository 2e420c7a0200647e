import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// `kayit play` by what the monitor of a real server's output hears, frame by frame.
@Suite(.serialized) struct PlayCommandTests {
    private static let rate = 44_100
    private let server: PrivatePulseServer
    private let bench: RuntimeBench
    private let ear = RecordingSink(capacity: PlayCommandTests.rate * 30)
    private let stream: any DeviceStream

    init() throws {
        server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("desk", rate: Self.rate, channels: 1)])
        bench = try RuntimeBench(server)
        stream = try bench.runtime.devices.openCapture(
            StreamRequest(sampleRate: Double(Self.rate), channelCount: 1, deviceID: "desk.monitor", title: "ear"),
            sink: ear,
            events: { _ in }
        )
        try stream.start()
    }

    /// A file of one channel.
    private func write(_ name: String, _ range: Range<Int>, _ sample: (Int) -> Float) throws {
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: Double(Self.rate), AVNumberOfChannelsKey: 1,
            AVLinearPCMBitDepthKey: 16,
        ]
        let file = try AVAudioFile(forWriting: bench.scratch.file(name), settings: settings)
        let count = AVAudioFrameCount(range.count)
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: count))
        buffer.frameLength = count
        let samples = try #require(buffer.floatChannelData)[0]
        for (place, frame) in range.enumerated() { samples[place] = sample(frame) }
        try file.write(from: buffer)
        file.close()
    }

    /// What is heard from the first frame that is not silent to the last one.
    private func heard(_ arguments: [String]) throws -> [Float] {
        let environment = server.environment.merging(["KAYIT_AUDIO": "pulse", "LC_ALL": "C.UTF-8"]) { $1 }
        let kayit = try RunningKayit(["play"] + arguments, in: bench.scratch, environment: environment)
        #expect(kayit.wait() == 0, "\(kayit.errors)")
        let end = ear.count + Self.rate / 2
        #expect(eventually(within: 20) { ear.count >= end })
        #expect(ear.lostFrames == 0)
        let all = ear.samples(0..<ear.count)
        guard let first = all.firstIndex(where: { abs($0) > 0.01 }), let last = all.lastIndex(where: { abs($0) > 0.01 })
        else { return [] }
        return Array(all[first...last])
    }

    private static func tone(_ frame: Int) -> Float {
        // Loud from its first frame on.
        0.5 * Float(cos(2 * Double.pi * 441 * Double(frame) / Double(rate)))
    }

    /// Files that hold one tone, cut at these frames, must be heard as that tone.
    ///
    /// On a machine that has time for it no frame is more or less. On one that is overloaded the server's streams find each
    /// other by its clock, which was up to four frames off.
    private func expectOneTone(_ cuts: [Int]) throws {
        let names = cuts.indices.dropLast().map { "\($0).wav" }
        for (name, (start, end)) in zip(names, zip(cuts, cuts.dropFirst())) { try write(name, start..<end, Self.tone) }
        let samples = try heard(names)
        let joins = names.count - 1
        // The first and last frames are loud, so that the length is exact.
        #expect(abs(samples.count - (cuts.last ?? 0)) <= joins * Self.tolerance, "\(samples.count) frames")
        var (silent, longest) = (0, 0)
        for sample in samples {
            silent = abs(sample) < 0.001 ? silent + 1 : 0
            longest = max(longest, silent)
        }
        #expect(longest <= Self.tolerance, "a hole of \(longest) frames")
        let exact = samples.indices.count { abs(samples[$0] - Self.tone($0)) < 0.01 }
        print(
            "\(joins) joins: \(samples.count) of \(cuts.last ?? 0) frames, \(exact) at their place, \(longest) silent"
        )
    }

    /// A millisecond.
    private static let tolerance = 44

    @Test("one tone in three files is heard as one")
    func withoutAHole() throws { try expectOneTone([0, 33_017, 61_501, 99_999]) }

    @Test("files that are very short follow each other, too")
    func shortFiles() throws { try expectOneTone((0...12).map { $0 * 3_001 }) }

    @Test("files at once begin in the same frame")
    func atOnce() throws {
        for name in ["a.wav", "b.wav"] { try write(name, 0..<22_050) { _ in 0.25 } }
        let samples = try heard(["--at-once", "a.wav", "b.wav"])
        #expect(abs(samples.count - 22_050) <= Self.tolerance, "\(samples.count) frames")
        let wrong = samples.count { abs($0 - 0.5) > 0.01 }
        #expect(wrong <= 2 * Self.tolerance, "\(wrong) frames are not those of both")
        print("at once: \(samples.count) of 22050 frames, \(wrong) of one file alone")
    }
}
