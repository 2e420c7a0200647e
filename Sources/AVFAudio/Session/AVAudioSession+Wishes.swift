import AudioCore

/// What a program wishes of interruptions and prompts.
extension AVAudioSession {
    /// Whether alarms and timers should leave the session alone. False until set.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { core.sessionPreferences.avoidsSystemAlerts }

    /// Says whether alarms and timers should leave the session alone. A call that is taken interrupts all the same.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        core.updateSessionPreferences { $0.avoidsSystemAlerts = inValue }
    }

    /// Whether headphones that are pulled pause what plays. True until set.
    public var prefersInterruptionOnRouteDisconnect: Bool { core.sessionPreferences.interruptsOnDisconnect }

    /// Says whether headphones that are pulled, or another output that goes away, pause what plays. Sessions of the category
    /// `.playback` that do not mix are interrupted, with the reason `routeDisconnected` and without an end; of others the
    /// players pause. With false the sound goes on where the desktop sends it.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        core.updateSessionPreferences { $0.interruptsOnDisconnect = inValue }
    }

    /// What kind of prompt is fit now, for sessions of the mode `.voicePrompt`: none during a call or while an assistant
    /// listens, short sounds while others play, speech otherwise.
    public var promptStyle: AVAudioSession.PromptStyle {
        switch core.promptManner {
        case .none: .none
        case .short: .short
        case .normal: .normal
        }
    }

    /// Whether input and output are to share one clock. Accepted and without effect: each stream here has a clock of its own,
    /// and recordings are kept in step with the machine's.
    public func setAggregatedIOPreference(_ inIOType: AVAudioSession.IOType) throws {}
}

/// Stereo from built-in microphones.
extension AVAudioSession {
    /// The orientation that the program wishes; `.none` until set.
    public var preferredInputOrientation: AVAudioSession.StereoOrientation { core.preferences.inputOrientation }

    /// Wishes an orientation. Kept and without effect: microphones of a desktop do not turn.
    public func setPreferredInputOrientation(_ orientation: AVAudioSession.StereoOrientation) throws {
        core.updatePreferences { $0.inputOrientation = orientation }
    }

    /// `.none`: orientation has no meaning for the inputs of a desktop.
    public var inputOrientation: AVAudioSession.StereoOrientation { .none }
}

/// Many channels, and sound in space.
extension AVAudioSession {
    /// Whether the program says that it has sound of more than two channels. False until set.
    public var supportsMultichannelContent: Bool { core.preferences.supportsMultichannelContent }

    /// Says whether the program has sound of more than two channels. Kept and without effect: the sound server mixes to the
    /// channels of the device.
    public func setSupportsMultichannelContent(_ inValue: Bool) throws {
        core.updatePreferences { $0.supportsMultichannelContent = inValue }
    }

    /// How sound is rendered now: `.notApplicable` unless a player runs, then by the channels of the output.
    public var renderingMode: AVAudioSession.RenderingMode {
        guard core.isPlaying else { return .notApplicable }
        return outputNumberOfChannels > 2 ? .surround : .monoStereo
    }

    /// The channel layouts that the output takes: empty, since sound servers take any and mix it.
    public var supportedOutputChannelLayouts: [AVAudioChannelLayout] { [] }
}

/// Echo cancellation.
extension AVAudioSession {
    /// False: a sound server's filter for it is a device of its own, which the user chooses.
    public var isEchoCancelledInputAvailable: Bool { false }

    /// False: see `isEchoCancelledInputAvailable`.
    public var isEchoCancelledInputEnabled: Bool { false }

    /// False: it cannot be wished for where it is not available.
    public var prefersEchoCancelledInput: Bool { false }

    /// Takes the wish back with false.
    /// - Throws: `resourceNotAvailable` for true, since there is none.
    public func setPrefersEchoCancelledInput(_ value: Bool) throws {
        guard value else { return }
        throw SessionError.make(
            .resourceNotAvailable,
            "Setting echo cancellation failed",
            "No input cancels echoes by itself. Check isEchoCancelledInputAvailable first."
        )
    }
}

/// Speech for another program's input.
extension AVAudioSession {
    /// False: no program's input can be given to another.
    public var isMicrophoneInjectionAvailable: Bool { false }

    /// `.none`: see `isMicrophoneInjectionAvailable`.
    public var preferredMicrophoneInjectionMode: AVAudioSession.MicrophoneInjectionMode { .none }

    /// Takes the wish back with `.none`.
    /// - Throws: `resourceNotAvailable` for any other mode, since there is no injection.
    public func setPreferredMicrophoneInjectionMode(_ inValue: AVAudioSession.MicrophoneInjectionMode) throws {
        if inValue == .none { return }
        throw SessionError.make(
            .resourceNotAvailable,
            "Setting the injection mode failed",
            "Speech cannot be put into another program's input. Check isMicrophoneInjectionAvailable first."
        )
    }
}

/// Silence for what the program plays.
extension AVAudioSession {
    /// Whether what the program plays is silent. False until set; the hardware's mute is another thing.
    public var isOutputMuted: Bool { core.isOutputMuted }

    /// Makes all players silent, also those that start later, or lets them be heard again. `outputMuteStateChangeNotification`
    /// tells of it.
    public func setOutputMuted(_ muted: Bool) throws { core.setOutputMuted(muted) }
}
