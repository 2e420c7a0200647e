package import AudioCore
public import Foundation

/// How a program uses audio, and what the system makes of it: category, mode, options, activation, devices and routes.
///
/// There is one session in a process; every instance is a face of it. All members may be called from any thread. Errors are
/// in `NSOSStatusErrorDomain` with the codes of `AVAudioSession.ErrorCode`; notifications come on the main queue. What is
/// asked of the sound server takes a moment, and 2 seconds at most where it does not answer.
///
/// Until a program sets a category, `category` is `.soloAmbient` as on Apple's systems, but recording is not refused: simple
/// programs record without a session there where systems have none. Once a category is set, its rules are enforced.
open class AVAudioSession: NSObject, @unchecked Sendable {
    // Unchecked because the class is open: its only stored property is a constant, and `SessionCore` guards its state with
    // the lock `state`.
    package let core: SessionCore

    private static let instance = AVAudioSession()

    /// The session of this process.
    open class func sharedInstance() -> AVAudioSession { instance }

    /// Another face of the process's one session. Use `sharedInstance()`.
    public override init() {
        core = .shared
        super.init()
        core.postNotifications { AVAudioSession.sharedInstance() }
    }

    /// A session of its own on another runtime. For tests.
    package init(runtime: Runtime) {
        core = SessionCore { runtime }
        super.init()
        core.postNotifications { [weak self] in self }
    }

    // MARK: Category and mode

    /// All categories that can be set.
    open var availableCategories: [AVAudioSession.Category] { SessionCategory.allCases.map(Category.init) }

    /// Sets the category, with no options. The mode stays where it goes with the category and becomes `.default` otherwise.
    /// - Throws: `badParam` for a category that cannot be set.
    open func setCategory(_ category: AVAudioSession.Category) throws {
        try configure(category, mode: nil, policy: .default, options: [])
    }

    /// Sets the category with options. The mode stays where it goes with both and becomes `.default` otherwise.
    /// - Throws: `badParam` for a combination that the rules refuse; nothing changes then.
    open func setCategory(_ category: AVAudioSession.Category, options: AVAudioSession.CategoryOptions = []) throws {
        try configure(category, mode: nil, policy: .default, options: options)
    }

    /// Sets category, mode and options together.
    /// - Throws: `badParam` for a combination that the rules refuse; nothing changes then.
    open func setCategory(
        _ category: AVAudioSession.Category,
        mode: AVAudioSession.Mode,
        options: AVAudioSession.CategoryOptions = []
    ) throws {
        try configure(category, mode: mode, policy: .default, options: options)
    }

    /// Sets category, mode, route-sharing policy and options together.
    /// - Throws: `badParam` for a combination that the rules refuse; nothing changes then.
    open func setCategory(
        _ category: AVAudioSession.Category,
        mode: AVAudioSession.Mode,
        policy: AVAudioSession.RouteSharingPolicy,
        options: AVAudioSession.CategoryOptions = []
    ) throws {
        try configure(category, mode: mode, policy: policy, options: options)
    }

    /// The category; `.soloAmbient` until one is set.
    open var category: AVAudioSession.Category { Category(core.configuration.category) }

    /// The options that hold, with those that category, mode or another option bring along.
    open var categoryOptions: AVAudioSession.CategoryOptions {
        CategoryOptions(rawValue: SessionPolicy.effectiveOptions(of: core.configuration).rawValue)
    }

    /// The route-sharing policy; `.default` until another is set. Has no influence on the route here.
    open var routeSharingPolicy: AVAudioSession.RouteSharingPolicy {
        RouteSharingPolicy(rawValue: core.configuration.sharing.rawValue) ?? .default
    }

    /// All modes that can be set.
    open var availableModes: [AVAudioSession.Mode] { SessionMode.allCases.map(Mode.init) }

    /// Sets the mode; category and options stay.
    /// - Throws: `badParam` where the mode does not go with them; nothing changes then.
    open func setMode(_ mode: AVAudioSession.Mode) throws {
        let summary = "Setting the audio session's mode failed"
        guard let known = SessionMode(mode) else {
            throw SessionError.make(.badParam, summary, "\"\(mode.rawValue)\" is no mode.")
        }
        try core.attempt(summary) { () throws(AudioFailure) in
            try core.configure { old in
                var new = old
                new.mode = known
                return new
            }
        }
    }

    /// The mode; `.default` until another is set.
    open var mode: AVAudioSession.Mode { Mode(core.configuration.mode) }

    private func configure(
        _ category: Category,
        mode: Mode?,
        policy: RouteSharingPolicy,
        options: CategoryOptions
    ) throws {
        let summary = "Setting the audio session's category failed"
        guard let known = SessionCategory(category) else {
            throw SessionError.make(.badParam, summary, "\"\(category.rawValue)\" is no category that can be set.")
        }
        let knownMode = mode.flatMap { SessionMode($0) }
        if let mode, knownMode == nil {
            throw SessionError.make(.badParam, summary, "\"\(mode.rawValue)\" is no mode.")
        }
        try core.attempt(summary) { () throws(AudioFailure) in
            try core.configure { old in
                var new = SessionConfiguration(
                    category: known,
                    mode: knownMode ?? old.mode,
                    options: SessionOptions(rawValue: options.rawValue),
                    sharing: SessionRouteSharing(rawValue: policy.rawValue) ?? .default
                )
                if knownMode == nil, SessionPolicy.refusal(of: new) != nil { new.mode = .default }
                return new
            }
        }
    }

    // MARK: Activation

    /// Makes the session active or inactive; see `setActive(_:options:)`.
    open func setActive(_ active: Bool) throws { try setActive(active, options: []) }

    /// Makes the session active or inactive. A recorder or player that starts makes it active by itself.
    ///
    /// Active, the session has the sound: other programs are interrupted, made quieter or left alone, as category and options
    /// say. `.notifyOthersOnDeactivation` tells those that were interrupted that they may go on.
    ///
    /// - Throws: `isBusy` where recorders or players run while it is made inactive: as on Apple's systems they are paused
    ///   and the session is inactive all the same; what was recorded is kept. `insufficientPriority` while a call or an alarm
    ///   has the sound, `siriIsRecording` while an assistant listens, `cannotInterruptOthers` where a program in the
    ///   background would interrupt others.
    open func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {
        if active {
            return try core.attempt("Session activation failed") { () throws(AudioFailure) in try core.activate() }
        }
        try core.attempt("Session deactivation failed") { () throws(AudioFailure) in
            try core.deactivate(notifyingOthers: options.contains(.notifyOthersOnDeactivation))
        }
    }

    // MARK: Permission

    /// Whether the program may record, as far as it has been asked. A desktop shows no question: the sound server lets a
    /// program in or not. `.undetermined` until somebody asks, or while no server answers; a refusal is asked for anew at
    /// every call, which may take 2 seconds.
    ///
    /// Apple deprecates it from iOS 17 on, in favour of `AVAudioApplication`.
    open var recordPermission: AVAudioSession.RecordPermission {
        switch core.permission() {
        case .undetermined: .undetermined
        case .denied: .denied
        case .granted: .granted
        }
    }

    /// Asks whether the program may record, and gives the answer later on the main queue: true where the sound server
    /// answers and lets the program in, false where it refuses or does not answer within 2 seconds.
    ///
    /// Apple deprecates it from iOS 17 on, in favour of `AVAudioApplication`.
    open func requestRecordPermission(_ response: @escaping (Bool) -> Void) {
        // Called once, on the callback executor; the caller hands it over with this call.
        nonisolated(unsafe) let response = response
        core.requestPermission { response($0) }
    }

    // MARK: Others

    /// Whether another program plays now, as far as the desktop tells.
    open var isOtherAudioPlaying: Bool { core.others.isPlaying }

    /// Whether another program plays sound that does not mix: background sounds of this one had better be silent.
    open var secondaryAudioShouldBeSilencedHint: Bool { core.others.isPrimary }

    // MARK: Haptics

    /// Whether system sounds are heard while the program records. False until set.
    open var allowHapticsAndSystemSoundsDuringRecording: Bool { core.preferences.allowsHapticsAndSystemSounds }

    /// Says whether system sounds are heard while the program records.
    open func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws {
        core.updatePreferences { $0.allowsHapticsAndSystemSounds = inValue }
    }

    // MARK: Ports and routes

    /// The inputs that the program may choose under the current category: empty where it does not record, nil where no sound
    /// server answers. What only hears an output (a monitor) is listed only where it is the default input.
    open var availableInputs: [AVAudioSessionPortDescription]? {
        if !core.wish.needsInput { return [] }
        return core.directory.devices().map { devices in
            core.selectableInputs(devices).map(AVAudioSessionPortDescription.init)
        }
    }

    /// Where sound comes from and goes to. Empty where no sound server answers.
    open var currentRoute: AVAudioSessionRouteDescription { AVAudioSessionRouteDescription(core.currentRoute) }

    /// The input that the program chose; nil where it follows the default.
    open var preferredInput: AVAudioSessionPortDescription? {
        core.preferredInput.map(AVAudioSessionPortDescription.init)
    }

    /// Chooses the input for recorders that start from now on; nil follows the default.
    /// - Throws: `incompatibleCategory` where the category does not record, `badParam` where the port is none of
    ///   `availableInputs`, `mediaServicesFailed` where no sound server answers.
    open func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws {
        try core.choosePreferredInput(inPort)
    }

    /// Sends output to the built-in loudspeaker until the route changes, or back.
    /// - Throws: `incompatibleCategory` unless the category is `.playAndRecord`, `resourceNotAvailable` where there is no
    ///   loudspeaker to switch to, `mediaServicesFailed` where no sound server answers.
    open func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws {
        try core.chooseOutput(portOverride)
    }

    // MARK: Data sources

    /// Nil: sound servers tell of no data sources inside a port.
    open var inputDataSources: [AVAudioSessionDataSourceDescription]? { nil }

    /// Nil: see `inputDataSources`.
    open var inputDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Clears the choice with nil.
    /// - Throws: `badParam` for any data source, since there are none.
    open func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try AVAudioSessionDataSourceDescription.refuse(dataSource)
    }

    /// Nil: see `inputDataSources`.
    open var outputDataSources: [AVAudioSessionDataSourceDescription]? { nil }

    /// Nil: see `inputDataSources`.
    open var outputDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Clears the choice with nil.
    /// - Throws: `badParam` for any data source, since there are none.
    open func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try AVAudioSessionDataSourceDescription.refuse(dataSource)
    }

    // MARK: Wishes

    /// The rate that the program wishes, in frames per second; 0 where none was set.
    open var preferredSampleRate: Double { core.preferences.sampleRate }

    /// Wishes a rate, for audio that has no rate of its own; recorders and players follow their files. The sound server
    /// keeps the hardware's rate and converts.
    /// - Throws: `badParam` for negative values and what is no number. 0 takes the wish back.
    open func setPreferredSampleRate(_ sampleRate: Double) throws {
        try SessionError.require(
            sampleRate >= 0 && sampleRate.isFinite,
            "The rate must be 0 or more, in frames per second."
        )
        core.updatePreferences { $0.sampleRate = sampleRate }
    }

    /// The length of one delivery that the program wishes, in seconds; 0 where none was set.
    open var preferredIOBufferDuration: TimeInterval { core.preferences.bufferDuration }

    /// Wishes how long one delivery of frames is, in seconds. Streams that open from now on ask for it, between 1 ms and 1 s.
    /// - Throws: `badParam` for negative values and what is no number. 0 takes the wish back.
    open func setPreferredIOBufferDuration(_ duration: TimeInterval) throws {
        try SessionError.require(duration >= 0 && duration.isFinite, "The duration must be 0 or more, in seconds.")
        core.updatePreferences { $0.bufferDuration = duration }
    }

    /// The number of input channels that the program wishes; 0 where none was set.
    open var preferredInputNumberOfChannels: Int { core.preferences.inputChannels }

    /// Wishes a number of input channels, for audio that has no format of its own.
    /// - Throws: `incompatibleCategory` where the category does not record, `badParam` above `maximumInputNumberOfChannels`
    ///   and below 0. 0 takes the wish back.
    open func setPreferredInputNumberOfChannels(_ count: Int) throws {
        try SessionError.requireChannels(count, isAllowed: core.wish.needsInput, maximum: maximumInputNumberOfChannels)
        core.updatePreferences { $0.inputChannels = count }
    }

    /// The number of output channels that the program wishes; 0 where none was set.
    open var preferredOutputNumberOfChannels: Int { core.preferences.outputChannels }

    /// Wishes a number of output channels, for audio that has no format of its own.
    /// - Throws: `incompatibleCategory` where the category does not play, `badParam` above `maximumOutputNumberOfChannels`
    ///   and below 0. 0 takes the wish back.
    open func setPreferredOutputNumberOfChannels(_ count: Int) throws {
        try SessionError.requireChannels(
            count,
            isAllowed: core.wish.needsOutput,
            maximum: maximumOutputNumberOfChannels
        )
        core.updatePreferences { $0.outputChannels = count }
    }

    // MARK: Facts

    /// The rate of the output's hardware, in frames per second; the input's where the route has no output.
    open var sampleRate: Double {
        let route = core.currentRoute
        return route.outputs.first?.sampleRate ?? route.inputs.first?.sampleRate ?? 0
    }

    /// Channels of the input.
    open var inputNumberOfChannels: Int { core.currentRoute.inputs.first?.channelCount ?? 0 }

    /// Channels of the output.
    open var outputNumberOfChannels: Int { core.currentRoute.outputs.first?.channelCount ?? 0 }

    /// The most channels that can be had from the input: those that it has.
    open var maximumInputNumberOfChannels: Int { inputNumberOfChannels }

    /// The most channels that can be sent to the output: those that it has.
    open var maximumOutputNumberOfChannels: Int { outputNumberOfChannels }

    /// Seconds from the microphone to the program, measured on the recorders that run; 0 where none runs.
    open var inputLatency: TimeInterval { core.latency(of: .recording) }

    /// Seconds from the program to the loudspeaker, measured on the players that run; 0 where none runs.
    open var outputLatency: TimeInterval { core.latency(of: .playback) }

    /// The length of one delivery that streams ask for, in seconds.
    open var ioBufferDuration: TimeInterval { core.preferences.fragment.inSeconds }

    /// The input's level as the mixer's slider has it, 0 … 1; 0 where it is muted.
    open var inputGain: Float { SessionCore.level(of: core.currentRoute.inputs.first) }

    /// Whether `setInputGain(_:)` works on the current input: false where the category does not record, for what only hears
    /// an output (a monitor), and for inputs without a level.
    open var isInputGainSettable: Bool { core.currentRoute.inputs.first?.isVolumeSettable ?? false }

    /// Sets the level of the current input, which is the one in the user's mixer: other programs that record from it hear
    /// the change, and it stays when the program ends. The mixers' mute stays as it is.
    ///
    /// - Parameter gain: the place of the mixer's slider, 0 … 1; values outside are taken as the nearest. Sliders are cubic:
    ///   0.5 is an eighth of the amplitude, 18 dB less than 1, which leaves what the microphone gives as it is.
    /// - Throws: `badParam` for what is no number, `resourceNotAvailable` where `isInputGainSettable` is false,
    ///   `mediaServicesFailed` where no sound server answers.
    open func setInputGain(_ gain: Float) throws { try core.setInputGain(gain) }

    /// The output's volume as the mixer's slider has it, 0 … 1; 0 where it is muted.
    open var outputVolume: Float { SessionCore.level(of: core.currentRoute.outputs.first) }

    /// True where there is a microphone or another input.
    open var isInputAvailable: Bool {
        !SessionRouting.automaticInputs(core.directory.devices() ?? []).isEmpty
    }
}
