package import AudioCore
import AudioRuntime
public import Foundation
import Synchronization

/// Plays a sound from a file or from memory.
///
/// Levels, times and callbacks are those of Apple's class. Members may be called from any thread, one at a time; the
/// delegate is called on the main queue. The sound is decoded while it plays: memory does not grow with the file.
open class AVAudioPlayer: NSObject {
    /// Nil for a player that was made without a sound.
    private let client: PlayerClient?
    private let relay = DelegateRelay()
    private let source: (any ByteSource)?
    private let media: MediaRegistry
    private let clock: any HostClock
    private var countedLength: FrameCount?
    private var meterValues: [(average: Float, peak: Float)] = []
    private var assignments: [AVAudioSessionChannelDescription]?

    // MARK: Making a player

    /// A player without a sound: it has no length and does not play.
    public override init() {
        let runtime = Runtime.current
        client = nil
        source = nil
        url = nil
        data = nil
        media = runtime.media
        clock = runtime.clock
        super.init()
    }

    /// A player for the sound in a file.
    /// - Parameter url: a file URL; anything else is refused.
    /// - Throws: in `NSOSStatusErrorDomain`, where the file cannot be opened or its sound not be read.
    public convenience init(contentsOf url: URL) throws { try self.init(contentsOf: url, fileTypeHint: nil) }

    /// A player for the sound in memory, which holds a whole sound file.
    /// - Throws: in `NSOSStatusErrorDomain`, where the sound cannot be read.
    public convenience init(data: Data) throws { try self.init(data: data, fileTypeHint: nil) }

    /// A player for the sound in a file.
    /// - Parameters:
    ///   - url: a file URL; anything else is refused.
    ///   - utiString: the raw value of the `AVFileType` that the file is, used where its content does not tell.
    /// - Throws: in `NSOSStatusErrorDomain`, where the file cannot be opened or its sound not be read.
    public convenience init(contentsOf url: URL, fileTypeHint utiString: String?) throws {
        try self.init(url: url, data: nil, hint: utiString, runtime: .current, session: .shared)
    }

    /// A player for the sound in memory, which holds a whole sound file.
    /// - Parameters:
    ///   - data: the content of a sound file.
    ///   - utiString: the raw value of the `AVFileType` that it is, used where the content does not tell.
    /// - Throws: in `NSOSStatusErrorDomain`, where the sound cannot be read.
    public convenience init(data: Data, fileTypeHint utiString: String?) throws {
        try self.init(url: nil, data: data, hint: utiString, runtime: .current, session: .shared)
    }

    /// A player on another runtime. For tests.
    package init(url: URL?, data: Data?, hint: String?, runtime: Runtime, session: SessionCore) throws {
        self.url = url
        self.data = data
        media = runtime.media
        clock = runtime.clock
        let reports = DelegateReports<AVAudioPlayer>(relay: relay)
        do throws(AudioFailure) {
            let source = try Self.source(url: url, data: data, files: runtime.files)
            let stream = SessionStream(.playback, of: session)
            let engine = try PlayerEngine(
                source,
                hint: Self.container(hint: hint, url: url),
                title: url?.lastPathComponent ?? "Sound",
                runtime: runtime,
                speakerLost: { reports.withObject { $0.endActivityUnlessPlaying() } },
                corked: { session.serverAsksToWait($0) },
                speakerChanged: { stream.speakerChanged($0) },
                report: { reports.receive($0) }
            )
            self.source = source
            client = PlayerClient(engine: engine, session: session, stream: stream)
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

    private static func source(url: URL?, data: Data?, files: any FileStore) throws(AudioFailure) -> any ByteSource {
        if let data { return DataSource(data) }
        guard let url, url.isFileURL else {
            throw AudioFailure(
                .unsupported,
                "Only files can be played: '\(url?.absoluteString ?? "")' is not a file URL."
            )
        }
        return try files.open(url.path, .reading)
    }

    private static func container(hint: String?, url: URL?) -> ContainerKind? {
        hint.flatMap { ContainerKind(typeIdentifier: $0) }
            ?? url.flatMap { ContainerKind(fileExtension: $0.pathExtension) }
    }

    // MARK: Playing

    /// Opens the speaker and decodes the first frames, so that `play()` starts at once. Done by `play()` where it was not.
    /// - Returns: false where the speaker cannot be opened; the delegate gets the reason.
    @discardableResult
    open func prepareToPlay() -> Bool {
        attempt("prepareToPlay()") { client throws(AudioFailure) in
            client.configure()
            try client.engine.prepare()
        }
    }

    /// Plays from `currentTime`, or goes on after `pause()`.
    /// - Returns: false where it cannot, because there is no speaker or the session's category does not allow it; the
    ///   delegate gets the reason.
    @discardableResult
    open func play() -> Bool { attempt("play()") { client throws(AudioFailure) in try client.play() } }

    /// Plays from `currentTime` at a moment of the clock `deviceCurrentTime`, to the frame.
    ///
    /// Players that are given the same moment start in the same frame, and one that is given the moment at which another ends
    /// follows it without a hole. For that they are prepared, and the moment lies at least 0.2 s ahead: what is opened or
    /// decoded first takes its time. `isPlaying` is true from the call on; `pause()` and `stop()` take it back. Nothing happens
    /// to a player that plays already.
    /// - Parameter time: in seconds of `deviceCurrentTime`; a moment that has passed means at once.
    /// - Returns: false where it cannot, as `play()`, or where the time is not a number.
    @discardableResult
    open func play(atTime time: TimeInterval) -> Bool {
        attempt("play(atTime:)") { client throws(AudioFailure) in
            if time.isNaN {
                throw AudioFailure(.invalidArgument, "A time that is not a number has no moment to play at.")
            }
            try client.play(at: HostTime(nanoseconds: FrameCount(seconds: time, sampleRate: 1e9).value))
        }
    }

    /// Stops at once and stays ready. The delegate is not called.
    open func pause() {
        client?.engine.pause()
        client?.endActivity()
    }

    /// Stops and closes the speaker; `currentTime` stays. The delegate is not called.
    open func stop() {
        client?.engine.stop()
        client?.endActivity()
    }

    @discardableResult
    private func attempt(_ what: String, _ body: (PlayerClient) throws(AudioFailure) -> Void) -> Bool {
        guard let client else { return false }
        do throws(AudioFailure) {
            try body(client)
            return true
        } catch {
            RuntimeLog.note("AVAudioPlayer.\(what)", error)
            client.engine.reports.tell(.failed(error))
            return false
        }
    }

    // MARK: The sound

    /// True while it plays; false when paused, stopped or at the end.
    open var isPlaying: Bool { client?.engine.phase == .playing }

    /// Channels of the sound; 0 without a sound.
    open var numberOfChannels: Int { client?.engine.recording.format.channelCount ?? 0 }

    /// Seconds of the sound: the frames that are heard, divided by the rate. 0 without a sound.
    open var duration: TimeInterval {
        guard let client else { return 0 }
        let length = client.engine.length ?? countFrames()
        return length.seconds(at: client.engine.recording.format.sampleRate)
    }

    /// Reads everything once where the file does not say how long it is.
    private func countFrames() -> FrameCount {
        if let countedLength { return countedLength }
        var frames: FrameCount = 0
        if let source, let reader = try? FrameReader(source, media: media) {
            let buffer = PCMBuffer(format: reader.format, capacity: 8_192)
            while let count = try? reader.read(into: buffer), count > 0 { buffer.setFrameLength(0) }
            frames = reader.position
        }
        countedLength = frames
        return frames
    }

    /// The file; nil for a sound in memory.
    public let url: URL?

    /// The sound in memory; nil for a file.
    public let data: Data?

    /// Settings of the sound, as recorders take them.
    open var settings: [String: Any] { format.settings }

    /// The format of the sound as it is stored; without a sound, mono linear PCM at 44.1 kHz.
    open var format: AVAudioFormat { AVAudioFormat(of: client?.engine.recording.stream ?? Self.noStream) }

    private static let noStream = StreamDescription(
        codec: .linearPCM(LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: false)),
        sampleRate: 44_100,
        channelCount: 1,
        framesPerPacket: 1
    )

    /// Hears of the end and of errors, on the main queue. Held weakly.
    open weak var delegate: (any AVAudioPlayerDelegate)? {
        get { relay.object as? any AVAudioPlayerDelegate }
        set { relay.object = newValue }
    }

    // MARK: How it sounds

    /// −1 (left) … 0 (both) … 1 (right); clamped. The side that is panned away from falls in a straight line to silence, the
    /// other keeps its level. No effect on sounds of more than two channels.
    open var pan: Float {
        get { client?.engine.pan ?? 0 }
        set { client?.engine.setPan(newValue) }
    }

    /// 0 (silent) … 1 (as recorded). More amplifies; less than 0 counts as 0.
    open var volume: Float {
        get { client?.engine.volume ?? 1 }
        set { client?.engine.setVolume(newValue) }
    }

    /// Reaches `volume` in a straight line over `duration` seconds.
    open func setVolume(_ volume: Float, fadeDuration duration: TimeInterval) {
        client?.engine.setVolume(volume, fade: .seconds(duration.isFinite ? min(max(duration, 0), 86_400) : 0))
    }

    /// Whether `rate` counts; false by default. Apple asks for it before `prepareToPlay()`; here it may be set at any time.
    ///
    /// Until it is set the sound is decoded further ahead, so that the first change is heard later.
    open var enableRate: Bool {
        get { client?.engine.isRateEnabled ?? false }
        set { attempt("enableRate") { client throws(AudioFailure) in try client.engine.setRate(isEnabled: newValue) } }
    }

    /// The speed: 0.5 (half) … 1 (as recorded, the default) … 2 (double), clamped; what is not a number counts as 1. The
    /// pitch stays. Kept but without effect while `enableRate` is false.
    ///
    /// May change while playing, which is heard within about half a second; `currentTime` goes on in the time of the sound.
    /// At 1 the frames of the sound are untouched. Sounds of more than 16 channels play at 1 only: another rate is refused,
    /// and the delegate gets the reason.
    open var rate: Float {
        get { client?.engine.rate ?? 1 }
        set { attempt("rate") { client throws(AudioFailure) in try client.engine.setRate(newValue) } }
    }

    /// Times that the sound returns to its start at its end: 0 plays it once, negative for ever.
    open var numberOfLoops: Int {
        get { client?.engine.loops ?? 0 }
        set { client?.engine.setLoops(newValue) }
    }

    // MARK: Time and place

    /// Seconds from the start of the sound: what is heard now, or where `play()` would begin. Settable at any time, clamped
    /// to 0 … `duration`. 0 after the natural end.
    open var currentTime: TimeInterval {
        get {
            guard let client else { return 0 }
            return client.engine.position.seconds(at: client.engine.recording.format.sampleRate)
        }
        set {
            guard let client else { return }
            let frame = FrameCount(seconds: newValue, sampleRate: client.engine.recording.format.sampleRate)
            do throws(AudioFailure) {
                try client.engine.seek(to: frame)
            } catch {
                RuntimeLog.note("AVAudioPlayer.currentTime", error)
                client.engine.reports.tell(.failed(error))
            }
        }
    }

    /// Seconds of a clock that all players and recorders share. Runs on in pause.
    open var deviceCurrentTime: TimeInterval { clock.now.seconds }

    /// The identifier of the speaker to play on; nil follows the session and the system's default. Counts from the next
    /// `prepareToPlay()` or `play()` after `stop()`.
    open var currentDevice: String? {
        get { client?.engine.deviceID }
        set { client?.engine.setDevice(newValue) }
    }

    /// Channels of one speaker that the sound's channels are heard on, and no others: one of
    /// `AVAudioSessionPortDescription.channels` for each channel of the sound, in order. Nil, the default, leaves it to the
    /// device layer. Counts from the next `prepareToPlay()` or `play()` after `stop()`.
    ///
    /// Another number of channels than the sound has, or channels of several ports or of none, are refused: the value stays, and
    /// the delegate gets the reason. Where the speaker is not there or has no such channel, `play()` answers false.
    open var channelAssignments: [AVAudioSessionChannelDescription]? {
        get { assignments }
        set {
            let isTaken = attempt("channelAssignments") { client throws(AudioFailure) in
                try client.engine.setAssignment(
                    try newValue.map { channels throws(AudioFailure) in try .init(channels) }
                )
            }
            if isTaken { assignments = newValue }
        }
    }

    // MARK: Levels

    /// Whether `updateMeters()` measures; false by default.
    open var isMeteringEnabled = false {
        didSet { if !isMeteringEnabled { meterValues = [] } }
    }

    /// Takes the present levels of all channels. No effect without `isMeteringEnabled`.
    open func updateMeters() {
        guard isMeteringEnabled, let engine = client?.engine else { return }
        let silent = engine.phase != .playing
        meterValues = (0..<engine.recording.format.channelCount).map { channel in
            silent
                ? (LevelMeter.silence, LevelMeter.silence)
                : (engine.meter.averagePower(channel: channel), engine.meter.peakPower(channel: channel))
        }
    }

    /// The peak at the last `updateMeters()`, in dBFS, −160 … 0; −160 for a channel that does not exist.
    open func peakPower(forChannel channelNumber: Int) -> Float {
        meterValues.indices.contains(channelNumber) ? meterValues[channelNumber].peak : LevelMeter.silence
    }

    /// The average (root mean square) at the last `updateMeters()`, in dBFS, −160 … 0; −160 for a channel that does not
    /// exist.
    open func averagePower(forChannel channelNumber: Int) -> Float {
        meterValues.indices.contains(channelNumber) ? meterValues[channelNumber].average : LevelMeter.silence
    }
}

extension AVAudioPlayer: ReportedObject {
    func hear(_ report: EngineReport) { if case .finished = report { endActivityUnlessPlaying() } }

    private func endActivityUnlessPlaying() { if client?.engine.phase != .playing { client?.endActivity() } }

    func pass(_ report: EngineReport, to delegate: AnyObject) {
        guard let delegate = delegate as? any AVAudioPlayerDelegate else { return }
        let carried = Carried(object: (player: self, delegate: delegate))
        onMainActor {
            let (player, delegate) = carried.object
            switch report {
            case .finished(let successfully):
                delegate.audioPlayerDidFinishPlaying(player, successfully: successfully)
            case .failed(let failure):
                delegate.audioPlayerDecodeErrorDidOccur(player, error: failure.appleError)
            case .interruptionBegan: FormerDelegateCalls.began(player, delegate)
            case .interruptionEnded(let shouldResume): FormerDelegateCalls.ended(player, delegate, shouldResume)
            }
        }
    }
}
