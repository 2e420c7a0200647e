import AudioCore

/// A stream of a speaker.
final class SimulatedPlaybackFlow: SimulatedFlow, @unchecked Sendable {
    // Unchecked: as `SimulatedFlow`.
    private let source: any PlaybackSource
    private let waitsForSource: Bool
    private let places: [Int?]?
    private unowned let devices: SimulatedDevices
    private var isStarving = false
    private var ending = Ending.none
    private var block: [Float]
    private var recent: [Float] = []
    private var recentStart = 0
    let track: SimulatedTrack

    /// Frames kept for monitors: a burst of the longest kind may pass before they look.
    private static let recentSeconds = 1
    private static let blockFrames = 1024

    init(
        _ request: StreamRequest,
        _ device: SimulatedDevice,
        source: any PlaybackSource,
        waitsForSource: Bool,
        track: SimulatedTrack,
        devices: SimulatedDevices,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) {
        self.source = source
        self.waitsForSource = waitsForSource
        places = request.channelPlaces
        self.track = track
        self.devices = devices
        block = [Float](repeating: 0, count: Self.blockFrames * request.channelCount)
        super.init(request, device, .output, events: events)
    }

    /// The way from the source's last frame to the listener's ear.
    private enum Ending: Equatable {
        case none
        /// Frames of latency before the last frame is heard.
        case playingOut(Int)
        case heard
    }

    /// Asks the source anew, if its end was heard.
    func begin() {
        if ending == .heard { ending = .none }
        isStarving = false
    }

    /// Drops what was not heard yet.
    func dropEnd() { ending = .none }

    override func transfer(_ frames: Int, at time: Int64) -> Bool {
        var remaining = frames
        while remaining > 0 {
            if case .playingOut(let left) = ending {
                playOut(left, of: &remaining)
                continue
            }
            if ending == .heard { return true }
            let asked = min(remaining, Self.blockFrames)
            let result = block.withUnsafeMutableBytes { bytes in
                bytes.baseAddress.map { source.render(into: $0, frames: asked) }
                    ?? RenderResult(frames: 0, isLast: true)
            }
            let rendered = min(max(result.frames, 0), asked)
            let isShort = rendered < asked && !result.isLast
            let heard = isShort && !waitsForSource ? asked : rendered
            for index in (rendered * channelCount)..<(heard * channelCount) { block[index] = 0 }
            let samples = block[..<(heard * channelCount)]
            track.append(samples)
            remember(samples)
            remaining -= heard
            if result.isLast {
                let latency = FrameCount(seconds: devices.latency.inSeconds, sampleRate: Double(sampleRate))
                ending = .playingOut(max(Int(latency.value), 0))
            } else if isShort {
                if waitsForSource { return false }
                if !isStarving { devices.post(.underflow, to: self) }
            }
            isStarving = isShort
        }
        return true
    }

    private func playOut(_ left: Int, of remaining: inout Int) {
        let silent = min(left, remaining, Self.blockFrames)
        remember(ArraySlice(repeating: 0, count: silent * channelCount))
        remaining -= silent
        ending = .playingOut(left - silent)
        if left > silent { return }
        ending = .heard
        stop()
        devices.post(.drained, to: self)
    }

    /// Keeps frames for monitors, and counts them.
    private func remember(_ samples: ArraySlice<Float>) {
        let limit = Self.recentSeconds * sampleRate * channelCount
        if recent.count + samples.count > 2 * limit {
            let surplus = max(recent.count - limit, 0)
            recent.removeFirst(surplus)
            recentStart += surplus / channelCount
        }
        recent.append(contentsOf: samples)
        count(samples.count / channelCount)
    }

    /// One sample of what was played, between the frames; 0 where nothing was.
    func sample(at place: Double, channel: Int, of channels: Int) -> Float {
        let offset = place - Double(recentStart)
        let count = recent.count / channelCount
        if offset < 0, offset > -1, recentStart == 0, count > 0 {
            // Between the silence before and the first frame: a nanosecond must not cost a frame.
            return Float(offset + 1) * sample(at: 0, channel: channel, of: channels)
        }
        guard offset >= 0, offset < Double(count) else { return 0 }
        let index = Int(offset)
        let fraction = Float(offset - Double(index))
        let next = min(index + 1, count - 1)
        if let places {
            var sum: Float = 0
            for (own, place) in places.enumerated() where place != nil && (place == channel || channels == 1) {
                let a = recent[index * channelCount + own]
                sum += a + (recent[next * channelCount + own] - a) * fraction
            }
            return channels == 1 ? sum / Float(max(device.channelCount, 1)) : sum
        }
        if channels == 1, channelCount > 1 {
            var sum: Float = 0
            for other in 0..<channelCount {
                let a = recent[index * channelCount + other]
                sum += a + (recent[next * channelCount + other] - a) * fraction
            }
            return sum / Float(channelCount)
        }
        let own = min(channel, channelCount - 1)
        let a = recent[index * channelCount + own]
        return a + (recent[next * channelCount + own] - a) * fraction
    }
}
