import Foundation

/// System services as python-dbusmock plays them, on a bus of the test's own.
package final class MockedService: Sendable {
    /// The templates of python-dbusmock that are used.
    package enum Template: String, Sendable {
        case upower
        case powerProfiles = "power_profiles_daemon"
        case memory = "low_memory_monitor"
        case notifications = "notification_daemon"
        case logind
    }

    /// Debian's own Python: the packages of others do not have it.
    private static let python = "/usr/bin/python3"

    /// Where these tests can run.
    package static let isInstalled: Bool = {
        guard ExternalTool.areInstalled("dbus-daemon"), FileManager.default.isExecutableFile(atPath: python) else {
            return false
        }
        return (try? ExternalTool.run("env", [python, "-c", "import dbusmock"]).status) == 0
    }()

    private let process: ChildProcess
    private let scratch: TemporaryFolder
    private let bus: PrivateBus

    /// - Parameters:
    ///   - name: the name that it takes, which is waited for.
    package init(_ template: Template, name: String, on bus: PrivateBus) throws {
        self.bus = bus
        scratch = try TemporaryFolder()
        process = try ChildProcess(
            [Self.python, "-u", "-m", "dbusmock", "--template", template.rawValue],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address],
            output: scratch.path("log"),
            errors: scratch.path("errors")
        )
        let isThere = eventually(within: 30) { (try? bus.call(name, "/", "org.freedesktop.DBus.Peer.Ping")) == true }
        if !isThere { throw SetupFailure("python-dbusmock does not offer \(name).") }
        if template == .notifications { try closeBySpecification(name) }
    }

    /// feedbackd, for which there is no template.
    /// - Parameter feedbackWithMotor: it has found a motor, and offers to run it; otherwise it knows events alone.
    package init(feedbackWithMotor: Bool, on bus: PrivateBus) throws {
        self.bus = bus
        scratch = try TemporaryFolder()
        let name = "org.sigxcpu.Feedback"
        let path = "/org/sigxcpu/Feedback"
        process = try ChildProcess(
            [Self.python, "-u", "-m", "dbusmock", "--session", name, path, name],
            environment: ["DBUS_SYSTEM_BUS_ADDRESS": bus.address, "DBUS_SESSION_BUS_ADDRESS": bus.address],
            output: scratch.path("log"),
            errors: scratch.path("errors")
        )
        let isThere = eventually(within: 30) { (try? bus.call(name, path, "org.freedesktop.DBus.Peer.Ping")) == true }
        if !isThere { throw SetupFailure("python-dbusmock does not offer \(name).") }
        let add = "org.freedesktop.DBus.Mock.AddMethod"
        var isDone = try bus.call(name, path, add, name, "TriggerFeedback", "ssa{sv}i", "u", "ret = 1")
        if feedbackWithMotor {
            isDone = try bus.call(name, path, add, name + ".Haptic", "Vibrate", "sa(du)", "b", "ret = True") && isDone
        }
        if !isDone { throw SetupFailure("feedbackd cannot be mocked.") }
    }

    /// The template takes a signed number where the specification has an unsigned one.
    private func closeBySpecification(_ name: String) throws {
        let code = "self.EmitSignal(\"\", \"NotificationClosed\", \"uu\", [args[0], 3])"
        let isDone = try bus.call(
            name,
            "/org/freedesktop/Notifications",
            "org.freedesktop.DBus.Mock.AddMethod",
            "org.freedesktop.Notifications",
            "CloseNotification",
            "u",
            "",
            code
        )
        if !isDone { throw SetupFailure("The mocked notification service cannot be mended.") }
    }

    package func kill() { process.kill() }

    /// Stands still, as a service that hangs does (true), or goes on.
    package func hang(_ begins: Bool) { process.signal(begins ? SIGSTOP : SIGCONT) }

    /// One line for each call so far.
    package var calls: [String] {
        let text = (try? String(contentsOfFile: scratch.path("log"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }
}

extension PrivateBus {
    /// Calls a method by `gdbus`.
    /// - Parameters:
    ///   - method: with its interface.
    ///   - arguments: in GVariant's text form.
    /// - Returns: whether it answered.
    @discardableResult
    package func call(_ name: String, _ path: String, _ method: String, _ arguments: String...) throws -> Bool {
        try answer(name, path, method, arguments) != nil
    }

    /// The same for a method that answers something.
    /// - Returns: the answer in GVariant's text form; nil where there is none.
    package func answer(_ name: String, _ path: String, _ method: String, _ arguments: [String] = []) throws -> String?
    {
        let command = ["call", "--address", address, "--timeout", "5", "--dest", name, "--object-path", path]
        let result = try ExternalTool.run("gdbus", command + ["--method", method] + arguments)
        return result.status == 0 ? result.text : nil
    }

    /// Sets properties of a mocked object, as its service would when they change.
    package func set(_ name: String, _ path: String, _ interface: String, _ properties: String) throws {
        let method = "org.freedesktop.DBus.Mock.UpdateProperties"
        if !(try call(name, path, method, "'\(interface)'", properties)) {
            throw SetupFailure("The mocked \(name) does not take \(properties).")
        }
    }
}
