/// What a program does with audio. Raw values are the ends of Apple's constants ("AVAudioSessionCategory" + raw value).
package enum SessionCategory: String, Sendable, Hashable, CaseIterable {
    case ambient = "Ambient"
    case soloAmbient = "SoloAmbient"
    case playback = "Playback"
    case record = "Record"
    case playAndRecord = "PlayAndRecord"
    case multiRoute = "MultiRoute"
}

/// Tailors a category to one use. Raw values are the ends of Apple's constants ("AVAudioSessionMode" + raw value).
package enum SessionMode: String, Sendable, Hashable, CaseIterable {
    case `default` = "Default"
    case voiceChat = "VoiceChat"
    case gameChat = "GameChat"
    case videoRecording = "VideoRecording"
    case measurement = "Measurement"
    case moviePlayback = "MoviePlayback"
    case videoChat = "VideoChat"
    case spokenAudio = "SpokenAudio"
    case voicePrompt = "VoicePrompt"
    case shortFormVideo = "ShortFormVideo"
    case dualRoute = "DualRoute"
}

/// Changes how a category behaves. The bits are Apple's (AVAudioSessionTypes.h).
package struct SessionOptions: OptionSet, Sendable, Hashable {
    package let rawValue: UInt

    package init(rawValue: UInt) { self.rawValue = rawValue }

    package static let mixWithOthers = SessionOptions(rawValue: 0x1)
    package static let duckOthers = SessionOptions(rawValue: 0x2)
    package static let allowBluetoothHFP = SessionOptions(rawValue: 0x4)
    package static let defaultToSpeaker = SessionOptions(rawValue: 0x8)
    /// The bit of its own that Apple's 0x11 has beside `mixWithOthers`.
    package static let interruptSpokenAudio = SessionOptions(rawValue: 0x10)
    package static let allowBluetoothA2DP = SessionOptions(rawValue: 0x20)
    package static let allowAirPlay = SessionOptions(rawValue: 0x40)
    package static let overrideMutedMicrophone = SessionOptions(rawValue: 0x80)
    package static let farFieldInput = SessionOptions(rawValue: 1 << 18)
    package static let bluetoothHighQualityRecording = SessionOptions(rawValue: 1 << 19)

    /// Every option by name, in the order of its bits.
    package static let named: [(option: SessionOptions, name: String)] = [
        (.mixWithOthers, "mixWithOthers"),
        (.duckOthers, "duckOthers"),
        (.allowBluetoothHFP, "allowBluetoothHFP"),
        (.defaultToSpeaker, "defaultToSpeaker"),
        (.interruptSpokenAudio, "interruptSpokenAudioAndMixWithOthers"),
        (.allowBluetoothA2DP, "allowBluetoothA2DP"),
        (.allowAirPlay, "allowAirPlay"),
        (.overrideMutedMicrophone, "overrideMutedMicrophoneInterruption"),
        (.farFieldInput, "farFieldInput"),
        (.bluetoothHighQualityRecording, "bluetoothHighQualityRecording"),
    ]
}

/// With whom a session shares its output. Raw values are Apple's.
package enum SessionRouteSharing: UInt, Sendable, Hashable, CaseIterable {
    case `default` = 0
    case longFormAudio = 1
    case independent = 2
    case longFormVideo = 3
}

/// Category, mode, options and sharing together: what the policy judges.
package struct SessionConfiguration: Sendable, Hashable {
    package var category: SessionCategory
    package var mode: SessionMode
    package var options: SessionOptions
    package var sharing: SessionRouteSharing

    package init(
        category: SessionCategory = .soloAmbient,
        mode: SessionMode = .default,
        options: SessionOptions = [],
        sharing: SessionRouteSharing = .default
    ) {
        self.category = category
        self.mode = mode
        self.options = options
        self.sharing = sharing
    }
}

/// What a client of the session does with a device.
package enum SessionUse: String, Sendable, Hashable, CaseIterable {
    case recording, playback
}
