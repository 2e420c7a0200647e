import AVFAudio
import AudioCore
import Foundation
import Testing

/// Jacks that are devices of their own: the server lists them whether something is plugged in or not, and makes another one the
/// default.
@Suite struct SessionPlugTests {
    /// A desktop whose loudspeaker and headphones are two devices.
    private static func devices(plugged: Bool, default id: String) -> [DeviceDescription] {
        let jack = DeviceDescription.headphones.with { $0.isPluggedIn = plugged }
        return [.microphone, .monitor] + [.speaker, jack].map { device in device.with { $0.isDefault = $0.id == id } }
    }

    private static let headphones = DeviceDescription.headphones.id
    private static let speaker = DeviceDescription.speaker.id

    /// A session that is active and hears of a player that runs.
    private struct Desk {
        let stage: SessionStage
        let log: RouteChangeLog
        let client = FakeClient(.playback)
        private let activity: SessionActivity

        init(plugged: Bool, default id: String) throws {
            stage = SessionStage(SessionPlugTests.devices(plugged: plugged, default: id))
            log = RouteChangeLog(stage.session)
            try stage.session.setActive(true)
            activity = try stage.session.core.begin(client)
            stage.settle()
        }

        func become(plugged: Bool, default id: String) {
            stage.host.become(SessionPlugTests.devices(plugged: plugged, default: id))
            stage.settle()
        }
    }

    @Test("pulled: told when the sound goes elsewhere, and players pause", arguments: [1, 2])
    func pulled(steps: Int) throws {
        let desk = try Desk(plugged: true, default: Self.headphones)
        if steps == 2 {
            desk.become(plugged: false, default: Self.headphones)
            #expect(desk.log.reasons.isEmpty && desk.client.stopReasons.isEmpty)
        }
        desk.become(plugged: false, default: Self.speaker)
        #expect(desk.log.reasons == [.oldDeviceUnavailable])
        #expect(desk.client.stopReasons.count == 1)
    }

    @Test("plugged in: a new device")
    func pluggedIn() throws {
        let desk = try Desk(plugged: false, default: Self.speaker)
        desk.become(plugged: true, default: Self.headphones)
        #expect(desk.log.reasons == [.newDeviceAvailable])
        #expect(desk.client.stopReasons.isEmpty)
    }

    @Test("a jack that never said that something is plugged in may err: to leave it is the user's choice")
    func unknown() throws {
        let desk = try Desk(plugged: false, default: Self.headphones)
        desk.become(plugged: false, default: Self.speaker)
        desk.become(plugged: false, default: Self.headphones)
        #expect(desk.log.reasons == [.override, .override])
        #expect(desk.client.stopReasons.isEmpty)
    }

    @Test("pulled and plugged in again before the sound went elsewhere: to leave it then is the user's choice")
    func again() throws {
        let desk = try Desk(plugged: true, default: Self.headphones)
        for isPlugged in [false, true] { desk.become(plugged: isPlugged, default: Self.headphones) }
        desk.become(plugged: true, default: Self.speaker)
        #expect(desk.log.reasons == [.override])
        #expect(desk.client.stopReasons.isEmpty)
    }

    @Test("a jack that is pulled and stays the output does not make other changes its own")
    func stays() throws {
        let desk = try Desk(plugged: true, default: Self.headphones)
        desk.become(plugged: false, default: Self.headphones)
        desk.stage.host.become(
            Self.devices(plugged: false, default: Self.headphones).map { device in
                device.id == DeviceDescription.microphone.id ? .usbMicrophone.with { $0.isDefault = true } : device
            }
        )
        desk.stage.settle()
        #expect(desk.client.stopReasons.isEmpty)
    }
}
