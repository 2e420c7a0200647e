import AudioCore
import Foundation
import Synchronization
import TestSupport
import Testing

@testable import AVFAudio

/// Streams that the server, or the user in a mixer, puts elsewhere: the route is where they are.
@Suite struct SessionStreamTests {
    static let headset = DeviceDescription.headphones.with {
        $0.id = "headset"
        $0.isDefault = false
    }
    static let devices: [DeviceDescription] = .desktop + [headset, .usbMicrophone]

    let stage = SessionStage(Self.devices)
    let log: RouteChangeLog

    init() throws {
        log = RouteChangeLog(stage.session)
        try stage.session.setActive(true)
        stage.settle()
    }

    var outputs: [String] { stage.session.currentRoute.outputs.map(\.uid) }
    var inputs: [String] { stage.session.currentRoute.inputs.map(\.uid) }

    @Test("a stream that is moved alone is told with the route before, and once it is closed the route is the old one")
    func moved() throws {
        let player = SessionStream(.playback, of: stage.session.core)
        player.isOn(.speaker)
        stage.settle()
        #expect(log.reasons.isEmpty)
        player.isOn(Self.headset)
        stage.settle()
        #expect(log.reasons == [.override])
        #expect(outputs == ["headset"])
        let recorder = SessionStream(.recording, of: stage.session.core)
        recorder.isOn(.usbMicrophone)
        stage.settle()
        #expect(inputs == ["usb"] && outputs == ["headset"])
        player.isOn(nil)
        player.isOn(nil)
        recorder.isOn(.microphone)
        stage.settle()
        #expect(inputs == ["mic"] && outputs == ["speaker"])
        #expect(log.reasons == [.override, .override, .override, .override])
        let notes = log.notes.withLock { $0 }
        #expect(notes.map(\.previousOutputs) == [["speaker"], ["headset"], ["headset"], ["speaker"]])
        #expect(notes.map(\.previousInputs) == [["mic"], ["mic"], ["usb"], ["usb"]])
    }

    @Test("a default device that changes takes its streams along: told once, in whichever order it is heard of")
    func defaults() {
        let player = SessionStream(.playback, of: stage.session.core)
        player.isOn(.speaker)
        let chosen = Self.devices.map { device in
            device.with { if $0.direction == .output { $0.isDefault = $0.id == "headset" } }
        }
        // Devices first.
        stage.host.become(chosen)
        player.isOn(Self.headset)
        stage.settle()
        #expect(log.reasons == [.override])
        // The stream first.
        player.isOn(.speaker)
        stage.host.become(Self.devices)
        stage.settle()
        #expect(log.reasons == [.override, .override])
        #expect(outputs == ["speaker"])
    }

    @Test("headphones that are gone pause players, though the server has moved them to the speaker")
    func headphonesGone() throws {
        stage.host.become(.withHeadphones)
        let client = FakeClient(.playback)
        let activity = try stage.session.core.begin(client)
        let player = SessionStream(.playback, of: stage.session.core)
        player.isOn(.headphones)
        stage.settle()
        #expect(log.reasons == [.newDeviceAvailable])
        stage.host.become(.desktop)
        player.isOn(.speaker)
        stage.settle()
        #expect(log.reasons == [.newDeviceAvailable, .oldDeviceUnavailable])
        #expect(client.stopReasons.count == 1)
        #expect(outputs == ["speaker"])
        activity.end()
    }

    @Test("a place outlasts what the default device does, and ends with its device; that is a device that is gone")
    func placeEnds() throws {
        let client = FakeClient(.playback)
        let activity = try stage.session.core.begin(client)
        let player = SessionStream(.playback, of: stage.session.core)
        player.isOn(Self.headset)
        stage.settle()
        stage.host.become(Self.devices.map { device in device.with { $0.sampleRate = 44_100 } })
        stage.settle()
        #expect(outputs == ["headset"])
        stage.host.become(.desktop)
        stage.settle()
        #expect(outputs == ["speaker"])
        #expect(log.reasons.last == .oldDeviceUnavailable)
        #expect(client.stopReasons.count == 1)
        // It is not where it was, if that comes back.
        stage.host.become(Self.devices)
        stage.settle()
        #expect(outputs == ["speaker"])
        activity.end()
    }

    @Test("of two streams the last one counts, and one that goes away leaves the other where it is")
    func several() {
        let first = SessionStream(.playback, of: stage.session.core)
        first.isOn(Self.headset)
        do {
            let second = SessionStream(.playback, of: stage.session.core)
            second.isOn(.speaker)
            stage.settle()
            #expect(outputs == ["headset"])
        }
        stage.settle()
        #expect(outputs == ["headset"])
        first.isOn(nil)
        stage.settle()
        #expect(outputs == ["speaker"])
    }

    @Test("a device that the server puts to sleep and wakes is another configuration of the same route")
    func asleep() {
        let player = SessionStream(.playback, of: stage.session.core)
        player.deviceFellAsleepOrAwoke()
        player.deviceFellAsleepOrAwoke()
        stage.settle()
        #expect(log.reasons == [.routeConfigurationChange, .routeConfigurationChange])
        #expect(log.notes.withLock { $0.map(\.previousOutputs) } == [["speaker"], ["speaker"]])
    }
}
