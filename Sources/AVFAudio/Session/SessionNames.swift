import AudioCore

/// Between Apple's strings and the policy's values.
extension SessionCategory {
    static let applePrefix = "AVAudioSessionCategory"

    init?(_ category: AVAudioSession.Category) {
        guard category.rawValue.hasPrefix(Self.applePrefix) else { return nil }
        self.init(rawValue: String(category.rawValue.dropFirst(Self.applePrefix.count)))
    }
}

extension AVAudioSession.Category {
    init(_ category: SessionCategory) { self.init(rawValue: SessionCategory.applePrefix + category.rawValue) }
}

extension SessionMode {
    static let applePrefix = "AVAudioSessionMode"

    init?(_ mode: AVAudioSession.Mode) {
        guard mode.rawValue.hasPrefix(Self.applePrefix) else { return nil }
        self.init(rawValue: String(mode.rawValue.dropFirst(Self.applePrefix.count)))
    }
}

extension AVAudioSession.Mode {
    init(_ mode: SessionMode) { self.init(rawValue: SessionMode.applePrefix + mode.rawValue) }
}

extension AVAudioSession.Port {
    /// Apple has no "unknown": a device whose connector the server does not tell is named by its bus, else virtual.
    init(_ device: DeviceDescription) {
        switch device.port {
        case .builtInMicrophone: self = .builtInMic
        case .headsetMicrophone: self = .headsetMic
        case .lineIn: self = .lineIn
        case .usb: self = .usbAudio
        case .bluetooth:
            // The speech profile is mono in both directions; the music profile is stereo, and output only.
            self = device.direction == .output && device.channelCount > 1 ? .bluetoothA2DP : .bluetoothHFP
        case .builtInSpeaker: self = .builtInSpeaker
        case .headphones: self = .headphones
        case .lineOut: self = .lineOut
        case .hdmi: self = .HDMI
        case .monitor, .virtual: self = .virtual
        case .unknown:
            switch device.bus {
            case "usb": self = .usbAudio
            case "pci": self = .PCI
            case "bluetooth": self = .bluetoothHFP
            default: self = .virtual
            }
        }
    }
}
