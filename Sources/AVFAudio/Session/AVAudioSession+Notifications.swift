public import Foundation

/// Names of notifications. All are posted with the session as object, on the main queue.
extension AVAudioSession {
    /// The session was interrupted, or the interruption is over.
    public static let interruptionNotification = NSNotification.Name("AVAudioSessionInterruptionNotification")

    /// Input or output goes to another device now, or the category changed.
    public static let routeChangeNotification = NSNotification.Name("AVAudioSessionRouteChangeNotification")

    /// The sound server is gone.
    public static let mediaServicesWereLostNotification = NSNotification.Name(
        "AVAudioSessionMediaServicesWereLostNotification"
    )

    /// The sound server is back; everything that was open must be opened anew.
    public static let mediaServicesWereResetNotification = NSNotification.Name(
        "AVAudioSessionMediaServicesWereResetNotification"
    )

    /// Another program's primary audio started or stopped.
    public static let silenceSecondaryAudioHintNotification = NSNotification.Name(
        "AVAudioSessionSilenceSecondaryAudioHintNotification"
    )

    /// The user changed how spatial audio is played.
    public static let spatialPlaybackCapabilitiesChangedNotification = NSNotification.Name(
        "AVAudioSessionSpatialPlaybackCapabilitiesChangedNotification"
    )

    /// The rendering mode changed.
    public static let renderingModeChangeNotification = NSNotification.Name(
        "AVAudioSessionRenderingModeChangeNotification"
    )

    /// What can be rendered changed.
    public static let renderingCapabilitiesChangeNotification = NSNotification.Name(
        "AVAudioSessionRenderingCapabilitiesChangeNotification"
    )

    /// Whether speech can be put into another program's input changed.
    public static let microphoneInjectionCapabilitiesChangeNotification = NSNotification.Name(
        "AVAudioSessionMicrophoneInjectionCapabilitiesChangeNotification"
    )

    /// The session's output was muted or unmuted.
    public static let outputMuteStateChangeNotification = NSNotification.Name(
        "AVAudioSessionOutputMuteStateChangeNotification"
    )

    /// The user seems to want muted output to be heard.
    public static let userIntentToUnmuteOutputNotification = NSNotification.Name(
        "AVAudioSessionUserIntentToUnmuteOutputNotification"
    )

    /// `availableInputs` changed. No user info.
    public static let availableInputsChangeNotification = NSNotification.Name(
        "AVAudioSessionAvailableInputsChangeNotification"
    )

    /// Of `outputMuteStateChangeNotification`: an `NSNumber`, 1 for muted.
    public static let muteStateKey = "AVAudioSessionMuteStateKey"
}

/// Of `interruptionNotification`: an `NSNumber` with an `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"

/// Of `interruptionNotification` at its end: an `NSNumber` with `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"

/// Of `interruptionNotification` at its beginning: an `NSNumber` with an `AVAudioSession.InterruptionReason`.
public let AVAudioSessionInterruptionReasonKey = "AVAudioSessionInterruptionReasonKey"

/// Of `interruptionNotification` on systems before iOS 14.5: an `NSNumber`, true after a suspension.
@available(*, deprecated, message: "No longer supported - see AVAudioSessionInterruptionReasonKey")
public let AVAudioSessionInterruptionWasSuspendedKey = "AVAudioSessionInterruptionWasSuspendedKey"

/// Of `routeChangeNotification`: an `NSNumber` with an `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"

/// Of `routeChangeNotification`: the `AVAudioSessionRouteDescription` before the change.
public let AVAudioSessionRouteChangePreviousRouteKey = "AVAudioSessionRouteChangePreviousRouteKey"

/// Of `silenceSecondaryAudioHintNotification`: an `NSNumber` with an `AVAudioSession.SilenceSecondaryAudioHintType`.
public let AVAudioSessionSilenceSecondaryAudioHintTypeKey = "AVAudioSessionSilenceSecondaryAudioHintTypeKey"

/// Of `spatialPlaybackCapabilitiesChangedNotification`: an `NSNumber`, true where spatial audio is enabled.
public let AVAudioSessionSpatialAudioEnabledKey = "AVAudioSessionSpatializationEnabledKey"

/// Of `renderingModeChangeNotification`: an `NSNumber` with an `AVAudioSession.RenderingMode`.
public let AVAudioSessionRenderingModeNewRenderingModeKey = "AVAudioSessionRenderingModeNewRenderingModeKey"

/// Of `microphoneInjectionCapabilitiesChangeNotification`: an `NSNumber`, true where it can be done.
public let AVAudioSessionMicrophoneInjectionIsAvailableKey = "AVAudioSessionMicrophoneInjectionIsAvailableKey"
