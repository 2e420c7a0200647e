import AudioCore

/// One stream of the speaker on which all sounds of one sample rate are mixed. Used in the turns of one queue.
struct SoundOutput: Sendable {
    /// A sound that is playing.
    struct Voice: Sendable {
        let request: SoundRequest
        /// Keeps the samples where they are.
        let clip: SoundClip
        /// When the speaker has taken nothing for too long.
        let deadline: HostTime
        var isStopped = false
    }

    let number: Int
    let mixer: VoiceMixer
    let stream: any DeviceStream
    let sampleRate: Double
    /// The device layer that the stream belongs to.
    private let devices: any AudioDeviceHost
    let clock: any HostClock
    private var voices: [Int: Voice] = [:]
    /// Since when there is nothing to play.
    private(set) var idleSince: HostTime

    /// How much later than the clock expects a sound may end: after that the speaker counts as stuck. Wireless ones take
    /// seconds to wake.
    private static let patience = Duration.seconds(5)
    /// The length of one delivery: a sound that is added waits for two and a half of them.
    private static let fragment = Duration.milliseconds(10)
    /// Between two looks at a voice that should have ended.
    private static let shortestWait = Duration.milliseconds(2)

    /// Opens the stream; it does not flow yet.
    init(
        number: Int,
        sampleRate: Double,
        runtime: Runtime,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) {
        self.number = number
        self.sampleRate = sampleRate
        mixer = VoiceMixer(sampleRate: sampleRate)
        clock = runtime.clock
        devices = runtime.devices
        idleSince = clock.now
        stream = try runtime.devices.openPlayback(
            StreamRequest(
                sampleRate: sampleRate,
                channelCount: VoiceMixer.channelCount,
                fragment: Self.fragment,
                mediaRole: "event",
                title: "System sounds"
            ),
            source: mixer,
            events: events
        )
    }

    /// Both are one device layer. Values that are no objects never are.
    static func isSame(_ a: any AudioDeviceHost, _ b: any AudioDeviceHost) -> Bool {
        (a as AnyObject) === (b as AnyObject)
    }

    /// The stream is one of the devices that are in use now.
    func belongs(to runtime: Runtime) -> Bool { Self.isSame(devices, runtime.devices) }

    var isIdle: Bool { voices.isEmpty }

    /// Has `sounds` begin in the same frame once the stream flows, and gives those back for which there is no voice left.
    mutating func add(_ sounds: [(SoundRequest, SoundClip)]) -> [SoundRequest] {
        let slots = mixer.add(sounds.map(\.1.sound))
        var refused: [SoundRequest] = []
        for (slot, (request, clip)) in zip(slots, sounds) {
            guard let slot else {
                refused.append(request)
                continue
            }
            let deadline = clock.now + (clip.duration + Self.patience)
            voices[slot] = Voice(request: request, clip: clip, deadline: deadline)
        }
        return refused
    }

    /// Lets the stream flow, if it does not yet.
    func start() throws(AudioFailure) { try stream.start() }

    /// Makes every voice of a sound silent.
    mutating func stop(_ id: UInt32) {
        for (slot, voice) in voices where voice.request.id == id {
            mixer.stop(slot)
            voices[slot]?.isStopped = true
        }
    }

    /// Takes out the voices that have been heard to their end, in the order of their ends; nil where the speaker is stuck.
    mutating func takeHeard() -> [SoundRequest]? {
        if voices.isEmpty { return [] }
        let heard = mixer.rendered - max(stream.latency().value, 0)
        let now = clock.now
        var ended: [(end: Int64, slot: Int, request: SoundRequest)] = []
        for (slot, voice) in voices {
            let isDone = mixer.progress(slot) == .done
            let end = mixer.end(slot)
            if isDone, voice.isStopped || end <= heard {
                ended.append((voice.isStopped ? heard : end, slot, voice.request))
            } else if now >= voice.deadline {
                return nil
            }
        }
        ended.sort { ($0.end, $0.request.number) < ($1.end, $1.request.number) }
        for voice in ended {
            mixer.release(voice.slot)
            voices[voice.slot] = nil
        }
        if voices.isEmpty { idleSince = now }
        return ended.map(\.request)
    }

    /// When the next voice will have been heard.
    func untilNext() -> Duration? {
        let latency = max(stream.latency().value, 0)
        let heard = mixer.rendered - latency
        let frames: [Int64] = voices.map { slot, voice in
            if voice.isStopped { return 0 }
            switch mixer.progress(slot) {
            case .waiting: return Int64(voice.clip.frameCount) + latency
            case .playing(let end): return end - heard
            case .done: return mixer.end(slot) - heard
            }
        }
        return frames.min().map { frames in
            max(.nanoseconds(Int64(Double(max(frames, 0)) / sampleRate * 1e9)), Self.shortestWait)
        }
    }

    /// Ends the stream, whatever plays.
    /// - Returns: what was cut off.
    mutating func close() -> [SoundRequest] {
        stream.close()
        defer { voices = [:] }
        return voices.values.map(\.request).sorted { $0.number < $1.number }
    }
}
