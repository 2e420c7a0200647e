/// Categories and modes, with the strings that Apple's constants have (AVAudioSessionTypes.h).
extension AVAudioSession {
    /// What a program does with audio; the rules are in `SessionPolicy`.
    public struct Category: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Output only; mixes with other programs.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")

        /// Output only; silences other programs. The default.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")

        /// Output only, for music and speech that matter by themselves; silences other programs unless it mixes.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")

        /// Input only; silences playback.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")

        /// Input and output.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")

        /// Neither input nor output. Refused, as on Apple's systems since iOS 10.
        @available(*, deprecated, message: "No longer supported")
        public static let audioProcessing = Category(rawValue: "AVAudioSessionCategoryAudioProcessing")

        /// Input and output, several outputs at once where the system can. Here one output at a time.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// Tailors a category to one use.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// No tailoring. Goes with every category.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")

        /// Two-way speech. Only with `.playAndRecord`; sets `.allowBluetoothHFP`.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")

        /// Speech in games. Only with `.playAndRecord`.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")

        /// The sound of a film being shot. Only with `.record` and `.playAndRecord`.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")

        /// As little processing of input and output as the system can do.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")

        /// Films. Only with `.playback`.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")

        /// Two-way video. Only with `.playAndRecord`; sets `.allowBluetoothHFP` and `.defaultToSpeaker`.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")

        /// Continuous speech, such as podcasts, that is paused rather than ducked under a prompt.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")

        /// Short spoken prompts, such as those of navigation.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")

        /// Short films. Only with `.playback` and the default route-sharing policy.
        public static let shortFormVideo = Mode(rawValue: "AVAudioSessionModeShortFormVideo")

        /// Built-in and secondary device at once. Only with `.multiRoute` and `.allowBluetoothHFP`.
        public static let dualRoute = Mode(rawValue: "AVAudioSessionModeDualRoute")
    }
}
