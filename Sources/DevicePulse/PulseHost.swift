package import AudioCore

/// Microphones and speakers through libpulse: PulseAudio, and PipeWire's server of the same protocol.
///
/// One connection is shared by everything that comes from one host. It is made when it is first needed, and anew after it
/// was lost; streams of a lost connection are dead.
package final class PulseHost: AudioDeviceHost {
    package let name = "pulse"
    let core: PulseHostCore

    /// - Parameters:
    ///   - applicationName: shown by mixers.
    ///   - serverAddress: as `PULSE_SERVER` has it ("unix:/run/…"); nil looks where libpulse does by itself: that
    ///     variable, the client configuration, the socket of the user's session.
    package init(applicationName: String, serverAddress: String? = nil) {
        core = PulseHostCore(applicationName: applicationName, address: serverAddress)
    }

    package func devices() throws(AudioFailure) -> [DeviceDescription] {
        let deadline = Deadline.ofCall
        return try core.connection(deadline).devices(deadline).entries.map(\.device)
    }

    package func openCapture(
        _ request: StreamRequest,
        sink: any CaptureSink,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        let deadline = Deadline.ofCall
        let connection = try core.connection(deadline)
        let devices = try usableDevices(request, .input, connection, deadline)
        // PulseAudio makes one channel of two by their mean, PipeWire by their sum less 3 dB, which clips: there it is done
        // here. Not in general, because the server's queue then holds half as long.
        let stream = try PulseCapture(
            request,
            on: connection,
            mixesDown: devices.isPipeWire && request.channelCount == 1,
            sink: sink,
            events: events
        )
        try stream.open(request, devices: devices, deadline: deadline)
        return stream
    }

    package func openPlayback(
        _ request: StreamRequest,
        source: any PlaybackSource,
        events: @escaping @Sendable (StreamEvent) -> Void
    ) throws(AudioFailure) -> any DeviceStream {
        let deadline = Deadline.ofCall
        let connection = try core.connection(deadline)
        let devices = try usableDevices(request, .output, connection, deadline)
        let stream = try PulsePlayback(request, on: connection, source: source, events: events)
        try stream.open(request, devices: devices, deadline: deadline)
        return stream
    }

    package func observeDevices(_ changed: @escaping @Sendable () -> Void) -> any AnyObject & Sendable {
        PulseObservation(core, changed)
    }

    package func observeOtherStreams(
        _ changed: @escaping @Sendable ([OtherStream]) -> Void
    ) -> (any AnyObject & Sendable)? {
        PulseStreamObservation(core, changed)
    }

    /// The devices, once it is sure that the one asked for is among them.
    private func usableDevices(
        _ request: StreamRequest,
        _ direction: DeviceDirection,
        _ connection: PulseConnection,
        _ deadline: Deadline
    ) throws(AudioFailure) -> PulseDeviceList {
        let list = try connection.devices(deadline)
        let devices = list.devices(direction)
        let kind = direction == .input ? "microphone or other input" : "speaker or other output"
        if devices.isEmpty {
            throw AudioFailure(
                .deviceUnavailable,
                "The sound server has no \(kind). Connect one, or check that its driver and profile are active."
            )
        }
        if let id = request.deviceID, list.device(named: id, direction) == nil {
            let names = devices.map { "'\($0.id)' (\($0.name))" }.joined(separator: ", ")
            throw AudioFailure(.deviceUnavailable, "There is no \(kind) '\(id)'. There are: \(names).")
        }
        return list
    }
}

/// Listens to device changes for as long as it lives.
private final class PulseObservation: Sendable {
    private let core: PulseHostCore

    init(_ core: PulseHostCore, _ changed: @escaping @Sendable () -> Void) {
        self.core = core
        core.add(ObjectIdentifier(self), changed)
    }

    deinit { core.remove(ObjectIdentifier(self)) }
}
