public import Foundation

// The global spellings that Swift had before 4.2 and that older books and pages still show. Apple's compiler offers the new
// name for each; here they also compile, with the same advice.

/// The former spelling of `AVAudioSession.Category.ambient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.ambient")
public let AVAudioSessionCategoryAmbient = AVAudioSession.Category.ambient

/// The former spelling of `AVAudioSession.Category.soloAmbient`.
@available(*, deprecated, renamed: "AVAudioSession.Category.soloAmbient")
public let AVAudioSessionCategorySoloAmbient = AVAudioSession.Category.soloAmbient

/// The former spelling of `AVAudioSession.Category.playback`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playback")
public let AVAudioSessionCategoryPlayback = AVAudioSession.Category.playback

/// The former spelling of `AVAudioSession.Category.record`.
@available(*, deprecated, renamed: "AVAudioSession.Category.record")
public let AVAudioSessionCategoryRecord = AVAudioSession.Category.record

/// The former spelling of `AVAudioSession.Category.playAndRecord`.
@available(*, deprecated, renamed: "AVAudioSession.Category.playAndRecord")
public let AVAudioSessionCategoryPlayAndRecord = AVAudioSession.Category.playAndRecord

/// The former spelling of `AVAudioSession.Category.multiRoute`.
@available(*, deprecated, renamed: "AVAudioSession.Category.multiRoute")
public let AVAudioSessionCategoryMultiRoute = AVAudioSession.Category.multiRoute

/// The former spelling of `AVAudioSession.Mode.default`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.default")
public let AVAudioSessionModeDefault = AVAudioSession.Mode.default

/// The former spelling of `AVAudioSession.Mode.voiceChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.voiceChat")
public let AVAudioSessionModeVoiceChat = AVAudioSession.Mode.voiceChat

/// The former spelling of `AVAudioSession.Mode.gameChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.gameChat")
public let AVAudioSessionModeGameChat = AVAudioSession.Mode.gameChat

/// The former spelling of `AVAudioSession.Mode.videoRecording`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.videoRecording")
public let AVAudioSessionModeVideoRecording = AVAudioSession.Mode.videoRecording

/// The former spelling of `AVAudioSession.Mode.measurement`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.measurement")
public let AVAudioSessionModeMeasurement = AVAudioSession.Mode.measurement

/// The former spelling of `AVAudioSession.Mode.moviePlayback`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.moviePlayback")
public let AVAudioSessionModeMoviePlayback = AVAudioSession.Mode.moviePlayback

/// The former spelling of `AVAudioSession.Mode.videoChat`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.videoChat")
public let AVAudioSessionModeVideoChat = AVAudioSession.Mode.videoChat

/// The former spelling of `AVAudioSession.Mode.spokenAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Mode.spokenAudio")
public let AVAudioSessionModeSpokenAudio = AVAudioSession.Mode.spokenAudio

/// The former spelling of `AVAudioSession.Port.lineIn`.
@available(*, deprecated, renamed: "AVAudioSession.Port.lineIn")
public let AVAudioSessionPortLineIn = AVAudioSession.Port.lineIn

/// The former spelling of `AVAudioSession.Port.builtInMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInMic")
public let AVAudioSessionPortBuiltInMic = AVAudioSession.Port.builtInMic

/// The former spelling of `AVAudioSession.Port.headsetMic`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headsetMic")
public let AVAudioSessionPortHeadsetMic = AVAudioSession.Port.headsetMic

/// The former spelling of `AVAudioSession.Port.lineOut`.
@available(*, deprecated, renamed: "AVAudioSession.Port.lineOut")
public let AVAudioSessionPortLineOut = AVAudioSession.Port.lineOut

/// The former spelling of `AVAudioSession.Port.headphones`.
@available(*, deprecated, renamed: "AVAudioSession.Port.headphones")
public let AVAudioSessionPortHeadphones = AVAudioSession.Port.headphones

/// The former spelling of `AVAudioSession.Port.bluetoothA2DP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothA2DP")
public let AVAudioSessionPortBluetoothA2DP = AVAudioSession.Port.bluetoothA2DP

/// The former spelling of `AVAudioSession.Port.builtInReceiver`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInReceiver")
public let AVAudioSessionPortBuiltInReceiver = AVAudioSession.Port.builtInReceiver

/// The former spelling of `AVAudioSession.Port.builtInSpeaker`.
@available(*, deprecated, renamed: "AVAudioSession.Port.builtInSpeaker")
public let AVAudioSessionPortBuiltInSpeaker = AVAudioSession.Port.builtInSpeaker

/// The former spelling of `AVAudioSession.Port.HDMI`.
@available(*, deprecated, renamed: "AVAudioSession.Port.HDMI")
public let AVAudioSessionPortHDMI = AVAudioSession.Port.HDMI

/// The former spelling of `AVAudioSession.Port.airPlay`.
@available(*, deprecated, renamed: "AVAudioSession.Port.airPlay")
public let AVAudioSessionPortAirPlay = AVAudioSession.Port.airPlay

/// The former spelling of `AVAudioSession.Port.bluetoothLE`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothLE")
public let AVAudioSessionPortBluetoothLE = AVAudioSession.Port.bluetoothLE

/// The former spelling of `AVAudioSession.Port.bluetoothHFP`.
@available(*, deprecated, renamed: "AVAudioSession.Port.bluetoothHFP")
public let AVAudioSessionPortBluetoothHFP = AVAudioSession.Port.bluetoothHFP

/// The former spelling of `AVAudioSession.Port.usbAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Port.usbAudio")
public let AVAudioSessionPortUSBAudio = AVAudioSession.Port.usbAudio

/// The former spelling of `AVAudioSession.Port.carAudio`.
@available(*, deprecated, renamed: "AVAudioSession.Port.carAudio")
public let AVAudioSessionPortCarAudio = AVAudioSession.Port.carAudio

extension NSNotification.Name {
    /// The former spelling of `AVAudioSession.interruptionNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.interruptionNotification")
    public static let AVAudioSessionInterruption = AVAudioSession.interruptionNotification

    /// The former spelling of `AVAudioSession.routeChangeNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.routeChangeNotification")
    public static let AVAudioSessionRouteChange = AVAudioSession.routeChangeNotification

    /// The former spelling of `AVAudioSession.mediaServicesWereLostNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.mediaServicesWereLostNotification")
    public static let AVAudioSessionMediaServicesWereLost = AVAudioSession.mediaServicesWereLostNotification

    /// The former spelling of `AVAudioSession.mediaServicesWereResetNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.mediaServicesWereResetNotification")
    public static let AVAudioSessionMediaServicesWereReset = AVAudioSession.mediaServicesWereResetNotification

    /// The former spelling of `AVAudioSession.silenceSecondaryAudioHintNotification`.
    @available(*, deprecated, renamed: "AVAudioSession.silenceSecondaryAudioHintNotification")
    public static let AVAudioSessionSilenceSecondaryAudioHint = AVAudioSession.silenceSecondaryAudioHintNotification
}
