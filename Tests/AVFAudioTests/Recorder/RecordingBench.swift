import AVFAudio
import AudioCore
import AudioRuntime
import Dispatch
import Foundation
import TestSupport
import Testing

/// A recorder's surroundings: a device that the test drives, a scratch folder, callbacks on a queue of their own.
struct RecordingBench {
    let host = ManualHost()
    let scratch: TemporaryFolder
    let runtime: Runtime
    let arbiter = ScriptedArbiter()
    let audioSession: AVAudioSession
    var session: SessionCore { audioSession.core }

    /// - Parameter clock: in the place of the machine's.
    init(clock: (any HostClock)? = nil) throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test.callbacks")
        runtime.arbiter = arbiter
        if let clock { runtime.clock = clock }
        self.runtime = runtime
        audioSession = AVAudioSession(runtime: runtime)
    }

    func recorder(_ name: String, _ settings: [String: Any]) throws -> AVAudioRecorder {
        let recorder = try AVAudioRecorder(
            url: scratch.file(name),
            settings: settings,
            runtime: runtime,
            session: session
        )
        // The tests' microphone has the channels of the recording.
        recorder.engine?.options.channelSelection = nil
        return recorder
    }

    func player(_ name: String) throws -> AVAudioPlayer {
        try AVAudioPlayer(url: scratch.file(name), data: nil, hint: nil, runtime: runtime, session: session)
    }

    /// Returns when everything that was caused so far has been told.
    func settle() {
        session.settleRoutes()
        let isDone = DispatchSemaphore(value: 0)
        runtime.callbacks.enqueue { isDone.signal() }
        isDone.wait()
    }

    /// Gaps that a file tells of.
    func gaps(_ name: String) throws -> [AudioCore.RecordingGap] {
        let file = try runtime.files.open(scratch.path(name), .reading)
        return try FrameReader(file, media: runtime.media).reader.metadata.gaps
    }

    /// Frames in a file, as our reader counts what is heard.
    func frames(_ name: String) throws -> Int64 {
        let file = try runtime.files.open(scratch.path(name), .reading)
        let reader = try FrameReader(file, media: runtime.media)
        let buffer = PCMBuffer(format: reader.format, capacity: 4_096)
        while try reader.read(into: buffer) > 0 { buffer.setFrameLength(0) }
        #expect(reader.length == reader.position, "the stated length is what is heard")
        return reader.position.value
    }

    static func sine(_ frames: Int, rate: Double, channels: Int = 1, amplitude: Float = 0.1) -> [Float] {
        (0..<frames * channels).map { index in
            amplitude * Float(sin(2 * Double.pi * 440 * Double(index / channels) / rate))
        }
    }
}

/// Remembers what a recorder's delegate is told.
final class RecorderListener: NSObject, AVAudioRecorderDelegate {
    let heard = Recorded<String>()

    func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        heard.append("finished \(flag)")
    }

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        let nsError = error.map { $0 as NSError }
        heard.append("error \(nsError?.localizedDescription ?? "none")")
    }

    func audioRecorderBeginInterruption(_ recorder: AVAudioRecorder) { heard.append("interruption began") }

    func audioRecorderEndInterruption(_ recorder: AVAudioRecorder, withOptions flags: Int) {
        heard.append("interruption ended \(flags)")
    }
}
