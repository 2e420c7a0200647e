package import AudioCore
import Glibc
import PlatformLinux
import Synchronization

/// What a recording is to become.
package struct TakeConfiguration: Sendable {
    /// The file's path: bytes, no URL.
    package var path: String
    package var container: ContainerKind
    package var encoding: EncodingRequest

    package init(path: String, container: ContainerKind, encoding: EncodingRequest) {
        self.path = path
        self.container = container
        self.encoding = encoding
    }
}

/// How the microphone is to be opened.
package struct TakePlan: Sendable {
    /// The microphone to pin; nil follows the default.
    package var deviceID: String?
    package var mediaRole: String?
    package var processing: StreamProcessing
    /// The length of one delivery.
    package var fragment: Duration

    package init(
        deviceID: String? = nil,
        mediaRole: String? = nil,
        processing: StreamProcessing = .automatic,
        fragment: Duration = .milliseconds(20)
    ) {
        self.deviceID = deviceID
        self.mediaRole = mediaRole
        self.processing = processing
        self.fragment = fragment
    }
}

/// What may wait in memory while the disk does not take it.
package struct TakeLimits: Sendable {
    /// How much of what was heard may wait to be encoded.
    package var waitingAudio: Duration
    /// Bytes of encoded audio that may wait to be written. The default is over an hour of AAC of 96 kbit/s.
    package var waitingBytes: Int
    /// How long `record()`, `pause()` and `stop()` wait for a disk that does not answer.
    package var patience: Duration

    package init(
        waitingAudio: Duration = .seconds(60),
        waitingBytes: Int = 64 << 20,
        patience: Duration = .seconds(10)
    ) {
        self.waitingAudio = waitingAudio
        self.waitingBytes = waitingBytes
        self.patience = patience
    }
}

/// One recording: a microphone stream, two threads and a file. Control calls come from one thread at a time.
final class Take: Sendable {
    enum Event: Sendable {
        case limitReached
        /// The moment has come at which it ends by itself.
        case deadlineReached
        case failed(AudioFailure)
        case notice(TakeNotice)
        case microphone(Microphone.Event)
    }

    private let runtime: Runtime
    private let configuration: TakeConfiguration
    private let patience: Duration
    private let limit: TakeLimit
    private let room = RoomEstimate()
    private let microphone: Microphone
    private let queue: CaptureQueue
    private let encoder: TakeEncoder
    private let files: any TakeFiles
    let meter: LevelMeter
    private let onEvent: @Sendable (Event) -> Void

    /// Opens the microphone, stopped, and makes the new file. An existing file at the path is not touched.
    init(
        _ configuration: TakeConfiguration,
        options: TakeOptions,
        plan: TakePlan,
        runtime: Runtime,
        limits: TakeLimits = TakeLimits(),
        lossPolicy: @escaping @Sendable () -> MicrophoneLossPolicy,
        onEvent: @escaping @Sendable (Event) -> Void
    ) throws(AudioFailure) {
        self.runtime = runtime
        self.onEvent = onEvent
        self.configuration = configuration
        patience = limits.patience
        let limit = TakeLimit(clock: runtime.clock, sampleRate: configuration.encoding.sampleRate) {
            onEvent(.deadlineReached)
        }
        self.limit = limit
        let request = configuration.encoding
        // Before anything is opened: an impossible request must not leave a file or a lit microphone lamp.
        let packetEncoder = try runtime.media.makeEncoder(request)

        let meter = LevelMeter(channelCount: request.channelCount, sampleRate: request.sampleRate)
        let wake = Wakeup()
        func frames(_ duration: Duration) -> Int {
            Int(FrameCount(seconds: duration.inSeconds, sampleRate: request.sampleRate).value)
        }
        queue = CaptureQueue(
            channelCount: request.channelCount,
            nearFrames: frames(.milliseconds(500)),
            farFrames: frames(limits.waitingAudio),
            meter: meter,
            wakeFrames: frames(options.durability.visibleEvery),
            wake: { wake.signal() }
        )
        let clock = runtime.clock
        let selection = options.channelSelection
        let filter = CaptureFilter(
            queue,
            inputChannels: selection?.captureChannels(for: request.channelCount) ?? request.channelCount,
            selection: selection ?? .automatic,
            sampleRate: request.sampleRate,
            now: { clock.now }
        )
        microphone = try Microphone(
            StreamRequest(
                sampleRate: request.sampleRate,
                channelCount: filter.inputChannels,
                deviceID: plan.deviceID,
                fragment: plan.fragment,
                mediaRole: plan.mediaRole,
                processing: plan.processing,
                title: FilePath.lastComponent(configuration.path)
            ),
            devices: runtime.devices,
            filter: filter,
            clock: clock,
            policy: lossPolicy,
            onEvent: { onEvent(.microphone($0)) }
        )
        self.meter = meter
        let container: any ContainerWriter
        let inUse = FileInUse()
        do throws(AudioFailure) {
            let deadline = SuspendingClock.now + limits.patience
            let stream = packetEncoder.stream
            let made = try PatientCall.run(until: deadline) { () throws(AudioFailure) in
                try Self.makeFiles(configuration, options, stream, runtime, inUse)
            } late: { made in
                // Nobody knows of it.
                guard case .success(let (files, _)) = made else { return }
                files.close()
                files.discard()
            }
            guard let made else { throw Self.silentDisk(configuration.path, "Nothing was recorded.") }
            (files, container) = made
        } catch {
            microphone.close()
            throw error.errno == nil ? error : Self.named(error, path: configuration.path)
        }
        let (files, path) = (files, configuration.path)
        let watch = RoomWatch(
            inUse,
            at: path,
            files: runtime.files,
            sampleRate: request.sampleRate,
            expectedRate: request.expectedByteRate,
            estimate: room
        )
        let rescue = RescueFolders(options.rescueFolders, for: path, files: runtime.files, inUse: inUse)
        let output = TakeOutput(container: container, watch: watch, rescue: rescue) { files.close() }
        let writer = TakeWriter(output, queueLimit: limits.waitingBytes) { event in
            switch event {
            case .failed(let failure): onEvent(.failed(Self.named(failure, path: path)))
            case .notice(let notice): onEvent(.notice(notice))
            }
        }
        encoder = TakeEncoder(
            encoder: packetEncoder,
            queue: queue,
            writer: writer,
            wake: wake,
            durability: options.durability,
            onTurn: { limit.check() },
            onLimit: { onEvent(limit.isMoment ? .deadlineReached : .limitReached) },
            onGap: { onEvent(.notice(.gap($0))) },
            onFailure: { onEvent(.failed($0)) }
        )
    }

    private static func makeFiles(
        _ configuration: TakeConfiguration,
        _ options: TakeOptions,
        _ stream: StreamDescription,
        _ runtime: Runtime,
        _ inUse: FileInUse
    ) throws(AudioFailure) -> (any TakeFiles, any ContainerWriter) {
        if options.partLength == nil {
            return try SingleTakeFile.make(
                configuration,
                options: options,
                stream: stream,
                runtime: runtime,
                inUse: inUse
            )
        }
        return try TakeParts.make(configuration, options: options, stream: stream, runtime: runtime, inUse: inUse)
    }

    var keptFrames: FrameCount { encoder.keptFrames }

    var device: DeviceDescription? { microphone.device }

    var latency: FrameCount { microphone.latency }

    var clockDrift: Double? { microphone.clockDrift }

    /// Seconds that the disk has room for, by the last look; nil where it is not known.
    var secondsLeft: Double? { room.secondsLeft }

    /// Gaps of the recording so far, in order.
    var gaps: [RecordingGap] { encoder.gaps }

    /// Markers of the recording so far, in the order in which they were set.
    var markers: [MediaMetadata.Marker] { encoder.markers }

    /// See `TakeEncoder.addMarker`.
    func addMarker(_ name: String) -> MediaMetadata.Marker? {
        guard let marker = encoder.addMarker(name) else { return nil }
        onEvent(.notice(.marker(marker)))
        return marker
    }

    /// The length at which it ends by itself; nil for none.
    func setLimit(_ frames: FrameCount?) {
        limit.set(frames: frames)
        encoder.setLimit(limit.frames)
    }

    /// The moment at which it ends by itself; nil for never.
    /// - Parameter first: when the next frame is heard.
    func setDeadline(_ moment: HostTime?, first: HostTime) {
        limit.set(moment: moment, first: first, after: keptFrames)
        encoder.setLimit(limit.frames)
    }

    /// The same while it runs.
    func setDeadline(_ moment: HostTime?, isFlowing: Bool) {
        limit.set(moment: moment, first: runtime.clock.now, after: isFlowing ? encoder.nextFrame : keptFrames)
        encoder.setLimit(limit.frames)
    }

    /// What is heard is recorded as silence, or as it is again.
    func setMuted(_ isMuted: Bool) { microphone.filter.setMuted(isMuted) }

    /// Lets the microphone flow and puts the new file in the place of the old.
    /// - Parameter time: the moment of the first frame; nil or past means at once.
    func start(at time: HostTime?) throws(AudioFailure) {
        if let time {
            let wait = (time - runtime.clock.now).inSeconds
            encoder.skip(FrameCount(seconds: wait, sampleRate: configuration.encoding.sampleRate))
        }
        try microphone.start()
        let (path, files, store, onEvent) = (configuration.path, files, runtime.files, onEvent)
        // A disk that stands still just now may have given the file its name: then what was there before is gone, and what is
        // heard goes into its place when the disk answers. So the recording goes on, as with any stall.
        _ = try PatientCall.run(until: SuspendingClock.now + patience) { () throws(AudioFailure) in
            try Self.naming(path) { () throws(AudioFailure) in try files.publish() }
            do throws(AudioFailure) {
                try store.synchronizeFolder(FilePath.folder(of: path))
            } catch {
                // The new file has its name, and with it the place of the old: it is kept like any take whose disk fails.
                onEvent(.failed(Self.named(error, path: path)))
            }
        } late: { outcome in
            if case .failure(let error) = outcome { onEvent(.failed(error)) }
        }
    }

    private static func silentDisk(_ path: String, _ consequence: String) -> AudioFailure {
        AudioFailure(.inputOutput, "The disk of '\(path)' does not answer. \(consequence)", path: path)
    }

    /// Speaks of the file that the caller knows instead of the name that it has before it is started.
    private static func naming<Result>(_ path: String, _ body: () throws(AudioFailure) -> Result) throws(AudioFailure)
        -> Result
    {
        do throws(AudioFailure) { return try body() } catch { throw named(error, path: path) }
    }

    private static func named(_ failure: AudioFailure, path: String) -> AudioFailure {
        var failure = failure
        let reason = failure.errno.map { String(cString: strerror($0)) + "." } ?? failure.message
        failure.message = "Cannot record to '\(path)': \(reason)"
        failure.path = path
        return failure
    }

    /// Lets the microphone flow again; one that went away in the meantime is opened anew.
    func resume(from stop: Standstill) throws(AudioFailure) {
        if !microphone.isOpen { try microphone.reopen() }
        let place = encoder.nextFrame
        try microphone.start(from: stop)
        if stop == .interruption(filled: false) { encoder.markInterruption(at: place) }
    }

    /// Everything heard before the call is on the disk when it returns, if the disk takes it in time; the flow goes on.
    func secure(within limit: Duration) throws(AudioFailure) { try encoder.flush(until: SuspendingClock.now + limit) }

    /// Stops the flow; everything heard before the call is on the disk when it returns.
    func suspend() throws(AudioFailure) {
        try microphone.pause()
        // A gap at the end counts from here on: nothing may follow.
        queue.endDelivery()
        let deadline = SuspendingClock.now + patience
        try Self.naming(configuration.path) { () throws(AudioFailure) in try encoder.flush(until: deadline) }
    }

    /// Completes and closes the file; everything heard before the call is in it.
    /// - Throws: `inputOutput` too where the disk does not answer in time. Its thread then completes the file when it does.
    func finish() throws(AudioFailure) {
        microphone.end()
        queue.endDelivery()
        let deadline = SuspendingClock.now + patience
        let answered = try Self.naming(configuration.path) { () throws(AudioFailure) in
            try encoder.finish(until: deadline)
        }
        if answered { return }
        throw Self.silentDisk(
            configuration.path,
            "The file holds what had reached it; the rest, which is in memory, follows if the disk answers while the program "
                + "runs."
        )
    }

    /// What makes one file of the parts; nil where there are none. Has them from now on. Once, after `finish`.
    func makeJoin() -> JoinJob.Start? { files.makeJoin() }

    /// Closes everything and removes the file, which never got its name.
    func discard() {
        microphone.close()
        let deadline = SuspendingClock.now + patience
        _ = try? encoder.finish(until: deadline)
        let files = files
        _ = try? PatientCall.run(until: deadline) { () throws(AudioFailure) in files.discard() }
    }
}
