package import AudioCore
import PlatformLinux
import Synchronization

/// A player without Apple's names: carries out what `PlayerMachine` decides.
///
/// Calls may come from any thread; they take turns on a queue of the engine's own.
package final class PlayerEngine: MachineEngine {
    /// What is known of the recording once it is open.
    package struct Recording: Sendable {
        package var stream: StreamDescription
        package var container: ContainerKind
        package var format: PCMFormat
        package var length: FrameCount?
    }

    /// Volume, pan and the rest that is set from outside at any time.
    private struct Settings {
        var volume: Float = 1
        var pan: Float = 0
        /// Others asked for quiet.
        var isLowered = false
        var isMuted = false
        var loops = 0
        var isRateEnabled = false
        var rate: Float = 1
        /// The speaker that the owner chose, before the one that the session wants.
        var deviceID: String?
        var plannedDeviceID: String?
        var assignment: ChannelAssignment?
        var mediaRole: String?
        var processing = StreamProcessing.automatic
    }

    struct Control: EngineControl {
        var machine = PlayerMachine()
        var stream: (any DeviceStream)?
        /// Where `play` goes on when nothing is open.
        var position: FrameCount = 0
        var failure: AudioFailure?
        var generation = 0
        /// When it is to be heard, until it stands still again; nil for at once.
        var moment: HostTime?
        /// The server is gone, and the speaker with it.
        var wait: SpeakerWait?
        var waits = 0
        /// The server has asked that the stream waits.
        var isCorked = false
    }

    /// Longer than the default of a stream: a busy machine must not be heard. The first frames do not wait for it.
    private static let fragment = Duration.milliseconds(60)

    package let recording: Recording
    package let meter: LevelMeter

    package let reports: EngineReports
    let control = ControlQueue(label: "kayit.player", Control())
    let runtime: Runtime
    private let title: String
    let speakerLost: @Sendable () -> Void
    private let corked: @Sendable (Bool) -> Void
    private let speakerChanged: @Sendable (SpeakerChange) -> Void
    private let wake = Wakeup()
    private let queue: PlaybackQueue
    private let pump: PlaybackPump
    private let settings = Mutex(Settings())
    /// The phase and the open stream, for readers that wait for nobody.
    private let published = Mutex<(phase: PlayerMachine.Phase, stream: (any DeviceStream)?, position: FrameCount)>(
        (.stopped, nil, 0)
    )
    private let failureOfPump: FailureRelay

    /// Opens the recording and reads what it says of itself; the speaker stays closed.
    /// - Parameters:
    ///   - title: shown by mixers.
    ///   - speakerLost: told in order with the reports; the player has stopped, and `play` opens the next speaker.
    ///   - corked: the server asks that the player waits for somebody else's sound (true), or does so no longer. Nothing is
    ///     done about it here. On the player's queue: may only post.
    ///   - speakerChanged: what the server did to the stream while it plays. As `corked`.
    package init(
        _ source: any ByteSource,
        hint: ContainerKind?,
        title: String,
        runtime: Runtime,
        speakerLost: @escaping @Sendable () -> Void = {},
        corked: @escaping @Sendable (Bool) -> Void = { _ in },
        speakerChanged: @escaping @Sendable (SpeakerChange) -> Void = { _ in },
        report: @escaping @Sendable (EngineReport) -> Void
    ) throws(AudioFailure) {
        self.runtime = runtime
        self.title = title
        self.speakerLost = speakerLost
        self.corked = corked
        self.speakerChanged = speakerChanged
        reports = EngineReports(runtime.callbacks, deliver: report)
        let reader = try FrameReader(source, media: runtime.media, hint: hint)
        recording = Recording(
            stream: reader.reader.stream,
            container: reader.reader.container,
            format: reader.format,
            length: reader.length
        )
        // Mono becomes stereo, so that it can be panned.
        let channels = max(2, reader.format.channelCount)
        meter = LevelMeter(channelCount: channels, sampleRate: reader.format.sampleRate)
        let wake = self.wake
        queue = PlaybackQueue(
            channelCount: channels,
            capacity: Int((reader.format.sampleRate * 0.5).rounded()),
            meter: meter,
            wake: { wake.signal() }
        )
        let relay = FailureRelay()
        failureOfPump = relay
        pump = PlaybackPump(reader: reader, queue: queue, wake: wake, loops: 0, stretchers: runtime.stretchers) {
            relay.send($0)
        }
        relay.connect { [weak self] failure in self?.fail(failure) }
        pump.run()
    }

    deinit {
        control.last { control in
            control.stream?.close()
            if control.isCorked { corked(false) }
        }
        pump.end()
    }

    // MARK: State

    /// While it waits for a server that is gone it counts as playing.
    package var phase: PlayerMachine.Phase {
        let phase = published.withLock { $0.phase }
        return phase == .waiting ? .playing : phase
    }

    /// Frames of the recording; nil while only playing everything would tell.
    package var length: FrameCount? { recording.length ?? pump.length }

    /// The frame that is heard now, or where `play` would go on.
    package var position: FrameCount {
        let (phase, stream, position) = published.withLock { $0 }
        guard phase != .stopped, let stream else { return position }
        return pump.position(rendered: queue.rendered - stream.latency().value)
    }

    /// The speaker in use; nil while none is open, and where the device layer does not say.
    package var device: DeviceDescription? { published.withLock { $0.stream }?.device }

    /// Frames between the decoder and the ear; nil while no speaker is open.
    package var latency: FrameCount? { published.withLock { $0.stream }?.latency() }

    // MARK: Settings

    package var volume: Float { settings.withLock { $0.volume } }
    package var pan: Float { settings.withLock { $0.pan } }
    package var loops: Int { settings.withLock { $0.loops } }
    package var deviceID: String? { settings.withLock { $0.deviceID } }

    /// - Parameters:
    ///   - volume: 0 (silent) … 1 (as recorded); more amplifies.
    ///   - fade: the time over which it is reached in a straight line.
    package func setVolume(_ volume: Float, fade: Duration = .zero) {
        settings.withLock { $0.volume = max(volume.isFinite ? volume : 0, 0) }
        updateGains(over: FrameCount(seconds: fade.inSeconds, sampleRate: recording.format.sampleRate))
    }

    /// Makes everything quieter by 14 dB, or as loud as before, over a quarter of a second. `volume` stays what it is.
    package func setLowered(_ isLowered: Bool) {
        let isNew = settings.withLock { settings in
            defer { settings.isLowered = isLowered }
            return settings.isLowered != isLowered
        }
        if isNew { updateGains(over: FrameCount(seconds: 0.25, sampleRate: recording.format.sampleRate)) }
    }

    /// Makes everything silent, or heard again. `volume` stays what it is.
    package func setMuted(_ isMuted: Bool) {
        let isNew = settings.withLock { settings in
            defer { settings.isMuted = isMuted }
            return settings.isMuted != isMuted
        }
        if isNew { updateGains(over: 0) }
    }

    /// - Parameter pan: −1 (left) … 1 (right); clamped.
    package func setPan(_ pan: Float) {
        settings.withLock { $0.pan = min(max(pan.isFinite ? pan : 0, -1), 1) }
        updateGains(over: 0)
    }

    /// - Parameter loops: returns to the start upon reaching the end; negative means for ever.
    package func setLoops(_ loops: Int) {
        settings.withLock { $0.loops = loops }
        pump.setLoops(loops)
    }

    /// Whether `rate` counts, otherwise it is 1; and the rate, 0.5 … 2, clamped.
    package var isRateEnabled: Bool { settings.withLock { $0.isRateEnabled } }
    package var rate: Float { settings.withLock { $0.rate } }

    /// - Throws: `unsupported` where the sound can be played at its own speed only; nothing has changed then.
    package func setRate(_ rate: Float? = nil, isEnabled: Bool? = nil) throws(AudioFailure) {
        let bounds = RateStage.rates
        let asked = rate.map { $0.isFinite ? min(max($0, Float(bounds.lowerBound)), Float(bounds.upperBound)) : 1 }
        let (newRate, newEnabled) = settings.withLock { (asked ?? $0.rate, isEnabled ?? $0.isRateEnabled) }
        try pump.setRate(newEnabled ? Double(newRate) : 1, isAdjustable: newEnabled)
        settings.withLock { settings in
            settings.rate = newRate
            settings.isRateEnabled = newEnabled
        }
    }

    /// The speaker to pin, nil to follow the plan; from the next opening on.
    package func setDevice(_ id: String?) { settings.withLock { $0.deviceID = id } }

    /// The channels of a speaker to play on, one for each channel of the recording, nil for those of the device layer's choice;
    /// from the next opening on.
    package func setAssignment(_ assignment: ChannelAssignment?) throws(AudioFailure) {
        if let assignment, assignment.places.count != recording.format.channelCount {
            throw AudioFailure(
                .invalidArgument,
                "A sound of \(recording.format.channelCount) channels cannot be assigned to "
                    + "\(assignment.places.count) channels."
            )
        }
        settings.withLock { $0.assignment = assignment }
    }

    /// What the session wants of the next opening: the speaker, nil for the default, and what the sound is for.
    package func applyPlan(deviceID: String?, mediaRole: String?, processing: StreamProcessing) {
        settings.withLock { settings in
            settings.plannedDeviceID = deviceID
            settings.mediaRole = mediaRole
            settings.processing = processing
        }
    }

    private func updateGains(over frames: FrameCount) {
        let (left, right) = gains
        queue.setGains(left: left, right: right, over: frames.value)
    }

    /// The balance law: the side that is panned away from falls in a straight line, the other keeps its level.
    private var gains: (Float, Float) {
        let (volume, pan, isOnePlace) = settings.withLock { settings in
            (
                settings.isMuted ? 0 : settings.isLowered ? settings.volume * 0.2 : settings.volume, settings.pan,
                settings.assignment?.places.count == 1
            )
        }
        // With more channels than two there is no left and right, nor where one channel has one place.
        if recording.format.channelCount > 2 || isOnePlace { return (volume, volume) }
        return (volume * min(1, 1 - pan), volume * min(1, 1 + pan))
    }

    // MARK: Control

    package func prepare() throws(AudioFailure) { try perform(.prepare) }

    /// - Parameter moment: when the frame at the position is to be heard, by the runtime's clock; nil or passed means at once.
    ///   Nothing happens where it plays already, or waits for its moment.
    package func play(at moment: HostTime? = nil) throws(AudioFailure) {
        try perform(.play) { control in
            if control.machine.phase != .playing { control.moment = moment }
        }
    }

    package func pause() { try? perform(.pause) }
    package func stop() { try? perform(.stop) }

    /// Ends without a word to the owner, who is going away.
    package func release() { try? perform(.release) }

    /// Goes to `frame`, clamped to the recording, and on from there if it plays.
    package func seek(to frame: FrameCount) throws(AudioFailure) {
        try control.sync { control throws(AudioFailure) in
            let target = min(max(frame, 0), self.length ?? FrameCount(.max / 2))
            control.position = target
            defer { self.publish(control) }
            guard let stream = control.stream else { return }
            if control.machine.phase == .playing { try stream.pause() }
            try self.refill(stream, from: target)
            if control.machine.phase == .playing { try self.start(stream, control) }
        }
    }

    /// Drops what the speaker has, and has it get `frame` next. Only while it stands still.
    private func refill(_ stream: any DeviceStream, from frame: FrameCount) throws(AudioFailure) {
        queue.close()
        defer { queue.open() }
        try pump.seek(to: frame)
        try stream.flush()
    }

    private func start(_ stream: any DeviceStream, _ control: Control) throws(AudioFailure) {
        guard let moment = control.moment, moment > runtime.clock.now else { return try stream.start() }
        // What the speaker has already would be heard before the moment.
        if queue.rendered > 0 {
            try refill(stream, from: pump.position(rendered: queue.rendered - stream.latency().value))
        }
        try stream.start(at: moment)
    }

    func publish(_ control: Control) {
        published.withLock { $0 = (control.machine.phase, control.stream, control.position) }
    }

    func carryOut(_ effect: PlayerMachine.Effect, _ control: inout Control) throws(AudioFailure) {
        switch effect {
        case .open: try open(&control)
        case .start: if let stream = control.stream { try start(stream, control) }
        case .suspend:
            control.moment = nil
            try control.stream?.pause()
        case .close:
            if let stream = control.stream {
                control.position = pump.position(rendered: queue.rendered - stream.latency().value)
                stream.close()
                control.stream = nil
            }
            control.moment = nil
            // A stream that is gone is not asked to go on.
            noteCorked(false, &control)
            control.generation += 1
            meter.reset()
        case .awaitSpeaker: awaitSpeaker(&control)
        case .endWait: control.wait = nil
        case .rewind: control.position = 0
        case .reportError:
            publish(control)
            tellFailure(&control)
        case .reportFinished(let successfully):
            // Who hears of the end must find it.
            publish(control)
            tell(.finished(successfully: successfully))
        }
    }

    private func open(_ control: inout Control) throws(AudioFailure) {
        let wanted = settings.withLock { $0 }
        try wanted.assignment?.check(against: wanted.deviceID)
        // At the end there is nothing to play: as after a natural end, playing begins at the start.
        if let length, control.position >= length { control.position = 0 }
        queue.close()
        defer { queue.open() }
        pump.setLoops(wanted.loops)
        try pump.seek(to: control.position)
        let (left, right) = gains
        queue.setGainsAtOnce(left: left, right: right)
        let generation = control.generation
        control.stream = try runtime.devices.openPlayback(
            StreamRequest(
                sampleRate: recording.format.sampleRate,
                channelCount: queue.channelCount,
                deviceID: wanted.assignment?.deviceID ?? wanted.deviceID ?? wanted.plannedDeviceID,
                fragment: Self.fragment,
                mediaRole: wanted.mediaRole,
                processing: wanted.processing,
                title: title,
                channelPlaces: wanted.assignment?.places(channelCount: queue.channelCount)
            ),
            source: queue,
            events: { [weak self] event in self?.receive(event, generation: generation) }
        )
    }

    /// From a thread of the device layer.
    private func receive(_ event: StreamEvent, generation: Int) {
        let hold = runtime.clock.hold()
        enqueue(generation: generation) { engine, control in
            defer { withExtendedLifetime(hold) {} }
            switch event {
            case .drained:
                // A seek may have come in between.
                if engine.queue.isSpent { try? engine.handle(.ended, &control) }
            case .lost(let failure) where failure.code == .serverUnavailable: engine.serverLost(failure, &control)
            case .lost:
                try? engine.handle(.deviceLost, &control)
                engine.reports.afterAll(engine.speakerLost)
            case .corked(let isCorked): engine.noteCorked(isCorked, &control)
            case .moved(_, let device): engine.speakerChanged(.moved(to: device))
            case .suspended: if control.machine.phase == .playing { engine.speakerChanged(.fellAsleepOrAwoke) }
            case .overflow, .underflow: break
            }
        }
    }

    private func noteCorked(_ isCorked: Bool, _ control: inout Control) {
        if isCorked == control.isCorked { return }
        control.isCorked = isCorked
        corked(isCorked)
    }

    /// From the decoder's thread.
    private func fail(_ failure: AudioFailure) {
        control.async { [self] control in
            control.failure = failure
            try? handle(.undecodable, &control)
        }
    }
}
