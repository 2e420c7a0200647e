import Foundation
import Synchronization

/// A real sound server of the test's own, that no other program sees.
package protocol SoundServer: AnyObject, Sendable {
    /// What clients are given in the place of `PULSE_SERVER`.
    var address: String { get }
    /// The variables with which the tools of the server find it, and their files stay in the scratch folder.
    var environment: [String: String] { get }
    /// Starts it and waits until it answers.
    func start() throws
    /// Kills it as a crash would.
    func kill()
}

extension SoundServer {
    /// Runs `pactl` and gives what it printed.
    @discardableResult
    package func control(_ arguments: String...) throws -> String {
        let result = try ExternalTool.run("pactl", arguments, environment: environment)
        if result.status != 0 {
            throw SetupFailure("pactl \(arguments.joined(separator: " ")): \(result.messages)")
        }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// Loads a sink whose monitor is '`name`.monitor', and gives the number to unload it by.
    @discardableResult
    package func addNullSink(_ name: String, rate: Int = 48_000, channels: Int = 2) throws -> String {
        let module = try control(
            "load-module",
            "module-null-sink",
            "sink_name=\(name)",
            "rate=\(rate)",
            "channels=\(channels)",
            "sink_properties=device.description=\(name)"
        )
        let found = try eventually { try control("list", "short", "sources").contains("\(name).monitor") }
        if !found { throw SetupFailure("The monitor of \(name) did not appear.") }
        return module
    }

    package func unload(_ module: String) throws { try control("unload-module", module) }
}

/// PulseAudio on a socket in a scratch folder, with the null sinks that the test loads.
package final class PrivatePulseServer: SoundServer {
    private let folder: TemporaryFolder
    private let modules: [String]
    private let process = Mutex<ChildProcess?>(nil)

    package let address: String
    package let environment: [String: String]

    /// The argument that loads a null sink.
    ///
    /// Without `norewinds` an idle null sink works in blocks of two seconds, and a stream that joins it waits for the next;
    /// with it the blocks are those of real hardware.
    package static func nullSink(_ name: String, rate: Int = 48_000, channels: Int = 2) -> String {
        "module-null-sink sink_name=\(name) rate=\(rate) channels=\(channels) norewinds=1"
    }

    /// - Parameter modules: loaded at every start, besides the socket: "module-null-sink sink_name=loop".
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

    package func start() throws {
        let socket = "module-native-protocol-unix socket=\(folder.path("native")) auth-anonymous=1"
        let process = try ChildProcess(
            [
                "pulseaudio", "-n", "--daemonize=no", "--exit-idle-time=-1", "--disable-shm=true",
                "--use-pid-file=false", "--log-level=error",
            ] + ([socket] + modules).map { "--load=\($0)" },
            environment: environment
        )
        self.process.withLock { $0 = process }
        let answers = try eventually(within: 10) {
            try ExternalTool.run("pactl", ["info"], environment: environment).status == 0
        }
        if !answers { throw SetupFailure("PulseAudio does not start.") }
    }

    package func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.kill()
        try? FileManager.default.removeItem(atPath: folder.path("native"))
    }

    /// Stops the server so that it answers nothing, or lets it go on.
    package func freeze(_ isFrozen: Bool) {
        process.withLock { process in process?.signal(isFrozen ? SIGSTOP : SIGCONT) }
    }
}
