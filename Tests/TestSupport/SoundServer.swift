import Foundation
import Synchronization

/// A real sound server of the test's own, that no other program sees.
package protocol SoundServer: AnyObject, Sendable {
    /// What clients are given in the place of `PULSE_SERVER`.
    var address: String { get }
    /// The variables with which the tools of the server find it, and their files stay in the scratch folder.
    var environment: [String: String] { get }
    /// The module, with arguments, that makes a silent microphone.
    func microphoneModule(_ name: String) -> [String]
    /// Starts it and waits until it answers.
    func start() throws
    /// Kills it as a crash would.
    func kill()
    /// Stops it so that it answers nothing, or lets it go on.
    func freeze(_ isFrozen: Bool)
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

    /// Loads a microphone that hears silence, and gives the number to unload it by.
    package func addMicrophone(_ name: String) throws -> String {
        let result = try ExternalTool.run("pactl", ["load-module"] + microphoneModule(name), environment: environment)
        if result.status != 0 { throw SetupFailure("No microphone \(name): \(result.messages)") }
        let found = try eventually { try control("list", "short", "sources").contains("\t\(name)\t") }
        if !found { throw SetupFailure("The microphone \(name) did not appear.") }
        return result.text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    package func unload(_ module: String) throws { try control("unload-module", module) }
}

/// The processes of a server: started, killed as by a crash, stopped and let go on.
final class ServerProcess: Sendable {
    private let process = Mutex<ChildProcess?>(nil)

    /// Runs a command, and waits until clients are answered.
    ///
    /// - Parameter environment: that of the server and of its clients.
    func start(_ command: [String], environment: [String: String]) throws {
        // A test that is killed must not leave a server for ever.
        let process = try ChildProcess(["timeout", "300"] + command, environment: environment)
        self.process.withLock { $0 = process }
        let answers = try eventually(within: 10) {
            try ExternalTool.run("pactl", ["info"], environment: environment).status == 0
        }
        if !answers { throw SetupFailure("\(command[0]) does not start.") }
    }

    func kill() {
        let process = process.withLock { process in
            defer { process = nil }
            return process
        }
        process?.kill()
    }

    func freeze(_ isFrozen: Bool) {
        process.withLock { process in process?.signal(isFrozen ? SIGSTOP : SIGCONT) }
    }
}
