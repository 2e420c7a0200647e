package import AudioCore
package import AudioRuntime
public import Foundation
import Synchronization

/// Records the microphone to a file.
///
/// The file is complete and playable at every moment of the recording; see `RecordingAudio`. Levels, times and callbacks are
/// those of Apple's class. Members may be called from any thread; the delegate is called on the main queue.
open class AVAudioRecorder: NSObject, @unchecked Sendable {
    // Unchecked because the class is open: all that changes is guarded by the lock `state` or lives in the engine.

    private struct State {
        var isMeteringEnabled = false
        var meterValues: [(average: Float, peak: Float)] = []
        var channelAssignments: [AVAudioSessionChannelDescription]?
    }

    /// Nil for a recorder that was made without a file.
    private let client: RecorderClient?
    private let relay = DelegateRelay()
    private let clock: any HostClock
    private let state = Mutex(State())
    private let encodedFormat: AVAudioFormat?

    // MARK: Making a recorder

    /// A recorder without a file: it does not record.
    public override init() {
        client = nil
        encodedFormat = nil
        clock = Runtime.current.clock
        url = URL(fileURLWithPath: "/dev/null")
        settings = [:]
        super.init()
    }

    /// A recorder to a file. Nothing is opened or changed yet.
    /// - Parameters:
    ///   - url: a file URL. Its extension decides the container (m4a, caf, wav, aif, aiff, aifc, flac, opus) unless
    ///     `AVAudioFileTypeKey` does. A file that is there is replaced when `record()` has started.
    ///   - settings: keys of AVAudioSettings; every numeric type is taken.
    /// - Throws: in `NSOSStatusErrorDomain`, for settings that cannot be met; the description names the key and what is
    ///   allowed.
    public convenience init(url: URL, settings: [String: Any]) throws {
        try self.init(url: url, settings: settings, runtime: .current, session: .shared)
    }

    /// A recorder to a file in a format.
    /// - Parameters:
    ///   - url: a file URL; see `init(url:settings:)`.
    ///   - format: what is recorded, as its `settings` say.
    /// - Throws: in `NSOSStatusErrorDomain`, for a format that cannot be met.
    public convenience init(url: URL, format: AVAudioFormat) throws {
        var settings = format.settings
        // A format in memory says how it lies there; a file is interleaved in the byte order of its container.
        settings[AVLinearPCMIsNonInterleaved] = nil
        if format.commonFormat != .otherFormat { settings[AVLinearPCMIsBigEndianKey] = nil }
        try self.init(url: url, settings: settings, runtime: .current, session: .shared)
    }

    /// A recorder on another runtime. For tests.
    package init(url: URL, settings: [String: Any], runtime: Runtime, session: SessionCore) throws {
        self.url = url
        self.settings = settings
        clock = runtime.clock
        let reports = DelegateReports<AVAudioRecorder>(relay: relay)
        do throws(AudioFailure) {
            guard url.isFileURL else {
                throw AudioFailure(
                    .unsupported,
                    "'\(url.absoluteString)' is not a file URL: only files are recorded to."
                )
            }
            let recording = try RecordingSettings(settings, url: url)
            encodedFormat = AVAudioFormat(of: try recording.stream(with: runtime.media))
            let engine = RecorderEngine(
                TakeConfiguration(path: url.path, container: recording.container, encoding: recording.encoding),
                runtime: runtime,
                plan: {
                    let plan = session.streamPlan(for: .recording)
                    return TakePlan(
                        deviceID: plan.deviceID,
                        mediaRole: plan.mediaRole,
                        processing: plan.processing,
                        fragment: plan.fragment
                    )
                },
                report: { reports.receive($0) }
            )
            // A dead channel of a stereo microphone must not halve a mono recording.
            engine.options.channelSelection = .automatic
            client = RecorderClient(engine: engine, session: session)
        } catch {
            throw error.appleError
        }
        super.init()
        reports.connect(self)
    }

    deinit {
        client?.engine.release()
        client?.endActivity()
    }

    /// What records; nil for a recorder without a file. For what Apple's API cannot say.
    package var engine: RecorderEngine? { client?.engine }

    // MARK: Recording

    /// Opens the microphone and makes the new file beside the old, so that `record()` starts at once. Done by `record()`
    /// where it was not.
    /// - Returns: false where that cannot be done; the delegate gets the reason. A file that is there stays as it is.
    @discardableResult
    open func prepareToRecord() -> Bool {
        attempt("prepareToRecord()") { client throws(AudioFailure) in try client.prepare() }
    }

    /// Starts a new recording, or goes on after `pause()`.
    ///
    /// Once the microphone flows, the new file takes the place of one that is there. After `stop()` a new recording replaces
    /// the last one.
    /// - Returns: false where it cannot, because there is no microphone or no room, or the session's category does not allow
    ///   it; the delegate gets the reason, and a file that is there stays as it is.
    @discardableResult
    open func record() -> Bool { record(at: nil, duration: nil) }

    /// Starts a recording whose first frame is that of a moment to come.
    /// - Parameter time: in seconds of `deviceCurrentTime`; a moment that has passed means at once.
    /// - Returns: false where it cannot; see `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval) -> Bool { record(at: time, duration: nil) }

    /// Records until the file is `duration` seconds long, to the frame, then stops by itself.
    /// - Returns: false where it cannot; see `record()`.
    @discardableResult
    open func record(forDuration duration: TimeInterval) -> Bool { record(at: nil, duration: duration) }

    /// Starts at a moment to come and records until the file is `duration` seconds long.
    /// - Parameters:
    ///   - time: in seconds of `deviceCurrentTime`; a moment that has passed means at once.
    ///   - duration: in seconds, 0 or more.
    /// - Returns: false where it cannot; see `record()`.
    @discardableResult
    open func record(atTime time: TimeInterval, forDuration duration: TimeInterval) -> Bool {
        record(at: time, duration: duration)
    }

    private func record(at time: TimeInterval?, duration: TimeInterval?) -> Bool {
        attempt("record()") { client throws(AudioFailure) in
            if let duration, !(duration >= 0) {
                throw AudioFailure(
                    .invalidArgument,
                    "A duration of \(duration) seconds cannot be recorded; 0 or more can."
                )
            }
            let rate = client.engine.configuration.encoding.sampleRate
            try client.record(
                at: time.map { HostTime(nanoseconds: FrameCount(seconds: $0, sampleRate: 1e9).value) },
                limit: duration.map { FrameCount(seconds: $0, sampleRate: rate) }
            )
        }
    }

    /// Stops the flow. `currentTime` stays, what was recorded is on the disk, and `record()` goes on in the same file.
    open func pause() {
        client?.engine.pause()
        client?.endActivity()
    }

    /// Ends the recording. The file is complete and closed when it returns; the delegate is told afterwards, also where the
    /// program lets go of the recorder at once.
    open func stop() {
        client?.engine.stop()
        client?.endActivity()
        stayUntilTold()
    }

    /// Deletes the recorded file. The recorder must be stopped.
    /// - Returns: false where it is not stopped, or there is no file.
    @discardableResult
    open func deleteRecording() -> Bool {
        attempt("deleteRecording()") { client throws(AudioFailure) in try client.engine.delete() }
    }

    private func attempt(_ what: String, _ body: (RecorderClient) throws(AudioFailure) -> Void) -> Bool {
        guard let client else { return false }
        do throws(AudioFailure) {
            try body(client)
            return true
        } catch {
            RuntimeLog.note("AVAudioRecorder.\(what)", error)
            client.engine.reports.tell(.failed(error))
            stayUntilTold()
            return false
        }
    }

    /// Keeps the recorder until its delegate has heard everything so far: many programs drop it right after `stop()`.
    private func stayUntilTold() { client?.engine.reports.afterAll { withExtendedLifetime(self) {} } }

    // MARK: State

    /// True while it records; false when paused or stopped.
    open var isRecording: Bool { client?.engine.phase == .recording }

    /// The file.
    public let url: URL

    /// The settings that the recorder was made with.
    public let settings: [String: Any]

    /// The format that is recorded.
    open var format: AVAudioFormat {
        encodedFormat
            ?? AVAudioFormat(
                description: .linearPCM(.pcmFormatFloat32, sampleRate: 0, channels: 0, interleaved: true),
                layout: nil
            )
    }

    /// Hears of the end and of errors, on the main queue. Held weakly.
    open weak var delegate: (any AVAudioRecorderDelegate)? {
        get { relay.object as? any AVAudioRecorderDelegate }
        set { relay.object = newValue }
    }

    /// Seconds recorded: the frames that are kept, divided by the rate. Stays in pause; 0 when stopped, as Apple documents.
    open var currentTime: TimeInterval {
        guard let client else { return 0 }
        return client.engine.frames.seconds(at: client.engine.configuration.encoding.sampleRate)
    }

    /// Seconds of a clock that all players and recorders share.
    open var deviceCurrentTime: TimeInterval { clock.now.seconds }

    /// Channels of the device that are recorded. Stored; the device layer gives the channels of its own choice.
    open var channelAssignments: [AVAudioSessionChannelDescription]? {
        get { state.withLock { Carried(object: $0.channelAssignments) }.object }
        set {
            let carried = Carried(object: newValue)
            state.withLock { $0.channelAssignments = carried.object }
        }
    }

    // MARK: Levels

    /// Whether `updateMeters()` measures; false by default.
    open var isMeteringEnabled: Bool {
        get { state.withLock { $0.isMeteringEnabled } }
        set {
            state.withLock { state in
                state.isMeteringEnabled = newValue
                if !newValue { state.meterValues = [] }
            }
        }
    }

    /// Takes the present levels of all channels. No effect without `isMeteringEnabled`.
    open func updateMeters() {
        guard isMeteringEnabled, let engine = client?.engine else { return }
        var values: [(average: Float, peak: Float)] = []
        if engine.phase == .recording, let meter = engine.meter {
            for channel in 0..<meter.channelCount {
                values.append((meter.averagePower(channel: channel), meter.peakPower(channel: channel)))
            }
        }
        let taken = values
        state.withLock { if $0.isMeteringEnabled { $0.meterValues = taken } }
    }

    /// The peak at the last `updateMeters()`, in dBFS, −160 … 0; −160 for a channel that does not exist.
    open func peakPower(forChannel channelNumber: Int) -> Float {
        state.withLock { state in
            state.meterValues.indices.contains(channelNumber)
                ? state.meterValues[channelNumber].peak : LevelMeter.silence
        }
    }

    /// The average (root mean square) at the last `updateMeters()`, in dBFS, −160 … 0; −160 for a channel that does not
    /// exist.
    open func averagePower(forChannel channelNumber: Int) -> Float {
        state.withLock { state in
            state.meterValues.indices.contains(channelNumber)
                ? state.meterValues[channelNumber].average : LevelMeter.silence
        }
    }
}

extension AVAudioRecorder: ReportedObject {
    func hear(_ report: EngineReport) {
        if case .finished = report, client?.engine.phase == .stopped { client?.endActivity() }
    }

    func pass(_ report: EngineReport, to delegate: AnyObject) {
        guard let delegate = delegate as? any AVAudioRecorderDelegate else { return }
        switch report {
        case .finished(let successfully):
            delegate.audioRecorderDidFinishRecording(self, successfully: successfully)
        case .failed(let failure):
            delegate.audioRecorderEncodeErrorDidOccur(self, error: failure.appleError)
        case .interruptionBegan: FormerDelegateCalls.began(self, delegate)
        case .interruptionEnded(let shouldResume): FormerDelegateCalls.ended(self, delegate, shouldResume)
        }
    }
}
