import AVFAudio
import Foundation
import Testing

/// Apple's raw values, as literals from AVAudioSessionTypes.h, AudioSessionTypes.h, AVAudioSessionRoute.h and
/// AVAudioApplication.h.
@Suite struct SessionRawValueTests {
    private func fourCC(_ text: String) -> UInt { text.utf8.reduce(0) { $0 << 8 | UInt($1) } }

    @Test func categoriesAndModes() {
        let categories: [(AVAudioSession.Category, String)] = [
            (.ambient, "Ambient"), (.soloAmbient, "SoloAmbient"), (.playback, "Playback"), (.record, "Record"),
            (.playAndRecord, "PlayAndRecord"), (.multiRoute, "MultiRoute"),
        ]
        for (value, name) in categories { #expect(value.rawValue == "AVAudioSessionCategory" + name) }
        let modes: [(AVAudioSession.Mode, String)] = [
            (.default, "Default"), (.voiceChat, "VoiceChat"), (.gameChat, "GameChat"),
            (.videoRecording, "VideoRecording"), (.measurement, "Measurement"), (.moviePlayback, "MoviePlayback"),
            (.videoChat, "VideoChat"), (.spokenAudio, "SpokenAudio"), (.voicePrompt, "VoicePrompt"),
            (.shortFormVideo, "ShortFormVideo"), (.dualRoute, "DualRoute"),
        ]
        for (value, name) in modes { #expect(value.rawValue == "AVAudioSessionMode" + name) }
        let stage = SessionStage()
        #expect(stage.session.availableCategories == categories.map(\.0))
        #expect(stage.session.availableModes == modes.map(\.0))
    }

    @Test func ports() {
        let ports: [(AVAudioSession.Port, String)] = [
            (.continuityMicrophone, "ContinuityMicrophone"), (.lineIn, "LineIn"), (.builtInMic, "MicrophoneBuiltIn"),
            (.headsetMic, "MicrophoneWired"), (.lineOut, "LineOut"), (.headphones, "Headphones"),
            (.bluetoothA2DP, "BluetoothA2DPOutput"), (.builtInReceiver, "Receiver"), (.builtInSpeaker, "Speaker"),
            (.HDMI, "HDMIOutput"), (.airPlay, "AirPlay"), (.bluetoothLE, "BluetoothLE"),
            (.bluetoothHFP, "BluetoothHFP"), (.usbAudio, "USBAudio"), (.carAudio, "CarAudio"), (.virtual, "Virtual"),
            (.PCI, "PCI"), (.fireWire, "FireWire"), (.displayPort, "DisplayPort"), (.AVB, "AVB"),
            (.thunderbolt, "Thunderbolt"),
        ]
        for (value, raw) in ports { #expect(value.rawValue == raw) }
        #expect(AVAudioSession.Location.upper.rawValue == "Upper")
        #expect(AVAudioSession.Location.lower.rawValue == "Lower")
        let orientations: [AVAudioSession.Orientation] = [.top, .bottom, .front, .back, .left, .right]
        #expect(orientations.map(\.rawValue) == ["Top", "Bottom", "Front", "Back", "Left", "Right"])
        let patterns: [AVAudioSession.PolarPattern] = [.omnidirectional, .cardioid, .subcardioid, .stereo]
        #expect(patterns.map(\.rawValue) == ["Omnidirectional", "Cardioid", "Subcardioid", "Stereo"])
    }

    @Test func optionBits() {
        let options: [(AVAudioSession.CategoryOptions, UInt)] = [
            (.mixWithOthers, 1), (.duckOthers, 2), (.allowBluetoothHFP, 4), (.defaultToSpeaker, 8),
            (.interruptSpokenAudioAndMixWithOthers, 17), (.allowBluetoothA2DP, 32), (.allowAirPlay, 64),
            (.overrideMutedMicrophoneInterruption, 128), (.farFieldInput, 262_144),
            (.bluetoothHighQualityRecording, 524_288),
        ]
        for (value, raw) in options { #expect(value.rawValue == raw) }
        #expect(AVAudioSession.SetActiveOptions.notifyOthersOnDeactivation.rawValue == 1)
        #expect(AVAudioSession.InterruptionOptions.shouldResume.rawValue == 1)
    }

    @Test func plainEnumerations() {
        let reasons: [AVAudioSession.RouteChangeReason] = [
            .unknown, .newDeviceAvailable, .oldDeviceUnavailable, .categoryChange, .override, .wakeFromSleep,
            .noSuitableRouteForCategory, .routeConfigurationChange,
        ]
        #expect(reasons.map(\.rawValue) == [0, 1, 2, 3, 4, 6, 7, 8])
        #expect(AVAudioSession.RouteChangeReason(rawValue: 5) == nil)
        let interruptions: [AVAudioSession.InterruptionReason] = [
            .default, .appWasSuspended, .builtInMicMuted, .routeDisconnected,
        ]
        #expect(interruptions.map(\.rawValue) == [0, 1, 2, 4])
        let types: [AVAudioSession.InterruptionType] = [.ended, .began]
        #expect(types.map(\.rawValue) == [0, 1])
        let hints: [AVAudioSession.SilenceSecondaryAudioHintType] = [.end, .begin]
        #expect(hints.map(\.rawValue) == [0, 1])
        let inputOutput: [AVAudioSession.IOType] = [.notSpecified, .aggregated]
        #expect(inputOutput.map(\.rawValue) == [0, 1])
        let policies: [AVAudioSession.RouteSharingPolicy] = [.default, .longFormAudio, .independent, .longFormVideo]
        #expect(policies.map(\.rawValue) == [0, 1, 2, 3])
        let orientations: [AVAudioSession.StereoOrientation] = [
            .none, .portrait, .portraitUpsideDown, .landscapeRight, .landscapeLeft,
        ]
        #expect(orientations.map(\.rawValue) == [0, 1, 2, 3, 4])
        let renderings: [AVAudioSession.RenderingMode] = [
            .notApplicable, .monoStereo, .surround, .spatialAudio, .dolbyAudio, .dolbyAtmos,
        ]
        #expect(renderings.map(\.rawValue) == [0, 1, 2, 3, 4, 5])
        let injections: [AVAudioSession.MicrophoneInjectionMode] = [.none, .spokenAudio]
        #expect(injections.map(\.rawValue) == [0, 1])
    }

    @Test func fourCharacterEnumerations() {
        #expect(AVAudioSession.PortOverride.none.rawValue == 0)
        #expect(AVAudioSession.PortOverride.speaker.rawValue == fourCC("spkr"))
        let styles: [(AVAudioSession.PromptStyle, String)] = [(.none, "none"), (.short, "shrt"), (.normal, "nrml")]
        for (value, text) in styles { #expect(value.rawValue == fourCC(text)) }
        let permissions: [(AVAudioSession.RecordPermission, String)] = [
            (.undetermined, "undt"), (.denied, "deny"), (.granted, "grnt"),
        ]
        for (value, text) in permissions { #expect(value.rawValue == fourCC(text)) }
        let application: [(AVAudioApplication.recordPermission, String)] = [
            (.undetermined, "undt"), (.denied, "deny"), (.granted, "grnt"),
        ]
        for (value, text) in application { #expect(value.rawValue == Int(fourCC(text))) }
        let injections: [(AVAudioApplication.MicrophoneInjectionPermission, String)] = [
            (.serviceDisabled, "srds"), (.undetermined, "undt"), (.denied, "deny"), (.granted, "grnt"),
        ]
        for (value, text) in injections { #expect(value.rawValue == Int(fourCC(text))) }
    }

    @Test func errorCodes() {
        let codes: [(AVAudioSession.ErrorCode, Int)] = [
            (.none, 0), (.mediaServicesFailed, 1_836_282_486), (.isBusy, 560_030_580),
            (.incompatibleCategory, 560_161_140), (.cannotInterruptOthers, 560_557_684),
            (.missingEntitlement, 1_701_737_535), (.siriIsRecording, 1_936_290_409), (.cannotStartPlaying, 561_015_905),
            (.cannotStartRecording, 561_145_187), (.badParam, -50), (.insufficientPriority, 561_017_449),
            (.resourceNotAvailable, 561_145_203), (.unspecified, 2_003_329_396), (.expiredSession, 561_210_739),
            (.sessionNotActive, 1_768_841_571),
        ]
        for (value, raw) in codes { #expect(value.rawValue == raw) }
    }

    @Test func namesOfNotificationsAndKeys() {
        let names: [(NSNotification.Name, String)] = [
            (AVAudioSession.interruptionNotification, "Interruption"),
            (AVAudioSession.routeChangeNotification, "RouteChange"),
            (AVAudioSession.mediaServicesWereLostNotification, "MediaServicesWereLost"),
            (AVAudioSession.mediaServicesWereResetNotification, "MediaServicesWereReset"),
            (AVAudioSession.silenceSecondaryAudioHintNotification, "SilenceSecondaryAudioHint"),
            (AVAudioSession.spatialPlaybackCapabilitiesChangedNotification, "SpatialPlaybackCapabilitiesChanged"),
            (AVAudioSession.renderingModeChangeNotification, "RenderingModeChange"),
            (AVAudioSession.renderingCapabilitiesChangeNotification, "RenderingCapabilitiesChange"),
            (AVAudioSession.microphoneInjectionCapabilitiesChangeNotification, "MicrophoneInjectionCapabilitiesChange"),
            (AVAudioSession.outputMuteStateChangeNotification, "OutputMuteStateChange"),
            (AVAudioSession.userIntentToUnmuteOutputNotification, "UserIntentToUnmuteOutput"),
            (AVAudioSession.availableInputsChangeNotification, "AvailableInputsChange"),
        ]
        for (value, name) in names { #expect(value.rawValue == "AVAudioSession\(name)Notification") }
        #expect(
            AVAudioApplication.inputMuteStateChangeNotification.rawValue
                == "AVAudioApplicationInputMuteStateChangeNotification"
        )
        #expect(AVAudioApplication.muteStateKey == "AVAudioApplicationMuteStateKey")
        let keys: [(String, String)] = [
            (AVAudioSessionInterruptionTypeKey, "InterruptionType"),
            (AVAudioSessionInterruptionOptionKey, "InterruptionOption"),
            (AVAudioSessionInterruptionReasonKey, "InterruptionReason"),
            (AVAudioSessionRouteChangeReasonKey, "RouteChangeReason"),
            (AVAudioSessionRouteChangePreviousRouteKey, "RouteChangePreviousRoute"),
            (AVAudioSessionSilenceSecondaryAudioHintTypeKey, "SilenceSecondaryAudioHintType"),
            (AVAudioSessionSpatialAudioEnabledKey, "SpatializationEnabled"),
            (AVAudioSessionRenderingModeNewRenderingModeKey, "RenderingModeNewRenderingMode"),
            (AVAudioSessionMicrophoneInjectionIsAvailableKey, "MicrophoneInjectionIsAvailable"),
            (AVAudioSession.muteStateKey, "MuteState"),
        ]
        for (value, name) in keys { #expect(value == "AVAudioSession\(name)Key") }
    }

    /// The spellings that older books and pages show mean the same values.
    @available(*, deprecated)
    @Test func formerSpellings() {
        #expect(AVAudioSessionCategoryPlayAndRecord == AVAudioSession.Category.playAndRecord)
        #expect(AVAudioSessionModeSpokenAudio == AVAudioSession.Mode.spokenAudio)
        #expect(AVAudioSessionPortHDMI == AVAudioSession.Port.HDMI)
        #expect(NSNotification.Name.AVAudioSessionRouteChange == AVAudioSession.routeChangeNotification)
        #expect(AVAudioSession.CategoryOptions.allowBluetooth == .allowBluetoothHFP)
        #expect(AVAudioSession.RouteSharingPolicy.longForm == .longFormAudio)
        #expect(AVAudioSession.Category.audioProcessing.rawValue == "AVAudioSessionCategoryAudioProcessing")
        #expect(AVAudioSessionInterruptionWasSuspendedKey == "AVAudioSessionInterruptionWasSuspendedKey")
    }
}
