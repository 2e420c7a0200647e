import AudioCore
import CPulse

/// The devices of a server at one moment.
struct PulseDeviceList {
    struct Entry {
        var index: UInt32
        var device: DeviceDescription
        /// Where the device's channels sound.
        var map: pa_channel_map
    }

    var entries: [Entry] = []
    /// PipeWire in the place of PulseAudio.
    var isPipeWire = false

    /// The devices of one direction, without the index that is of use to libpulse only.
    func devices(_ direction: DeviceDirection) -> [DeviceDescription] {
        entries.map(\.device).filter { $0.direction == direction }
    }

    /// The map of a stream whose channels go to those of a device.
    func map(of places: [Int?], on id: String?, _ direction: DeviceDirection) -> pa_channel_map? {
        guard var map = entries.first(where: { $0.device.id == id && $0.device.direction == direction })?.map else {
            return nil
        }
        let positions = withUnsafeBytes(of: &map.map) { Array($0.bindMemory(to: pa_channel_position_t.self)) }
        var result = pa_channel_map()
        pa_channel_map_init(&result)
        result.channels = UInt8(clamping: places.count)
        withUnsafeMutableBytes(of: &result.map) { bytes in
            let slots = bytes.bindMemory(to: pa_channel_position_t.self)
            for (channel, place) in zip(0..<slots.count, places) {
                // No device has the last of the auxiliary positions: what is there goes nowhere.
                slots[channel] =
                    place.flatMap { positions.indices.contains($0) ? positions[$0] : nil } ?? PA_CHANNEL_POSITION_AUX31
            }
        }
        return result
    }

    func device(named id: String, _ direction: DeviceDirection) -> DeviceDescription? {
        entries.lazy.map(\.device).first { $0.id == id && $0.direction == direction }
    }
}

/// Collects the answers of the server about its devices. Filled under the loop lock, read after the operations ended.
final class PulseDeviceQuery {
    private var entries: [PulseDeviceList.Entry] = []
    private var defaultSource: String?
    private var defaultSink: String?
    private var isPipeWire = false

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    /// What came, with the defaults marked.
    var list: PulseDeviceList {
        PulseDeviceList(
            entries: entries.map { entry in
                var entry = entry
                let name = entry.device.direction == .input ? defaultSource : defaultSink
                entry.device.isDefault = entry.device.id == name
                return entry
            },
            isPipeWire: isPipeWire
        )
    }

    private static func borrow(_ user: UnsafeMutableRawPointer?, _ body: (PulseDeviceQuery) -> Void) {
        guard let user else { return }
        Unmanaged<PulseDeviceQuery>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    static let source: pa_source_info_cb_t = { _, info, end, user in
        guard end == 0, let info else { return }
        borrow(user) {
            $0.entries.append(
                .init(
                    index: info.pointee.index,
                    device: DeviceDescription(info.pointee),
                    map: info.pointee.channel_map
                )
            )
        }
    }

    static let sink: pa_sink_info_cb_t = { _, info, end, user in
        guard end == 0, let info else { return }
        borrow(user) {
            $0.entries.append(
                .init(
                    index: info.pointee.index,
                    device: DeviceDescription(info.pointee),
                    map: info.pointee.channel_map
                )
            )
        }
    }

    static let server: pa_server_info_cb_t = { _, info, user in
        guard let info else { return }
        borrow(user) {
            $0.defaultSource = String(pulse: info.pointee.default_source_name)
            $0.defaultSink = String(pulse: info.pointee.default_sink_name)
            $0.isPipeWire = String(pulse: info.pointee.server_name)?.contains("PipeWire") == true
        }
    }
}

extension PulseConnection {
    func devices(_ deadline: Deadline) throws(AudioFailure) -> PulseDeviceList {
        let query = PulseDeviceQuery()
        try withExtendedLifetime(query) { () throws(AudioFailure) in
            try perform("list its devices", deadline) { context in
                [
                    pa_context_get_source_info_list(context, PulseDeviceQuery.source, query.pointer),
                    pa_context_get_sink_info_list(context, PulseDeviceQuery.sink, query.pointer),
                    pa_context_get_server_info(context, PulseDeviceQuery.server, query.pointer),
                ]
            }
        }
        return query.list
    }

    /// Nil where there is none, or nobody tells.
    func device(named id: String, _ direction: DeviceDirection, _ deadline: Deadline) -> DeviceDescription? {
        do throws(AudioFailure) { return try devices(deadline).device(named: id, direction) } catch { return nil }
    }
}

extension DeviceDescription {
    fileprivate init(_ info: pa_source_info) {
        let port = info.active_port?.pointee
        let isMonitor = info.monitor_of_sink != PulseIndex.none
        self.init(
            id: String(pulse: info.name) ?? "",
            name: String(pulse: info.description) ?? String(pulse: info.name) ?? "",
            direction: .input,
            isMonitor: isMonitor,
            portName: String(pulse: port?.name),
            properties: PulseProperties(info.proplist),
            specification: info.sample_spec,
            isMuted: info.mute != 0,
            volume: info.volume
        )
        isPluggedIn = port.map { UInt32(bitPattern: $0.available) != PA_PORT_AVAILABLE_NO.rawValue } ?? true
        self.port = Self.port(
            of: self,
            type: port.map { pa_device_port_type_t(rawValue: $0.type) },
            isHardware: info.flags.rawValue & PA_SOURCE_HARDWARE.rawValue != 0
        )
        // The level of a monitor is that of a copy of the output: nothing that listens is turned up by it.
        let volumeControls = PA_SOURCE_HW_VOLUME_CTRL.rawValue | PA_SOURCE_DECIBEL_VOLUME.rawValue
        isVolumeSettable = !isMonitor && info.flags.rawValue & volumeControls != 0
    }

    fileprivate init(_ info: pa_sink_info) {
        let port = info.active_port?.pointee
        self.init(
            id: String(pulse: info.name) ?? "",
            name: String(pulse: info.description) ?? String(pulse: info.name) ?? "",
            direction: .output,
            isMonitor: false,
            portName: String(pulse: port?.name),
            properties: PulseProperties(info.proplist),
            specification: info.sample_spec,
            isMuted: info.mute != 0,
            volume: info.volume
        )
        isPluggedIn = port.map { UInt32(bitPattern: $0.available) != PA_PORT_AVAILABLE_NO.rawValue } ?? true
        self.port = Self.port(
            of: self,
            type: port.map { pa_device_port_type_t(rawValue: $0.type) },
            isHardware: info.flags.rawValue & PA_SINK_HARDWARE.rawValue != 0
        )
    }

    private init(
        id: String,
        name: String,
        direction: DeviceDirection,
        isMonitor: Bool,
        portName: String?,
        properties: PulseProperties,
        specification: pa_sample_spec,
        isMuted: Bool,
        volume: pa_cvolume
    ) {
        var volume = volume
        self.init(
            id: id,
            name: name,
            direction: direction,
            isMonitor: isMonitor,
            portName: portName,
            bus: properties[PA_PROP_DEVICE_BUS],
            formFactor: properties[PA_PROP_DEVICE_FORM_FACTOR],
            sampleRate: Double(specification.rate),
            channelCount: Int(specification.channels),
            isMuted: isMuted,
            volume: pa_sw_volume_to_linear(pa_cvolume_max(&volume))
        )
    }

    /// The bus decides first, as Apple's port types do: a USB headset is a USB port.
    private static func port(of device: Self, type: pa_device_port_type_t?, isHardware: Bool) -> PortKind {
        if device.isMonitor { return .monitor }
        if device.bus == "bluetooth" || type == PA_DEVICE_PORT_TYPE_BLUETOOTH { return .bluetooth }
        if device.bus == "usb" || type == PA_DEVICE_PORT_TYPE_USB { return .usb }
        let isInput = device.direction == .input
        let portName = device.portName?.lowercased() ?? ""
        switch type {
        case PA_DEVICE_PORT_TYPE_HDMI: return .hdmi
        case PA_DEVICE_PORT_TYPE_LINE: return isInput ? .lineIn : .lineOut
        case PA_DEVICE_PORT_TYPE_HEADSET, PA_DEVICE_PORT_TYPE_HANDSFREE, PA_DEVICE_PORT_TYPE_EARPIECE:
            return isInput ? .headsetMicrophone : .headphones
        case PA_DEVICE_PORT_TYPE_HEADPHONES: return isInput ? .headsetMicrophone : .headphones
        case PA_DEVICE_PORT_TYPE_SPEAKER: return .builtInSpeaker
        case PA_DEVICE_PORT_TYPE_MIC:
            return portName.contains("headset") || portName.contains("headphone") || device.formFactor == "headset"
                ? .headsetMicrophone : .builtInMicrophone
        default: break
        }
        switch device.formFactor {
        case "headset", "headphone", "hands-free": return isInput ? .headsetMicrophone : .headphones
        case "internal": return isInput ? .builtInMicrophone : .builtInSpeaker
        case "speaker": return isInput ? .unknown : .builtInSpeaker
        case "microphone": return .builtInMicrophone
        default: return isHardware ? .unknown : .virtual
        }
    }
}

/// Indexes of objects in the server.
enum PulseIndex {
    /// PA_INVALID_INDEX, which the importer cannot express.
    static let none = UInt32.max
}

/// A borrowed property list.
struct PulseProperties {
    private let list: OpaquePointer?

    init(_ list: OpaquePointer?) { self.list = list }

    subscript(key: String) -> String? {
        guard let list else { return nil }
        return String(pulse: pa_proplist_gets(list, key))
    }
}

extension String {
    /// Nil for a null pointer and for an empty string.
    init?(pulse text: UnsafePointer<CChar>?) {
        guard let text, text.pointee != 0 else { return nil }
        self.init(cString: text)
    }
}
