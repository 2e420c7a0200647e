import AudioCore
import DevicePulse
import Foundation
import TestSupport

/// A real sound server in a scratch folder.
final class ServerHarness: DeviceHarness {
    let server: any SoundServer
    let host: any AudioDeviceHost
    let output = "loop"
    let input = "loop.monitor"
    private var modules: [String: String] = [:]

    init(_ server: any SoundServer) {
        self.server = server
        host = PulseHost(applicationName: "kayit tests", serverAddress: server.address)
    }

    deinit { server.kill() }

    var now: HostTime {
        var time = timespec()
        clock_gettime(CLOCK_BOOTTIME, &time)
        return HostTime(nanoseconds: Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec))
    }

    func pass(_ seconds: Double) { Thread.sleep(forTimeInterval: seconds) }

    func addMicrophone(_ name: String) throws { modules[name] = try server.addMicrophone(name) }

    func makeDefault(microphone name: String) throws { try server.control("set-default-source", name) }

    func remove(microphone name: String) throws {
        guard let module = modules.removeValue(forKey: name) else { throw SetupFailure("There is no \(name).") }
        try server.unload(module)
    }

    func suspend(_ isSuspended: Bool, microphone name: String) throws {
        try server.control("suspend-source", name, isSuspended ? "1" : "0")
    }

    func loseServer() { server.kill() }

    func restoreServer() throws { try server.start() }
}
