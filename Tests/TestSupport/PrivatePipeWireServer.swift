import Foundation

/// PipeWire with its session manager and its server of PulseAudio's protocol, in a scratch folder.
package final class PrivatePipeWireServer: SoundServer {
    private let folder: TemporaryFolder
    private let sinks: [String]
    private let process = ServerProcess()

    package let address: String
    package let environment: [String: String]

    /// - Parameter sinks: null sinks that are there after every start.
    package init(sinks: [String] = []) throws {
        folder = try TemporaryFolder()
        address = "unix:" + folder.path("pulse/native")
        self.sinks = sinks
        environment = [
            "HOME": folder.url.path,
            "XDG_RUNTIME_DIR": folder.url.path,
            "XDG_CONFIG_HOME": folder.path("config"),
            "XDG_STATE_HOME": folder.path("state"),
            "PULSE_RUNTIME_PATH": folder.path("pulse"),
            "PULSE_SERVER": address,
            "DISPLAY": "",
        ]
        try start()
    }

    deinit { kill() }

    package func microphoneModule(_ name: String) -> [String] {
        [
            "module-null-sink", "sink_name=\(name)", "media.class=Audio/Source/Virtual",
            "channel_map=front-left,front-right",
        ]
    }

    package func start() throws {
        let script = "pipewire & sleep 0.2; wireplumber & sleep 0.2; exec pipewire-pulse"
        try process.start(["dbus-run-session", "--", "bash", "-c", script], environment: environment)
        for sink in sinks { try addNullSink(sink) }
    }

    package func kill() {
        process.kill()
        for name in ["pulse", "pipewire-0", "pipewire-0.lock"] {
            try? FileManager.default.removeItem(atPath: folder.path(name))
        }
    }

    package func freeze(_ isFrozen: Bool) { process.freeze(isFrozen) }
}
