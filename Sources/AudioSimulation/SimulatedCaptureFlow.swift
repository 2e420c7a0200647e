import AudioCore

/// A stream of a microphone or monitor.
final class SimulatedCaptureFlow: SimulatedFlow, @unchecked Sendable {
    // Unchecked: as `SimulatedFlow`.
    private let sink: any CaptureSink
    private let dropsRefused: Bool
    private var reader: SignalReader
    private var zeros: [Float] = []
    private var gathered: [Float] = []
    /// The position of the first frame in `gathered`.
    private var gatheredStart = 0
    private unowned let devices: SimulatedDevices
    private var mix: [Float] = []
    private var dropping = 0
    private var reason = RecordingGap.Reason.overrun
    private var skipping = 0
    /// As in front of a real source, which does not say either what it left out.
    private var drift: DriftWatch

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
        drift = DriftWatch(sampleRate: request.sampleRate.rounded())
        super.init(request, device, .input, events: events)
    }

    func hear(_ reader: SignalReader) {
        self.reader = reader
        gathered.removeAll(keepingCapacity: true)
        drift = DriftWatch(sampleRate: Double(sampleRate))
    }

    override func start(at time: Int64) {
        drift = DriftWatch(sampleRate: Double(sampleRate))
        super.start(at: time)
    }

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

    /// The same without a word.
    func skip(_ frames: Int) { skipping += frames }

    override var isIdle: Bool {
        guard device.configuration.isMuteWhenIdle, let output = device.configuration.monitored else { return false }
        return !devices.played(on: output).contains(where: \.isRunning)
    }

    override func miss(_ frames: Int) { miss(frames, .overrun) }

    private func miss(_ frames: Int, _ reason: RecordingGap.Reason) {
        sink.lost(frames: frames, reason)
        drift.lost(frames)
        devices.post(.overflow(frames: FrameCount(frames)), to: self)
    }

    override func transfer(_ frames: Int, at time: Int64) -> Bool {
        var remaining = frames
        if skipping > 0 {
            let skipped = min(skipping, remaining)
            skipping -= skipped
            remaining -= skipped
            count(skipped)
        }
        if dropping > 0 {
            let dropped = min(dropping, remaining)
            dropping -= dropped
            remaining -= dropped
            count(dropped)
            miss(dropped, reason)
        }
        let start = position
        let isComplete = give(remaining)
        let missing = drift.delivered(position - start, pending: nil, at: time)
        if missing > 0 {
            sink.lost(frames: missing)
            devices.post(.overflow(frames: FrameCount(missing)), to: self)
        }
        return isComplete
    }

    /// - Returns: false where the sink took only a part.
    private func give(_ frames: Int) -> Bool {
        var remaining = frames
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

    /// A delivery comes whole, as from a server: what looks at the clock must not take its pieces for late ones.
    private static let pieceFrames = 65_536

    private func piece(_ frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        let count = min(frames, Self.pieceFrames)
        if device.isMuted {
            if zeros.count < count * channelCount { zeros = [Float](repeating: 0, count: count * channelCount) }
            zeros.withUnsafeBytes { bytes in if let base = bytes.baseAddress { body(base, count) } }
        } else if let output = device.configuration.monitored {
            listen(to: output, frames: count)
            mix.withUnsafeBytes { bytes in if let base = bytes.baseAddress { body(base, count) } }
        } else {
            read(count) { samples, frames in weaken(samples, frames: frames, body) }
        }
    }

    /// What the microphone hears, gathered where its signal comes in smaller pieces. What a sink did not take is kept:
    /// some signals are read once.
    private func read(_ frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        let end = gatheredStart + gathered.count / channelCount
        if position < gatheredStart || position >= end {
            var isWhole = false
            reader.read(position, frames: frames) { samples, count in
                isWhole = count >= frames
                if isWhole { return body(samples, frames) }
                gathered.removeAll(keepingCapacity: true)
                gatheredStart = position
                gather(samples, count)
            }
            if isWhole { return }
            while gathered.count < frames * channelCount {
                let done = gathered.count / channelCount
                reader.read(position + done, frames: frames - done, gather)
            }
        }
        let offset = position - gatheredStart
        let count = min(frames, gathered.count / channelCount - offset)
        gathered.withUnsafeBufferPointer { samples in
            if let base = samples.baseAddress { body(UnsafeRawPointer(base + offset * channelCount), count) }
        }
    }

    private func gather(_ samples: UnsafeRawPointer, _ frames: Int) {
        let heard = samples.assumingMemoryBound(to: Float.self)
        gathered.append(contentsOf: UnsafeBufferPointer(start: heard, count: frames * channelCount))
    }

    /// Brings what is heard to the device's level, and takes the dead channels out.
    private func weaken(_ samples: UnsafeRawPointer, frames: Int, _ body: (UnsafeRawPointer, Int) -> Void) {
        if device.deadChannels.isEmpty, device.volume == 1 { return body(samples, frames) }
        let heard = samples.assumingMemoryBound(to: Float.self)
        let gains = (0..<channelCount).map { device.gain(ofChannel: $0, of: channelCount) }
        mix = (0..<frames * channelCount).map { heard[$0] * gains[$0 % channelCount] }
        mix.withUnsafeBytes { bytes in if let base = bytes.baseAddress { body(base, frames) } }
    }

    /// Mixes what is played, by linear interpolation: right for tones and levels, not for fidelity.
    private func listen(to output: String, frames: Int) {
        mix = [Float](repeating: 0, count: frames * channelCount)
        for flow in devices.played(on: output) {
            for frame in 0..<frames {
                // One frame late, so that the frame behind the moment is there too.
                guard let playing = flow.position(at: time(of: position + frame)) else { continue }
                let place = playing - 1
                for channel in 0..<channelCount {
                    mix[frame * channelCount + channel] += flow.sample(at: place, channel: channel, of: channelCount)
                }
            }
        }
    }
}
