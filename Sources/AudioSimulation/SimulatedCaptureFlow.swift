import AudioCore

/// A stream of a microphone or monitor.
final class SimulatedCaptureFlow: SimulatedFlow, @unchecked Sendable {
    // Unchecked: as `SimulatedFlow`.
    private let sink: any CaptureSink
    private let dropsRefused: Bool
    private var reader: SignalReader
    private let zeros: [Float]
    private unowned let devices: SimulatedDevices
    private var mix: [Float] = []
    private var dropping = 0
    private var reason = RecordingGap.Reason.overrun

    init(
        _ request: StreamRequest,
        _ device: SimulatedDevice,
        reader: SignalReader,
        sink: any CaptureSink,
        dropsRefused: Bool,
        devices: SimulatedDevices,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) {
        self.sink = sink
        self.dropsRefused = dropsRefused
        self.reader = reader
        self.devices = devices
        zeros = [Float](repeating: 0, count: 1024 * request.channelCount)
        super.init(request, device, .input, events: events)
    }

    func hear(_ reader: SignalReader) { self.reader = reader }

    /// The next `frames` frames never reach the sink.
    func drop(_ frames: Int) {
        dropping += frames
        reason = .overrun
    }

    /// Nothing is captured for so long, because the machine sleeps.
    func drop(over duration: Duration) {
        dropping += Int(clamping: FrameCount(seconds: duration.inSeconds, sampleRate: Double(sampleRate)).value)
        reason = .asleep
    }

    override func transfer(_ frames: Int) -> Bool {
        var remaining = frames
        if dropping > 0 {
            let dropped = min(dropping, remaining)
            dropping -= dropped
            remaining -= dropped
            count(dropped)
            sink.lost(frames: dropped, reason)
            devices.post(.overflow(frames: FrameCount(dropped)), to: self)
        }
        while remaining > 0 {
            var offered = 0
            var accepted = 0
            piece(remaining) { samples, frames in
                offered = frames
                accepted = min(max(sink.capture(samples, frames: frames), 0), frames)
            }
            if accepted < offered, !dropsRefused {
                count(accepted)
                return false
            }
            if accepted < offered { sink.lost(frames: offered - accepted) }
            count(offered)
            remaining -= offered
        }
        return true
    }

    private func piece(_ frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        if device.isMuted {
            let count = min(frames, 1024)
            zeros.withUnsafeBytes { bytes in if let base = bytes.baseAddress { body(base, count) } }
        } else if let output = device.configuration.monitored {
            let count = min(frames, 1024)
            listen(to: output, frames: count)
            mix.withUnsafeBytes { bytes in if let base = bytes.baseAddress { body(base, count) } }
        } else {
            reader.read(position, frames: frames, body)
        }
    }

    /// Mixes what is played, by linear interpolation: right for tones and levels, not for fidelity.
    private func listen(to output: String, frames: Int) {
        mix = [Float](repeating: 0, count: frames * channelCount)
        for flow in devices.played(on: output) {
            for frame in 0..<frames {
                // One frame late, so that the frame behind the moment is there too.
                let place = flow.position(at: time(of: position + frame)) - 1
                for channel in 0..<channelCount {
                    mix[frame * channelCount + channel] += flow.sample(at: place, channel: channel, of: channelCount)
                }
            }
        }
    }
}
