/// Enumerations with Apple's raw values (AVAudioSessionTypes.h). Like Apple's they may grow: clients need `@unknown default`.
extension AVAudioSession {
    /// Where output goes regardless of the category.
    @nonexhaustive
    public enum PortOverride: UInt, Sendable {
        /// Where the category sends it.
        case none = 0
        /// To the built-in loudspeaker: 'spkr'.
        case speaker = 0x7370_6B72
    }

    /// Why the route changed; the value of `AVAudioSessionRouteChangeReasonKey`. There is no 5.
    @nonexhaustive
    public enum RouteChangeReason: UInt, Sendable {
        /// Not known.
        case unknown = 0
        /// A device became available and is used now.
        case newDeviceAvailable = 1
        /// The device that was used is gone.
        case oldDeviceUnavailable = 2
        /// The program set another category.
        case categoryChange = 3
        /// The program or the user chose another device.
        case override = 4
        /// The machine woke from sleep.
        case wakeFromSleep = 6
        /// No device serves the category.
        case noSuitableRouteForCategory = 7
        /// The same devices, configured otherwise.
        case routeConfigurationChange = 8
    }

    /// The value of `AVAudioSessionInterruptionTypeKey`.
    @nonexhaustive
    public enum InterruptionType: UInt, Sendable {
        /// The session was interrupted.
        case began = 1
        /// The interruption is over.
        case ended = 0
    }

    /// Why an interruption began; the value of `AVAudioSessionInterruptionReasonKey`.
    @nonexhaustive
    public enum InterruptionReason: UInt, Sendable {
        /// Another session became active.
        case `default` = 0
        /// The program was suspended. Not sent by Apple's systems since iOS 16.
        case appWasSuspended = 1
        /// The built-in microphone was muted in hardware.
        case builtInMicMuted = 2
        /// The device in use was disconnected.
        case routeDisconnected = 4
    }

    /// The value of `AVAudioSessionSilenceSecondaryAudioHintTypeKey`.
    @nonexhaustive
    public enum SilenceSecondaryAudioHintType: UInt, Sendable {
        /// Another program's primary audio started.
        case begin = 1
        /// Another program's primary audio stopped.
        case end = 0
    }

    /// Whether input and output share one clock and callback.
    @nonexhaustive
    public enum IOType: UInt, Sendable {
        /// The system decides.
        case notSpecified = 0
        /// They share.
        case aggregated = 1
    }

    /// With whom a session shares its output.
    @nonexhaustive
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The usual rules.
        case `default` = 0
        /// The output shared by programs for music and speech. Only with `.playback`.
        case longFormAudio = 1
        /// Set by the system only.
        case independent = 2
        /// The output shared by programs for films. Only with `.playback`.
        case longFormVideo = 3

        /// The former name of `longFormAudio`.
        @available(*, deprecated, renamed: "longFormAudio")
        public static let longForm = RouteSharingPolicy.longFormAudio
    }

    /// Which prompts are fit at the moment.
    @nonexhaustive
    public enum PromptStyle: UInt, Sendable {
        /// No prompts: 'none'.
        case none = 0x6E6F_6E65
        /// Short sounds: 'shrt'.
        case short = 0x7368_7274
        /// Spoken prompts: 'nrml'.
        case normal = 0x6E72_6D6C
    }

    /// Which side of the device is up, for stereo from built-in microphones.
    @nonexhaustive
    public enum StereoOrientation: Int, Sendable {
        /// Has no meaning for this input.
        case none = 0
        /// Upright, connector below.
        case portrait = 1
        /// Upright, connector above.
        case portraitUpsideDown = 2
        /// Lying, connector to the right.
        case landscapeRight = 3
        /// Lying, connector to the left.
        case landscapeLeft = 4
    }

    /// Whether the program may record.
    @nonexhaustive
    public enum RecordPermission: UInt, Sendable {
        /// Nobody has asked yet: 'undt'.
        case undetermined = 0x756E_6474
        /// Refused: 'deny'.
        case denied = 0x6465_6E79
        /// Allowed: 'grnt'.
        case granted = 0x6772_6E74
    }

    /// How multichannel content is rendered.
    @nonexhaustive
    public enum RenderingMode: Int, Sendable {
        /// Nothing is playing.
        case notApplicable = 0
        /// One or two channels.
        case monoStereo = 1
        /// More channels, none of the kinds below.
        case surround = 2
        /// Rendered in space.
        case spatialAudio = 3
        /// Dolby Audio.
        case dolbyAudio = 4
        /// Dolby Atmos.
        case dolbyAtmos = 5
    }

    /// Whether a program may put speech into another program's input.
    @nonexhaustive
    public enum MicrophoneInjectionMode: Int, Sendable {
        /// It does not.
        case none = 0
        /// Synthesised speech is mixed in.
        case spokenAudio = 1
    }

    /// The codes of session errors, in `NSOSStatusErrorDomain` (AudioSessionTypes.h).
    @nonexhaustive
    public enum ErrorCode: Int, Sendable {
        /// No error.
        case none = 0
        /// The sound server is gone or does not answer: 'msrv'.
        case mediaServicesFailed = 0x6D73_7276
        /// Recorders or players are running: '!act'.
        case isBusy = 0x2161_6374
        /// The category does not support the operation: '!cat'.
        case incompatibleCategory = 0x2163_6174
        /// Others cannot be interrupted from here: '!int'.
        case cannotInterruptOthers = 0x2169_6E74
        /// An entitlement is missing: 'ent?'.
        case missingEntitlement = 0x656E_743F
        /// Siri is recording: 'siri'.
        case siriIsRecording = 0x7369_7269
        /// The program may not play now: '!pla'.
        case cannotStartPlaying = 0x2170_6C61
        /// The program may not record now: '!rec'.
        case cannotStartRecording = 0x2172_6563
        /// A value is not allowed: -50.
        case badParam = -50
        /// A more important session has control: '!pri'.
        case insufficientPriority = 0x2170_7269
        /// The hardware does not offer it: '!res'.
        case resourceNotAvailable = 0x2172_6573
        /// Not known: 'what'.
        case unspecified = 0x7768_6174
        /// The session is gone: '!ses'.
        case expiredSession = 0x2173_6573
        /// The session is not active: 'inac'.
        case sessionNotActive = 0x696E_6163
    }
}
