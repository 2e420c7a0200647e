import AVFAudio
import AudioCore
import Foundation
import Synchronization
import TestSupport
import Testing

@Suite("AVAudioRecorder")
struct AVAudioRecorderTests {
    let bench: RecordingBench

    init() throws { bench = try RecordingBench() }

    /// The recorder settings of well-known articles and books, in the numeric types that they use.
    static let documented: [(name: String, settings: @Sendable () -> [String: Any], rate: Double, channels: Int)] = [
        (
            "lossless.caf",
            {
                [
                    AVSampleRateKey: Float(44_100), AVFormatIDKey: Int(kAudioFormatAppleLossless),
                    AVNumberOfChannelsKey: Int32(1), AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
                ]
            }, 44_100, 1
        ),
        (
            "recording.m4a",
            {
                [
                    AVFormatIDKey: Int(kAudioFormatMPEG4AAC), AVSampleRateKey: 12_000, AVNumberOfChannelsKey: 1,
                    AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
                ]
            }, 12_000, 1
        ),
        (
            "1234567890123.caf",
            {
                [
                    AVFormatIDKey: NSNumber(value: kAudioFormatAppleIMA4),
                    AVSampleRateKey: NSNumber(value: Float(44_100)),
                    AVNumberOfChannelsKey: NSNumber(value: 2),
                ]
            }, 44_100, 2
        ),
        (
            "background.m4a",
            {
                [
                    AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 44_100.0, AVNumberOfChannelsKey: 1 as UInt8,
                    AVEncoderBitRateKey: 96_000,
                ]
            }, 44_100, 1
        ),
    ]

    @Test("documented settings record the frames that were heard", arguments: documented.indices)
    func documentedSettings(index: Int) throws {
        let (name, settings, rate, channels) = Self.documented[index]
        let recorder = try bench.recorder(name, settings())
        #expect(recorder.format.sampleRate == rate)
        #expect(recorder.format.channelCount == AVAudioChannelCount(channels))
        #expect(recorder.prepareToRecord())
        #expect(recorder.record())
        #expect(recorder.isRecording)
        let stream = try #require(bench.host.capture)
        let frames = Int(rate) + 123
        stream.hear(RecordingBench.sine(frames, rate: rate, channels: channels))
        recorder.pause()
        #expect(!recorder.isRecording)
        #expect(recorder.currentTime == Double(frames) / rate)
        recorder.stop()
        #expect(try bench.frames(name) == Int64(frames))
    }

    @Test("a recorder that is dropped right after stop() still tells its delegate")
    func droppedAfterStop() async throws {
        let listener = RecorderListener()
        var recorder: AVAudioRecorder? = try bench.recorder("take.wav", Self.pcm)
        recorder?.delegate = listener
        #expect(recorder?.record() == true)
        weak let dropped = recorder
        recorder?.stop()
        recorder = nil
        #expect(await eventually { listener.heard.all == ["finished true"] })
        #expect(await eventually { dropped == nil })
    }

    static var pcm: [String: Any] { [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000] }

    @Test("currentTime is frames over rate through three pauses, and 0 when stopped")
    func currentTime() throws {
        let recorder = try bench.recorder("take.wav", Self.pcm)
        #expect(recorder.currentTime == 0)
        var heard = 0
        for part in [800, 1_601, 2_403] {
            #expect(recorder.record())
            bench.host.capture?.hear(RecordingBench.sine(part, rate: 8_000))
            heard += part
            recorder.pause()
            let time = recorder.currentTime
            #expect(time == Double(heard) / 8_000)
            Thread.sleep(forTimeInterval: 0.02)
            #expect(recorder.currentTime == time)
        }
        recorder.stop()
        #expect(recorder.currentTime == 0)
        #expect(try bench.frames("take.wav") == Int64(heard))
    }

    @Test("record(forDuration:) gives the exact number of frames and one call of the delegate")
    func forDuration() async throws {
        let recorder = try bench.recorder("take.wav", Self.pcm)
        let listener = RecorderListener()
        recorder.delegate = listener
        #expect(recorder.record(forDuration: 0.5))
        let stream = try #require(bench.host.capture)
        for _ in 0..<50 { stream.hear(RecordingBench.sine(160, rate: 8_000)) }
        #expect(await eventually { listener.heard.all == ["finished true"] })
        #expect(!recorder.isRecording)
        #expect(try bench.frames("take.wav") == 4_000)
        recorder.stop()
        #expect(listener.heard.all == ["finished true"])
    }

    @Test("the delegate hears of each end once, in order, and of nothing else")
    func delegateCalls() async throws {
        let recorder = try bench.recorder("take.wav", Self.pcm)
        let listener = RecorderListener()
        recorder.delegate = listener
        recorder.stop()
        #expect(recorder.prepareToRecord())
        recorder.stop()
        for _ in 0..<3 {
            #expect(recorder.record())
            bench.host.capture?.hear(RecordingBench.sine(80, rate: 8_000))
            recorder.pause()
            #expect(recorder.record())
            recorder.stop()
            recorder.stop()
        }
        #expect(recorder.record())
        bench.host.capture?.tell(.lost(AudioFailure(.deviceUnavailable, "The microphone was unplugged.")))
        let expected =
            Array(repeating: "finished true", count: 3)
            + ["error The microphone was unplugged.", "finished false"]
        #expect(await eventually { listener.heard.all == expected })
    }

    @Test("a recorder that cannot start says why to its delegate and leaves the old file alone")
    func cannotStart() async throws {
        try Data("old".utf8).write(to: bench.scratch.file("take.wav"))
        bench.host.state.withLock { $0.openFailure = AudioFailure(.deviceUnavailable, "There is no microphone.") }
        let recorder = try bench.recorder("take.wav", Self.pcm)
        let listener = RecorderListener()
        recorder.delegate = listener
        #expect(!recorder.prepareToRecord())
        #expect(!recorder.record())
        #expect(!recorder.isRecording)
        let reason = "error There is no microphone."
        #expect(await eventually { listener.heard.all == [reason, reason] })
        #expect(try Data(contentsOf: bench.scratch.file("take.wav")) == Data("old".utf8))
        #expect(bench.scratch.names == ["take.wav"])
    }

    @Test("a folder that does not exist or cannot be written is said at the start")
    func unwritableFolder() async throws {
        let recorder = try bench.recorder("missing/take.wav", Self.pcm)
        let listener = RecorderListener()
        recorder.delegate = listener
        #expect(!recorder.record())
        #expect(await eventually { listener.heard.all.count == 1 })
        #expect(listener.heard.all.first?.contains("No such file or directory") == true)
        #expect(bench.host.openStreams == 0)
    }

    @Test("deleteRecording works when stopped, and only then")
    func deleteRecording() throws {
        let recorder = try bench.recorder("take.wav", Self.pcm)
        #expect(!recorder.deleteRecording())
        #expect(recorder.record())
        #expect(!recorder.deleteRecording())
        recorder.stop()
        #expect(recorder.deleteRecording())
        #expect(bench.scratch.names == [])
        #expect(recorder.record(), "the recorder can be used again")
        recorder.stop()
        #expect(bench.scratch.names == ["take.wav"])
    }

    @Test("a recorder that is let go while it records leaves a complete file")
    func letGo() throws {
        do {
            let recorder = try bench.recorder("take.wav", Self.pcm)
            #expect(recorder.record())
            bench.host.capture?.hear(RecordingBench.sine(777, rate: 8_000))
        }
        #expect(try bench.frames("take.wav") == 777)
        #expect(bench.host.openStreams == 0)
    }

    @Test("the category decides whether recording is allowed, and a change pauses it")
    func category() async throws {
        let recorder = try bench.recorder("take.wav", Self.pcm)
        let listener = RecorderListener()
        recorder.delegate = listener
        try bench.audioSession.setCategory(.playback)
        #expect(!recorder.record())
        #expect(await eventually { listener.heard.all.count == 1 })
        try bench.audioSession.setCategory(.record)
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(500, rate: 8_000))
        try bench.audioSession.setCategory(.playback)
        #expect(!recorder.isRecording)
        recorder.stop()
        #expect(try bench.frames("take.wav") == 500)
    }

    @Test("meters are in dBFS per channel: −20 dBFS left, silence right, −160 elsewhere and when off")
    func meters() throws {
        let recorder = try bench.recorder(
            "take.wav",
            [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 48_000, AVNumberOfChannelsKey: 2]
        )
        #expect(recorder.record())
        var samples = RecordingBench.sine(9_600, rate: 48_000, channels: 2, amplitude: 0.1)
        for index in stride(from: 1, to: samples.count, by: 2) { samples[index] = 0 }
        bench.host.capture?.hear(samples)
        recorder.updateMeters()
        #expect(recorder.averagePower(forChannel: 0) == -160, "metering is off")
        recorder.isMeteringEnabled = true
        recorder.updateMeters()
        #expect(abs(recorder.averagePower(forChannel: 0) - -23.01) < 0.5)
        #expect(abs(recorder.peakPower(forChannel: 0) - -20) < 0.2)
        for channel in [1, 2, -1, 99] {
            #expect(recorder.averagePower(forChannel: channel) == -160)
            #expect(recorder.peakPower(forChannel: channel) == -160)
        }
        recorder.stop()
        recorder.updateMeters()
        #expect(recorder.peakPower(forChannel: 0) == -160)
    }

    @Test("500 short recordings, one after the other, all open with their frames")
    func manyTakes() throws {
        let recorder = try bench.recorder("take.m4a", [AVFormatIDKey: kAudioFormatMPEG4AAC, AVSampleRateKey: 8_000])
        var generator = SeededGenerator(seed: 7)
        for take in 0..<500 {
            let frames = Int.random(in: 0...400, using: &generator)
            #expect(recorder.record())
            bench.host.capture?.hear(RecordingBench.sine(frames, rate: 8_000))
            recorder.stop()
            #expect(try bench.frames("take.m4a") == Int64(frames), "take \(take)")
        }
    }

    @Test("a recorder that was made without a file does nothing and does not trap")
    func withoutFile() {
        let recorder = AVAudioRecorder()
        #expect(!recorder.prepareToRecord())
        #expect(!recorder.record())
        #expect(!recorder.deleteRecording())
        recorder.pause()
        recorder.stop()
        recorder.isMeteringEnabled = true
        recorder.updateMeters()
        #expect(recorder.currentTime == 0)
        #expect(recorder.peakPower(forChannel: 0) == -160)
        #expect(recorder.format.channelCount == 0)
    }
}
