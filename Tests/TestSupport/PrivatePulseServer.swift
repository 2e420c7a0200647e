import Foundation

/// PulseAudio on a socket in a scratch folder.
package final class PrivatePulseServer: SoundServer {
    private let folder: TemporaryFolder
    private let modules: [String]
    private let process = ServerProcess()

    package let address: String
    package let environment: [String: String]

    /// The argument that loads a null sink.
    ///
    /// Without `norewinds` an idle null sink works in blocks of two seconds, and a stream that joins it waits for the next;
    /// with it the blocks are those of real hardware.
    package static func nullSink(_ name: String, rate: Int = 48_000, channels: Int = 2) -> String {
        "module-null-sink sink_name=\(name) rate=\(rate) channels=\(channels) norewinds=1"
    }

    /// - Parameter modules: loaded at every start, besides the socket.
    package init(modules: [String] = []) throws {
        folder = try TemporaryFolder()
        address = "unix:" + folder.path("native")
        self.modules = modules
        environment = [
            "HOME": folder.url.path,
            "XDG_RUNTIME_DIR": folder.url.path,
            "PULSE_RUNTIME_PATH": folder.url.path,
            "PULSE_SERVER": address,
            "DISPLAY": "",
            "DBUS_SESSION_BUS_ADDRESS": "",
        ]
        try start()
    }

    deinit { kill() }

    package func microphoneModule(_ name: String) -> [String] { ["module-null-source", "source_name=\(name)"] }

    package func start() throws {
        let socket = "module-native-protocol-unix socket=\(folder.path("native")) auth-anonymous=1"
        try process.start(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=true",
                "--use-pid-file=false", "--log-level=error",
            ] + ([socket] + modules).map { "--load=\($0)" },
            environment: environment
        )
    }

    package func kill() {
        process.kill()
        try? FileManager.default.removeItem(atPath: folder.path("native"))
    }

    package func freeze(_ isFrozen: Bool) { process.freeze(isFrozen) }
}
