import Foundation
import Synchronization

/// A message bus of the test's own, in the place of the system's or the user's.
package final class PrivateBus: Sendable {
    private let folder: TemporaryFolder
    private let process = Mutex<ChildProcess?>(nil)

    /// What programs are given as `DBUS_SYSTEM_BUS_ADDRESS` or `DBUS_SESSION_BUS_ADDRESS`.
    package let address: String

    package init() throws {
        folder = try TemporaryFolder()
        address = "unix:path=" + folder.path("bus")
        let configuration = """
            <!DOCTYPE busconfig PUBLIC "-//freedesktop//DTD D-Bus Bus Configuration 1.0//EN"
             "http://www.freedesktop.org/standards/dbus/1.0/busconfig.dtd">
            <busconfig>
              <type>custom</type>
              <listen>\(address)</listen>
              <auth>EXTERNAL</auth>
              <policy context="default">
                <allow send_destination="*"/><allow receive_sender="*"/><allow own="*"/>
              </policy>
            </busconfig>
            """
        _ = try folder.write(Array(configuration.utf8), to: "bus.conf")
        try start()
    }

    /// Starts it, also again after `kill`.
    package func start() throws {
        // A test that is killed must not leave a bus for ever.
        let started = try ChildProcess(
            ["timeout", "600", "dbus-daemon", "--nofork", "--nopidfile", "--config-file=" + folder.path("bus.conf")]
        )
        process.withLock { $0 = started }
        let socket = folder.path("bus")
        if !eventually(within: 20, { FileManager.default.fileExists(atPath: socket) }) {
            throw SetupFailure("dbus-daemon does not start.")
        }
    }

    package func kill() {
        let ended = process.withLock { process in
            defer { process = nil }
            return process
        }
        ended?.kill()
        try? FileManager.default.removeItem(atPath: folder.path("bus"))
    }

    /// Stops it so that it answers nothing, or lets it go on.
    package func freeze(_ isFrozen: Bool) {
        process.withLock { process in process?.signal(isFrozen ? SIGSTOP : SIGCONT) }
    }
}
