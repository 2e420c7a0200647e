/// Kinds of ports, and what a data source of a port can be like (AVAudioSessionTypes.h, AVAudioSessionRoute.h).
extension AVAudioSession {
    /// The kind of a connector or device.
    public struct Port: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A phone used as the microphone of another device.
        public static let continuityMicrophone = Port(rawValue: "ContinuityMicrophone")

        /// Line-level input.
        public static let lineIn = Port(rawValue: "LineIn")

        /// The microphone inside the device.
        public static let builtInMic = Port(rawValue: "MicrophoneBuiltIn")

        /// The microphone of a wired headset.
        public static let headsetMic = Port(rawValue: "MicrophoneWired")

        /// Line-level output.
        public static let lineOut = Port(rawValue: "LineOut")

        /// Wired headphones or headset.
        public static let headphones = Port(rawValue: "Headphones")

        /// Bluetooth output for music (A2DP).
        public static let bluetoothA2DP = Port(rawValue: "BluetoothA2DPOutput")

        /// The earpiece of a telephone.
        public static let builtInReceiver = Port(rawValue: "Receiver")

        /// The loudspeaker inside the device.
        public static let builtInSpeaker = Port(rawValue: "Speaker")

        /// Output over HDMI.
        public static let HDMI = Port(rawValue: "HDMIOutput")

        /// Output over AirPlay.
        public static let airPlay = Port(rawValue: "AirPlay")

        /// Output over Bluetooth Low Energy.
        public static let bluetoothLE = Port(rawValue: "BluetoothLE")

        /// Bluetooth input or output for speech (Hands-Free Profile).
        public static let bluetoothHFP = Port(rawValue: "BluetoothHFP")

        /// Input or output over USB.
        public static let usbAudio = Port(rawValue: "USBAudio")

        /// Input or output of a car.
        public static let carAudio = Port(rawValue: "CarAudio")

        /// Input or output without hardware.
        public static let virtual = Port(rawValue: "Virtual")

        /// Input or output on the PCI bus.
        public static let PCI = Port(rawValue: "PCI")

        /// Input or output over FireWire.
        public static let fireWire = Port(rawValue: "FireWire")

        /// Input or output over DisplayPort.
        public static let displayPort = Port(rawValue: "DisplayPort")

        /// Input or output over Audio Video Bridging.
        public static let AVB = Port(rawValue: "AVB")

        /// Input or output over Thunderbolt.
        public static let thunderbolt = Port(rawValue: "Thunderbolt")
    }

    /// Where on the device a data source sits.
    public struct Location: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Near the top of the device.
        public static let upper = Location(rawValue: "Upper")

        /// Near the bottom of the device.
        public static let lower = Location(rawValue: "Lower")
    }

    /// Where a data source points to.
    public struct Orientation: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Points to the top.
        public static let top = Orientation(rawValue: "Top")

        /// Points to the bottom.
        public static let bottom = Orientation(rawValue: "Bottom")

        /// Points to the front.
        public static let front = Orientation(rawValue: "Front")

        /// Points to the back.
        public static let back = Orientation(rawValue: "Back")

        /// Points to the left.
        public static let left = Orientation(rawValue: "Left")

        /// Points to the right.
        public static let right = Orientation(rawValue: "Right")
    }

    /// From which directions a data source hears.
    public struct PolarPattern: RawRepresentable, Hashable, Sendable {
        /// The string that Apple's constant has.
        public let rawValue: String

        /// Wraps any string; those that no constant below has are refused where they are used.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// Hears all directions alike.
        public static let omnidirectional = PolarPattern(rawValue: "Omnidirectional")

        /// Hears what is in front.
        public static let cardioid = PolarPattern(rawValue: "Cardioid")

        /// Hears mostly what is in front.
        public static let subcardioid = PolarPattern(rawValue: "Subcardioid")

        /// Hears left and right apart.
        public static let stereo = PolarPattern(rawValue: "Stereo")
    }
}
