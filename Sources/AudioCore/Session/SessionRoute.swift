/// The devices that sound comes from and goes to.
package struct SessionRoute: Sendable, Equatable {
    package var inputs: [DeviceDescription]
    package var outputs: [DeviceDescription]

    package init(inputs: [DeviceDescription] = [], outputs: [DeviceDescription] = []) {
        self.inputs = inputs
        self.outputs = outputs
    }

    package var devices: [DeviceDescription] { inputs + outputs }
}

/// What the session asks of a route.
package struct SessionRouteWish: Sendable, Equatable {
    package var needsInput: Bool
    package var needsOutput: Bool
    /// The input that the program prefers, by device id. Without effect while that device is absent.
    package var preferredInputID: String?
    /// The output that the program forced, by device id, until the route changes.
    package var overrideOutputID: String?
    /// Whether Bluetooth devices may be the input, and the output. The options of a category decide.
    package var allowsBluetoothInput: Bool
    package var allowsBluetoothOutput: Bool
    /// Where a stream runs that the server, or the user in a mixer, has put elsewhere, by device id: that is the route, whatever
    /// was wished. Without effect while that device is absent.
    package var placedInputID: String?
    package var placedOutputID: String?

    package init(
        needsInput: Bool,
        needsOutput: Bool,
        preferredInputID: String? = nil,
        overrideOutputID: String? = nil,
        allowsBluetoothInput: Bool = true,
        allowsBluetoothOutput: Bool = true
    ) {
        self.needsInput = needsInput
        self.needsOutput = needsOutput
        self.preferredInputID = preferredInputID
        self.overrideOutputID = overrideOutputID
        self.allowsBluetoothInput = allowsBluetoothInput
        self.allowsBluetoothOutput = allowsBluetoothOutput
    }
}

/// Why a route is another one than before.
package enum SessionRouteChange: Sendable, Hashable {
    case newDevice, oldDeviceGone, category, override, noSuitableRoute, configuration
}

/// How devices become routes, and how two routes are told apart. No state, no server.
package enum SessionRouting {
    /// Inputs that may be taken without being asked for: no monitors, except one that the user made the default.
    package static func automaticInputs(
        _ devices: [DeviceDescription],
        allowsBluetooth: Bool = true
    ) -> [DeviceDescription] {
        devices.filter { device in
            device.direction == .input && (!device.isMonitor || device.isDefault)
                && (allowsBluetooth || device.port != .bluetooth)
        }
    }

    /// Inputs that a program may choose: microphones first, then monitors, which hear what an output plays.
    package static func selectableInputs(
        _ devices: [DeviceDescription],
        allowsBluetooth: Bool = true
    ) -> [DeviceDescription] {
        let automatic = automaticInputs(devices, allowsBluetooth: allowsBluetooth)
        return automatic + devices.filter { $0.direction == .input && $0.isMonitor && !$0.isDefault }
    }

    package static func route(_ devices: [DeviceDescription], _ wish: SessionRouteWish) -> SessionRoute {
        var route = SessionRoute()
        if wish.needsInput {
            let inputs = automaticInputs(devices, allowsBluetooth: wish.allowsBluetoothInput)
            let selectable = selectableInputs(devices, allowsBluetooth: wish.allowsBluetoothInput)
            let placed = devices.first { $0.direction == .input && $0.id == wish.placedInputID }
            let chosen =
                placed ?? selectable.first { $0.id == wish.preferredInputID } ?? inputs.first { $0.isDefault }
                ?? inputs.first { $0.port.isBuiltIn } ?? inputs.first
            if let chosen { route.inputs = [chosen] }
        }
        if wish.needsOutput {
            let outputs = devices.filter {
                $0.direction == .output && (wish.allowsBluetoothOutput || $0.port != .bluetooth)
            }
            let placed = devices.first { $0.direction == .output && $0.id == wish.placedOutputID }
            let chosen =
                placed ?? outputs.first { $0.id == wish.overrideOutputID } ?? outputs.first { $0.isDefault }
                ?? outputs.first { $0.port.isBuiltIn } ?? outputs.first
            if let chosen { route.outputs = [chosen] }
        }
        return route
    }

    /// Why `new` differs from `old`; nil where nothing that concerns a program differs.
    /// - Parameters:
    ///   - known: the devices that were there before.
    ///   - present: the devices that are there now.
    ///   - pulled: those of them whose plug has been pulled.
    package static func change(
        from old: SessionRoute,
        to new: SessionRoute,
        known: [DeviceDescription],
        present: [DeviceDescription],
        pulled: [DeviceDescription] = [],
        _ wish: SessionRouteWish
    ) -> SessionRouteChange? {
        if old.devices.map(\.connector) == new.devices.map(\.connector) {
            return old.devices.map(\.configuration) == new.devices.map(\.configuration) ? nil : .configuration
        }
        let lostInput = wish.needsInput && new.inputs.isEmpty && !old.inputs.isEmpty
        let lostOutput = wish.needsOutput && new.outputs.isEmpty && !old.outputs.isEmpty
        if lostInput || lostOutput { return .noSuitableRoute }
        let usableIDs = Set(present.map(\.key)).subtracting(pulled.map(\.key))
        let left = Set(old.devices.map(\.key)).subtracting(new.devices.map(\.key))
        if !left.isSubset(of: usableIDs) { return .oldDeviceGone }
        let knownIDs = Set(known.map(\.key))
        let unpluggedIDs = Set(known.filter { !$0.isPluggedIn }.map(\.key))
        let joined = new.devices.filter { device in !old.devices.contains { $0.key == device.key } }
        let hasCome = joined.contains { device in
            !knownIDs.contains(device.key) || (device.isPluggedIn && unpluggedIDs.contains(device.key))
        }
        if hasCome { return .newDevice }
        return changeOfConnector(from: old, to: new) ?? .override
    }

    /// Devices that are listed still and whose plug has been pulled: some servers keep them, and move the sound to the next.
    ///
    /// A device that never said that something is plugged in is not among them: it may not know.
    /// - Parameter pulled: what this has given before.
    package static func pulled(
        _ pulled: [DeviceDescription],
        known: [DeviceDescription],
        present: [DeviceDescription]
    ) -> [DeviceDescription] {
        let before = Set(pulled.map(\.key)).union(known.filter(\.isPluggedIn).map(\.key))
        return present.filter { !$0.isPluggedIn && before.contains($0.key) }
    }

    /// True where what was heard came from a device, or a connector of one, that is not there any more.
    package static func outputIsGone(
        _ change: SessionRouteChange,
        from old: SessionRoute,
        to new: SessionRoute
    ) -> Bool {
        guard change == .oldDeviceGone || change == .noSuitableRoute, let output = old.outputs.first else {
            return false
        }
        return new.outputs.first?.connector != output.connector
    }

    /// One sound card shows headphones and loudspeaker as two ports of one device: plugging changes the port.
    private static func changeOfConnector(from old: SessionRoute, to new: SessionRoute) -> SessionRouteChange? {
        for device in new.devices {
            guard let before = old.devices.first(where: { $0.key == device.key }), before.port != device.port else {
                continue
            }
            if before.port.isBuiltIn != device.port.isBuiltIn {
                return device.port.isBuiltIn ? .oldDeviceGone : .newDevice
            }
        }
        return old.devices.map(\.key) == new.devices.map(\.key) ? .configuration : nil
    }
}

extension PortKind {
    fileprivate var isBuiltIn: Bool { self == .builtInMicrophone || self == .builtInSpeaker }
}

extension DeviceDescription {
    fileprivate struct Key: Hashable {
        var id: String
        var direction: DeviceDirection
    }

    fileprivate struct Connector: Hashable {
        var key: Key
        var port: PortKind
        var portName: String?
    }

    fileprivate struct Configuration: Hashable {
        var sampleRate: Double
        var channelCount: Int
    }

    fileprivate var key: Key { Key(id: id, direction: direction) }
    fileprivate var connector: Connector { Connector(key: key, port: port, portName: portName) }
    fileprivate var configuration: Configuration { Configuration(sampleRate: sampleRate, channelCount: channelCount) }
}
