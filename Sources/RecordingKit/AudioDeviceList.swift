import AudioCore
import AudioRuntime

/// A microphone, speaker or other end of the sound server.
public struct AudioDevice: Sendable, Hashable {
    /// The stable name by which the sound server finds it again.
    public var id: String
    /// What people call it.
    public var name: String
    /// True where sound comes from it, false where sound goes to it.
    public var isInput: Bool
    /// True for the device that is used where none is named.
    public var isDefault: Bool
    /// True for an input that hears what an output plays.
    public var isMonitor: Bool
    /// The kind of connector ("built-in microphone", "usb", "headphones"); "unknown" where the server does not tell.
    public var port: String
    /// The active port by the server's own name; nil where it has none.
    public var portName: String?
    /// How it is attached ("pci", "usb", "bluetooth"); nil where unknown.
    public var bus: String?
    /// Its shape ("internal", "headset", "webcam"); nil where unknown.
    public var formFactor: String?
    /// The rate at which the hardware runs now, in frames per second.
    public var sampleRate: Double
    /// Its channels.
    public var channelCount: Int
    /// True where the server lets no sound through.
    public var isMuted: Bool
    /// The server's volume, 0 … 1, above 1 where it amplifies.
    public var volume: Double

    /// A device as a program describes it, for lists of its own.
    public init(
        id: String,
        name: String,
        isInput: Bool,
        isDefault: Bool = false,
        isMonitor: Bool = false,
        port: String = "unknown",
        portName: String? = nil,
        bus: String? = nil,
        formFactor: String? = nil,
        sampleRate: Double,
        channelCount: Int,
        isMuted: Bool = false,
        volume: Double = 1
    ) {
        self.id = id
        self.name = name
        self.isInput = isInput
        self.isDefault = isDefault
        self.isMonitor = isMonitor
        self.port = port
        self.portName = portName
        self.bus = bus
        self.formFactor = formFactor
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.isMuted = isMuted
        self.volume = volume
    }
}

/// All devices that can be used now.
public struct AudioDeviceList: Sendable, Hashable {
    /// Microphones and other sources, monitors of outputs included.
    public var inputs: [AudioDevice]
    /// Speakers and other outputs.
    public var outputs: [AudioDevice]
    /// The device layer that was asked ("pulse", "simulated").
    public var layer: String

    /// The devices that the machine has now. Blocks for up to 2 seconds where the sound server does not answer.
    /// - Throws: `serverUnavailable` with a message that says what to start.
    public static func current() throws(RecordingError) -> AudioDeviceList {
        let host = Runtime.current.devices
        let all = try reporting { () throws(AudioFailure) in try host.devices() }
        let devices = all.map(AudioDevice.init)
        return AudioDeviceList(
            inputs: devices.filter(\.isInput),
            outputs: devices.filter { !$0.isInput },
            layer: host.name
        )
    }
}

extension AudioDevice {
    init(_ description: DeviceDescription) {
        self.init(
            id: description.id,
            name: description.name,
            isInput: description.direction == .input,
            isDefault: description.isDefault,
            isMonitor: description.isMonitor,
            port: description.port.spokenName,
            portName: description.portName,
            bus: description.bus,
            formFactor: description.formFactor,
            sampleRate: description.sampleRate,
            channelCount: description.channelCount,
            isMuted: description.isMuted,
            volume: description.volume
        )
    }
}

extension PortKind {
    fileprivate var spokenName: String {
        switch self {
        case .builtInMicrophone: "built-in microphone"
        case .headsetMicrophone: "headset microphone"
        case .lineIn: "line in"
        case .usb: "usb"
        case .bluetooth: "bluetooth"
        case .builtInSpeaker: "built-in speaker"
        case .headphones: "headphones"
        case .lineOut: "line out"
        case .hdmi: "hdmi"
        case .monitor: "monitor"
        case .virtual: "virtual"
        case .unknown: "unknown"
        }
    }
}
