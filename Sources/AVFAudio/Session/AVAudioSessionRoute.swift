import AudioCore
public import CoreAudioTypes
public import Foundation

/// The devices that the session uses. A snapshot: it does not change.
open class AVAudioSessionRouteDescription: NSObject {
    /// Where sound comes from; empty where the category does not record or no input is there.
    public let inputs: [AVAudioSessionPortDescription]

    /// Where sound goes; empty where the category does not play or no output is there.
    public let outputs: [AVAudioSessionPortDescription]

    /// A route without devices.
    public override init() {
        inputs = []
        outputs = []
    }

    init(_ route: SessionRoute) {
        inputs = route.inputs.map(AVAudioSessionPortDescription.init)
        outputs = route.outputs.map(AVAudioSessionPortDescription.init)
    }

    /// The ports of both directions, for logs.
    open override var description: String {
        "<AVAudioSessionRouteDescription: inputs = \(inputs); outputs = \(outputs)>"
    }
}

/// A device or connector. A snapshot; two are equal where they mean the same port.
open class AVAudioSessionPortDescription: NSObject {
    /// The kind of the port.
    public let portType: AVAudioSession.Port

    /// What people call it.
    public let portName: String

    /// The name by which the sound server finds it again.
    public let uid: String

    /// Its channels.
    public let channels: [AVAudioSessionChannelDescription]?

    /// A port that stands for no device.
    public override init() {
        portType = .virtual
        portName = ""
        uid = ""
        channels = nil
    }

    init(_ device: DeviceDescription) {
        portType = AVAudioSession.Port(device)
        portName = device.name
        uid = device.id
        channels = AVAudioSessionChannelDescription.all(of: device)
    }

    /// False: sound servers do not tell of speech processing inside a device.
    open var hasHardwareVoiceCallProcessing: Bool { false }

    /// False: nothing is rendered in space here.
    open var isSpatialAudioEnabled: Bool { false }

    /// Nil: sound servers tell of no data sources inside a port.
    open var dataSources: [AVAudioSessionDataSourceDescription]? { nil }

    /// Nil: see `dataSources`.
    open var selectedDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Nil: see `dataSources`.
    open var preferredDataSource: AVAudioSessionDataSourceDescription? { nil }

    /// Clears the choice with nil.
    /// - Throws: `badParam` for any data source, since there are none.
    open func setPreferredDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        try AVAudioSessionDataSourceDescription.refuse(dataSource)
    }

    /// True where `object` means the same port.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? AVAudioSessionPortDescription else { return false }
        return uid == other.uid && portType == other.portType
    }

    /// Goes with `isEqual(_:)`.
    open override var hash: Int {
        var hasher = Hasher()
        hasher.combine(uid)
        hasher.combine(portType)
        return hasher.finalize()
    }

    /// Type, name and identifier, for logs.
    open override var description: String {
        "<AVAudioSessionPortDescription: type = \(portType.rawValue); name = \(portName); UID = \(uid)>"
    }
}

/// One channel of a port.
open class AVAudioSessionChannelDescription: NSObject {
    /// The port's name and the channel's number.
    public let channelName: String

    /// The `uid` of the port.
    public let owningPortUID: String

    /// The channel's place among those of its port, from 1.
    public let channelNumber: Int

    /// Where the channel sounds: mono, left or right for one and two channels, unknown beyond.
    public let channelLabel: AudioChannelLabel

    /// A channel of no port.
    public override init() {
        channelName = ""
        owningPortUID = ""
        channelNumber = 0
        channelLabel = kAudioChannelLabel_Unknown
    }

    private init(_ device: DeviceDescription, number: Int) {
        channelName = "\(device.name) \(number)"
        owningPortUID = device.id
        channelNumber = number
        channelLabel =
            switch (device.channelCount, number) {
            case (1, _): kAudioChannelLabel_Mono
            case (2, 1): kAudioChannelLabel_Left
            case (2, 2): kAudioChannelLabel_Right
            default: kAudioChannelLabel_Unknown
            }
    }

    /// At most 64: a server that says more is mistaken.
    static func all(of device: DeviceDescription) -> [AVAudioSessionChannelDescription] {
        (0..<min(max(device.channelCount, 0), 64)).map { AVAudioSessionChannelDescription(device, number: $0 + 1) }
    }

    /// Name, number, port and label, for logs.
    open override var description: String {
        "<AVAudioSessionChannelDescription: name = \(channelName); number = \(channelNumber); port UID = \(owningPortUID)>"
    }
}

/// One of several sources inside a port. Sound servers tell of none, so none is ever handed out.
open class AVAudioSessionDataSourceDescription: NSObject {
    /// The source's number.
    open var dataSourceID: NSNumber { 0 }

    /// What people call it.
    open var dataSourceName: String { "" }

    /// Where it sits; nil where that is not known.
    open var location: AVAudioSession.Location? { nil }

    /// Where it points to; nil where that is not known.
    open var orientation: AVAudioSession.Orientation? { nil }

    /// The patterns that can be chosen; nil where there is nothing to choose.
    open var supportedPolarPatterns: [AVAudioSession.PolarPattern]? { nil }

    /// The pattern in use; nil where there is nothing to choose.
    open var selectedPolarPattern: AVAudioSession.PolarPattern? { nil }

    /// The pattern that the program chose; nil where it chose none.
    open var preferredPolarPattern: AVAudioSession.PolarPattern? { nil }

    /// Clears the choice with nil.
    /// - Throws: `badParam` for any pattern, since there is nothing to choose.
    open func setPreferredPolarPattern(_ pattern: AVAudioSession.PolarPattern?) throws {
        if pattern == nil { return }
        throw SessionError.make(
            .badParam,
            "Setting the polar pattern failed",
            "The sound server offers no choice of polar patterns."
        )
    }

    static func refuse(_ dataSource: AVAudioSessionDataSourceDescription?) throws {
        if dataSource == nil { return }
        throw SessionError.make(
            .badParam,
            "Setting the data source failed",
            "The sound server offers no choice of data sources."
        )
    }
}
