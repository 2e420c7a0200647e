/// Sets of options (AVAudioSessionTypes.h).
extension AVAudioSession {
    /// Changes how a category behaves. Options do not stay when the category is set anew.
    public struct CategoryOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Wraps any bits; unknown ones are refused where they are used.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Others go on playing. With `.playAndRecord`, `.playback` and `.multiRoute`; `.ambient` always has it.
        public static let mixWithOthers = CategoryOptions(rawValue: 0x1)

        /// Others are made quieter while the session is active. Includes `mixWithOthers`.
        public static let duckOthers = CategoryOptions(rawValue: 0x2)

        /// The former name of `allowBluetoothHFP`.
        @available(*, deprecated, renamed: "allowBluetoothHFP")
        public static let allowBluetooth = CategoryOptions(rawValue: 0x4)

        /// Bluetooth headsets may be the input. With `.playAndRecord` and `.record`.
        public static let allowBluetoothHFP = CategoryOptions(rawValue: 0x4)

        /// Output goes to the loudspeaker rather than to the earpiece. With `.playAndRecord`.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 0x8)

        /// Interrupts others that speak and mixes with the rest: 0x10 together with `mixWithOthers`.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 0x11)

        /// Bluetooth devices for music may be the output. Output-only categories always allow it.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 0x20)

        /// AirPlay devices may be the output. Output-only categories always allow it.
        public static let allowAirPlay = CategoryOptions(rawValue: 0x40)

        /// The session stays active when the microphone is muted in hardware; what is recorded then is silence.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 0x80)

        /// Prefers a microphone array that hears from afar. Needs `allowBluetoothHFP`.
        public static let farFieldInput = CategoryOptions(rawValue: 1 << 18)

        /// Full bandwidth in both directions over Bluetooth. Only with the default mode.
        public static let bluetoothHighQualityRecording = CategoryOptions(rawValue: 1 << 19)
    }

    /// How a session is made active or inactive.
    public struct SetActiveOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Wraps any bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Tells those whom this session interrupted that they may go on. Only for deactivation.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// What the end of an interruption says.
    public struct InterruptionOptions: OptionSet, Sendable {
        /// Apple's bits.
        public let rawValue: UInt

        /// Wraps any bits.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Playback that was interrupted should go on.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }
}
