import AVFAudio
import AudioCore
import AudioRuntime
import DevicePulse
import Foundation
import TestSupport
import Testing

@Suite("Recorder and player on a real server", .serialized)
struct ServerBehaviourTests {
    static func toneBench(_ sinks: String...) throws -> ToneBench {
        try ToneBench(PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")] + sinks))
    }

    @Test("a prepared recorder keeps what is heard from record() to stop(), first and last words included")
    func firstAndLastWords() throws {
        let bench = try Self.toneBench()
        let recorder = try bench.recorder("a.wav", [AVSampleRateKey: 48_000])
        #expect(recorder.prepareToRecord())
        Thread.sleep(forTimeInterval: 0.3)
        let start = bench.runtime.clock.now
        #expect(recorder.record())
        Thread.sleep(forTimeInterval: 1)
        let end = bench.runtime.clock.now
        recorder.stop()
        let (rate, channels) = try bench.channels("a.wav")
        let samples = try #require(channels.first)
        let heard = Double(samples.count) / rate
        // Generous, because the machine may be busy: the exact figures come from the benchmarks.
        #expect((end - start).inSeconds - heard < 0.25)
        #expect(heard < (end - start).inSeconds + 0.25)
        #expect(Measure.onset(samples).map { Double($0) / rate < 0.02 } == true)
        #expect(abs(Measure.decibels(samples.suffix(4_800)) - ToneBench.level) < 0.5, "the last words are there")
    }

    @Test("forty programs that connect in the same moment are all served")
    func manyAtOnce() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        defer { server.kill() }
        let refused = Recorded<String>()
        let done = DispatchGroup()
        // Threads of their own: a concurrent queue would run no more at once than the machine has cores.
        for _ in 0..<40 {
            done.enter()
            Thread {
                let host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
                do throws(AudioFailure) { _ = try host.devices() } catch { refused.append(error.message) }
                done.leave()
            }.start()
        }
        done.wait()
        #expect(refused.all == [])
    }

    @Test("the tone keeps its pitch from hardware of any rate into files of any rate")
    func anyRate() async throws {
        let rates = [8_000, 16_000, 22_050, 44_100, 48_000, 96_000]
        let bench = try ToneBench(
            PrivatePulseServer(
                modules: [PrivatePulseServer.nullSink("loop")]
                    + rates.map { PrivatePulseServer.nullSink("r\($0)", rate: $0, channels: $0 % 16_000 == 0 ? 1 : 2) }
            )
        )
        for hardware in rates {
            let speaker = try bench.runtime.devices.openPlayback(
                StreamRequest(
                    sampleRate: 48_000,
                    channelCount: 1,
                    deviceID: "r\(hardware)",
                    fragment: .milliseconds(400),
                    title: "tone"
                ),
                source: ToneSource(amplitude: Float(ToneBench.amplitude), sampleRate: 48_000),
                events: { _ in }
            )
            defer { speaker.close() }
            try speaker.start()
            try await Task.sleep(for: .milliseconds(200))
            let inputs = try #require(bench.session.availableInputs)
            let input = try #require(inputs.first { $0.uid == "r\(hardware).monitor" })
            try bench.session.setPreferredInput(input)
            var recorders: [(name: String, rate: Double, recorder: AVAudioRecorder)] = []
            for rate in [8_000.0, 22_050, 44_100, 96_000] {
                let name = "\(hardware)-\(Int(rate)).wav"
                let channels = hardware % 16_000 == 0 ? 2 : 1
                let recorder = try bench.recorder(name, [AVSampleRateKey: rate, AVNumberOfChannelsKey: channels])
                #expect(recorder.prepareToRecord())
                recorders.append((name, rate, recorder))
            }
            for item in recorders { #expect(item.recorder.record(forDuration: 0.6)) }
            #expect(await eventually { recorders.allSatisfy { !$0.recorder.isRecording } })
            for item in recorders {
                for samples in try bench.channels(item.name).samples {
                    #expect(samples.count == Int(0.6 * item.rate))
                    let settled = Array(samples.dropFirst(samples.count / 6))
                    let frequency = Measure.frequency(settled, near: 440, sampleRate: item.rate)
                    #expect(abs(frequency - 440) < 0.5, "\(item.name): \(frequency) Hz")
                }
            }
        }
    }

    @Test("a player's sound comes out of the server at its pitch, level and length, and its end is told once")
    func playerIsHeard() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("out", rate: 44_100)])
        defer { server.kill() }
        let bench = try RuntimeBench(server)
        // Two seconds at 48 kHz, into hardware of 44.1 kHz.
        try bench.writeTone("tone.wav", seconds: 2, rate: 48_000)
        let sink = RecordingSink(channelCount: 2)
        let microphone = try bench.runtime.devices.openCapture(
            StreamRequest(sampleRate: 44_100, channelCount: 2, deviceID: "out.monitor", title: "ear"),
            sink: sink,
            events: { _ in }
        )
        defer { microphone.close() }
        try microphone.start()
        let player = try AVAudioPlayer(
            url: bench.scratch.file("tone.wav"),
            data: nil,
            hint: nil,
            runtime: bench.runtime,
            session: bench.session.core
        )
        let listener = FinishListener()
        player.delegate = listener
        #expect(player.prepareToPlay())
        #expect(player.play())
        #expect(await eventually { listener.finished.all == [true] })
        #expect(!player.isPlaying)
        try await Task.sleep(for: .milliseconds(300))
        let heard = sink.samples(channel: 0)
        let start = try #require(Measure.onset(heard))
        let end = try #require(heard.lastIndex { abs($0) > 0.01 })
        #expect(abs(Double(end - start) / 44_100 - 2) < 0.005)
        let middle = Array(heard[(start + 4_410)..<(end - 4_410)])
        #expect(abs(Measure.frequency(middle, near: 440, sampleRate: 44_100) - 440) < 0.5)
        #expect(abs(Measure.decibels(middle) - ToneBench.level) < 0.5)
        #expect(listener.finished.all == [true])
    }
}

/// A runtime on a server, and a scratch folder.
struct RuntimeBench {
    let runtime: Runtime
    let session: AVAudioSession
    let scratch: TemporaryFolder

    init(_ server: any SoundServer) throws { try self.init(address: server.address) }

    init(address: String) throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = PulseHost(applicationName: "kayit tests", serverAddress: address)
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        self.runtime = runtime
        session = AVAudioSession(runtime: runtime)
    }

    func recorder(_ name: String, _ settings: [String: Any]) throws -> AVAudioRecorder {
        try AVAudioRecorder(url: scratch.file(name), settings: settings, runtime: runtime, session: session.core)
    }

    /// A mono WAV file with the tone of `ToneBench`.
    func writeTone(_ name: String, seconds: Double, rate: Double) throws {
        let layout = LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: false)
        let file = try runtime.files.open(scratch.path(name), .creatingExclusively)
        let request = EncodingRequest(codec: .linearPCM(layout), sampleRate: rate, channelCount: 1)
        let writer = try FrameWriter(file, container: .wav, request: request, media: runtime.media)
        let frames = Int(seconds * rate)
        let buffer = PCMBuffer(format: writer.format, capacity: frames)
        let samples = buffer.samples(as: Float.self)
        for frame in 0..<frames {
            samples[frame] = Float(ToneBench.amplitude * sin(2 * .pi * 440 * (Double(frame) + 0.5) / rate))
        }
        buffer.setFrameLength(frames)
        try writer.write(buffer)
        try writer.finish()
        file.close()
    }
}

/// Counts the natural ends of a player.
final class FinishListener: NSObject, AVAudioPlayerDelegate {
    let finished = Recorded<Bool>()

    nonisolated override init() { super.init() }

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) { finished.append(flag) }
}
