import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// A microphone of a real server that the test feeds through a pipe: a tone in the left channel, nothing in the right.
private final class PipedMicrophone: Sendable {
    private let descriptor: Int32
    private let isRunning = Atomic<Bool>(true)
    private let skipped = Atomic<Int>(0)
    private let ended = DispatchSemaphore(value: 0)

    init(_ rig: ToneRig) throws {
        let path = rig.scratch.path("pipe")
        try rig.server.control(
            "load-module",
            "module-pipe-source",
            "source_name=mic",
            "file=\(path)",
            "format=s16le",
            "rate=48000",
            "channels=2"
        )
        _ = try rig.eventually { try rig.host.devices().contains { $0.id == "mic" } }
        descriptor = open(path, O_WRONLY | O_NONBLOCK)
        if descriptor < 0 { throw SetupFailure("The pipe cannot be opened: \(errno).") }
        let thread = Thread { [self] in feed() }
        thread.qualityOfService = .userInteractive
        thread.start()
    }

    /// Leaves out what the next `frames` frames would be.
    func skip(_ frames: Int) { skipped.add(frames, ordering: .relaxed) }

    func end() {
        isRunning.store(false, ordering: .relaxed)
        ended.wait()
        close(descriptor)
    }

    /// As many frames as the clock says.
    private func feed() {
        let start = DispatchTime.now().uptimeNanoseconds
        var position = 0
        while isRunning.load(ordering: .relaxed) {
            let due = Int((DispatchTime.now().uptimeNanoseconds - start) * 48 / 1_000_000)
            let left = min(skipped.load(ordering: .relaxed), max(due - position, 0))
            skipped.subtract(left, ordering: .relaxed)
            position += left
            let frames = (position..<max(due, position)).flatMap { frame -> [Int16] in
                [Int16(16_384 * sin(2 * Double.pi * 440 * Double(frame) / 48_000)), 0]
            }
            let written = frames.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            if written > 0 { position += written / 4 }
            Thread.sleep(forTimeInterval: 0.005)
        }
        ended.signal()
    }
}

@Suite("A source that leaves frames out", .serialized)
struct SkippingSourceTests {
    @Test("what it leaves out without a word is a gap; its dead channel is told and halves nothing")
    func skips() throws {
        let rig = try ToneRig(PrivatePulseServer())
        let microphone = try PipedMicrophone(rig)
        let engine = rig.engine(.stop, device: "mic")
        try engine.record()
        let start = rig.runtime.clock.now
        Thread.sleep(forTimeInterval: 3.6)
        let frames = 48 * 80
        microphone.skip(frames)
        #expect(rig.eventually { rig.count { if case .gap = $0 { true } else { false } } > 0 })
        Thread.sleep(forTimeInterval: 0.5)
        engine.pause()
        let elapsed = (rig.runtime.clock.now - start).inSeconds
        let gaps = engine.gaps
        engine.stop()
        microphone.end()
        #expect(rig.notices.all.contains(.signal(.dead(channel: 1, true))))
        #expect(gaps.count == 1 && gaps.first?.reason == .overrun, "\(gaps)")
        let length = try #require(gaps.first).length.seconds(at: ToneRig.rate)
        #expect(abs(length - 0.08) < 0.02, "\(length) s")
        let samples = try rig.samples()
        #expect(abs(Double(samples.count) / ToneRig.rate - elapsed) < 0.15)
        let heard = Array(samples[Int(0.5 * ToneRig.rate)..<Int(3 * ToneRig.rate)])
        #expect(abs(Measure.decibels(heard) + 9.03) < 0.5, "\(Measure.decibels(heard)) dBFS")
        #expect(abs(Measure.frequency(heard, near: 440, sampleRate: ToneRig.rate) - 440) < 0.5)
    }
}
