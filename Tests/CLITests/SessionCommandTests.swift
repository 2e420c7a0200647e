import Foundation
import TestSupport
import Testing

/// `kayit session` where nobody else is asked; beside others it is tested with real ones.
@Suite(.serialized) struct SessionCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test func devicesAndPermissionAreShown() throws {
        let kayit = try RunningKayit(["session", "--json"], in: folder)
        #expect(kayit.wait() == 0)
        let object = try #require(kayit.objects?.first)
        #expect(kayit.objects?.count == 1)
        #expect(object["permission"] as? String == "granted")
        #expect((object["input"] as? [String: Any])?["port"] as? String == "built-in microphone")
        #expect((object["outputs"] as? [String])?.isEmpty == false)
        #expect((object["sessions"] as? [Any])?.isEmpty == true)
        #expect(object["isCallGoingOn"] as? Bool == false)
        #expect(object["obstacle"] is String)
        let text = try RunningKayit(["session"], in: folder)
        #expect(text.wait() == 0)
        #expect(text.output.contains("Recording:   granted"))
        #expect(text.output.contains("Interrupts:  nobody"))
    }

    @Test func aServerThatIsMissingIsSaidSo() throws {
        let nowhere = [
            "PULSE_SERVER": "unix:" + folder.path("none"), "DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "",
        ]
        let kayit = try RunningKayit(["session"], in: folder, environment: nowhere)
        #expect(kayit.wait() == 69)
        #expect(kayit.output.contains("Session:     There is no message bus of the user."))
        #expect(kayit.output.contains("Recording:   undetermined"))
        #expect(kayit.errors.contains("sound server"))
    }
}
