package import RecordingKit

/// Finds a device by what people type.
package enum DeviceChoice {
    /// The device whose id or name is `text`, or else the only one whose name or id has `text` in it (any case).
    /// - Throws: `deviceUnavailable` with the names that there are, `invalidArgument` where several fit.
    package static func find(_ text: String, among devices: [AudioDevice], kind: String) throws(RecordingError)
        -> AudioDevice
    {
        if let exact = devices.first(where: { $0.id == text }) { return exact }
        let named = devices.filter { $0.name.lowercased() == text.lowercased() }
        let found = named.isEmpty ? devices.filter { contains($0, text) } : named
        // What outputs play is heard only where it was meant: a part of a name means the microphone.
        let real = found.filter { !$0.isMonitor }
        let fitting = real.isEmpty ? found : real
        if fitting.count == 1 { return fitting[0] }
        if fitting.isEmpty {
            throw RecordingError(.deviceUnavailable, "There is no \(kind) '\(text)'. \(listing(devices, kind))")
        }
        throw RecordingError(
            .invalidArgument,
            "'\(text)' fits more than one \(kind): \(names(fitting)). 'kayit devices' shows ids that are exact."
        )
    }

    private static func contains(_ device: AudioDevice, _ text: String) -> Bool {
        let text = text.lowercased()
        return device.name.lowercased().contains(text) || device.id.lowercased().contains(text)
    }

    private static func listing(_ devices: [AudioDevice], _ kind: String) -> String {
        devices.isEmpty ? "There is none at all." : "There are: \(names(devices))."
    }

    private static func names(_ devices: [AudioDevice]) -> String {
        devices.map { "'\($0.name)'" }.joined(separator: ", ")
    }
}
