import AVFAudio
import AudioCore
import CoreAudioTypes
import Foundation
import Testing

@Suite struct SessionRouteTests {
    @Test func routeFollowsTheCategory() throws {
        let session = SessionStage().session
        try session.setCategory(.playback)
        #expect(session.currentRoute.inputs.isEmpty)
        #expect(session.currentRoute.outputs.map(\.portType) == [.builtInSpeaker])
        #expect(session.availableInputs?.isEmpty == true)
        try session.setCategory(.record)
        #expect(session.currentRoute.inputs.map(\.portType) == [.builtInMic])
        #expect(session.currentRoute.outputs.isEmpty)
        try session.setCategory(.playAndRecord)
        #expect(session.currentRoute.inputs.map(\.uid) == ["mic"])
        #expect(session.currentRoute.outputs.map(\.uid) == ["speaker"])
    }

    @Test func portsTellWhatTheServerTells() throws {
        let session = SessionStage().session
        let port = try #require(session.currentRoute.inputs.first)
        #expect(port.portName == "Microphone")
        let channels = try #require(port.channels)
        #expect(channels.map(\.channelNumber) == [1, 2])
        #expect(channels.map(\.channelName) == ["Microphone 1", "Microphone 2"])
        #expect(channels.map(\.owningPortUID) == ["mic", "mic"])
        #expect(channels.map(\.channelLabel) == [kAudioChannelLabel_Left, kAudioChannelLabel_Right])
        #expect(port.dataSources == nil)
        try port.setPreferredDataSource(nil)
        #expect(code { try port.setPreferredDataSource(AVAudioSessionDataSourceDescription()) } == .badParam)
        #expect(code { try session.setInputDataSource(AVAudioSessionDataSourceDescription()) } == .badParam)
        // Snapshots of the same port are equal, so that client code can look one up in a list.
        #expect(session.availableInputs?.contains(port) == true)
        #expect(session.availableInputs?.first?.hash == port.hash)
        #expect(
            port.description
                == "<AVAudioSessionPortDescription: type = MicrophoneBuiltIn; name = Microphone; UID = mic>"
        )
    }

    @Test func hardwareValuesAreThoseOfTheRoute() throws {
        let stage = SessionStage(.withHeadphones)
        let session = stage.session
        #expect(session.sampleRate == 96_000)
        #expect(session.inputNumberOfChannels == 2)
        #expect(session.maximumOutputNumberOfChannels == 2)
        #expect(session.outputVolume == 1)
        #expect(abs(session.inputGain - 0.5) < 1e-6)
        #expect(session.isInputAvailable)
        #expect(!session.isInputGainSettable)
        #expect(code { try session.setInputGain(1) } == .resourceNotAvailable)
        stage.host.become([.microphone, .speaker.with { $0.volume = 1.5 }])
        #expect(session.outputVolume == 1)
        stage.host.become([.microphone, .speaker.with { $0.volume = .nan }])
        #expect(session.outputVolume == 0)
        stage.host.become([.microphone, .speaker.with { $0.isMuted = true }])
        #expect(session.outputVolume == 0)
        #expect(session.sampleRate == 48_000)
    }

    @Test func noServerIsAnEmptyRouteAndNotAskedTwice() throws {
        let stage = SessionStage([], failure: AudioFailure(.serverUnavailable, "No server."))
        let session = stage.session
        #expect(session.currentRoute.outputs.isEmpty)
        let questions = stage.host.questionCount
        #expect(session.sampleRate == 0)
        #expect(session.outputVolume == 0)
        #expect(session.availableInputs == nil)
        #expect(!session.isInputAvailable)
        #expect(stage.host.questionCount <= questions + 1)
        stage.host.become(.desktop)
        stage.clock.step(.milliseconds(1_001))
        #expect(session.sampleRate == 48_000)
    }

    @Test func wishesAreChecked() throws {
        let session = SessionStage().session
        #expect(code { try session.setPreferredSampleRate(-1) } == .badParam)
        #expect(code { try session.setPreferredSampleRate(.nan) } == .badParam)
        #expect(code { try session.setPreferredIOBufferDuration(.infinity) } == .badParam)
        try session.setPreferredIOBufferDuration(100)
        #expect(session.preferredIOBufferDuration == 100)
        #expect(session.ioBufferDuration == 1)
        #expect(code { try session.setPreferredInputNumberOfChannels(3) } == .badParam)
        #expect(code { try session.setPreferredInputNumberOfChannels(.min) } == .badParam)
        try session.setPreferredOutputNumberOfChannels(2)
        #expect(session.preferredOutputNumberOfChannels == 2)
        try session.setCategory(.playback)
        #expect(code { try session.setPreferredInputNumberOfChannels(1) } == .incompatibleCategory)
    }

    @Test func preferredInputPinsRecorders() throws {
        let stage = SessionStage([.microphone, .usbMicrophone, .monitor, .speaker])
        let session = stage.session
        try session.setCategory(.playAndRecord)
        let inputs = try #require(session.availableInputs)
        #expect(inputs.map(\.uid) == ["mic", "usb", "speaker.monitor"], "monitors last")
        let usb = try #require(inputs.first { $0.portType == .usbAudio })
        try session.setPreferredInput(usb)
        #expect(session.preferredInput == usb)
        #expect(session.core.preferredInputDeviceID == "usb")
        #expect(session.core.streamPlan(for: .recording).deviceID == "usb")
        #expect(session.core.streamPlan(for: .playback).deviceID == nil)
        #expect(session.currentRoute.inputs == [usb])
        // Away: the route falls back, the wish stays.
        stage.host.become(.desktop)
        #expect(session.currentRoute.inputs.map(\.uid) == ["mic"])
        #expect(session.preferredInput == usb)
        stage.settle()
        #expect(session.core.streamPlan(for: .recording).deviceID == nil)
        #expect(code { try session.setPreferredInput(usb) } == .badParam)
        stage.host.become([.microphone, .usbMicrophone, .monitor, .speaker])
        stage.settle()
        #expect(session.core.streamPlan(for: .recording).deviceID == "usb")
        try session.setPreferredInput(nil)
        #expect(session.core.preferredInputDeviceID == nil)
        try session.setCategory(.playback)
        #expect(code { try session.setPreferredInput(usb) } == .incompatibleCategory)
    }

    @Test func speakerOverride() throws {
        let stage = SessionStage(.withHeadphones)
        let session = stage.session
        #expect(code { try session.overrideOutputAudioPort(.speaker) } == .incompatibleCategory)
        try session.setCategory(.playAndRecord)
        try session.overrideOutputAudioPort(.speaker)
        #expect(session.currentRoute.outputs.map(\.uid) == ["speaker"])
        #expect(session.core.streamPlan(for: .playback).deviceID == "speaker")
        try session.overrideOutputAudioPort(.none)
        #expect(session.currentRoute.outputs.map(\.uid) == ["headphones"])
        stage.host.become([.microphone, .headphones])
        #expect(code { try session.overrideOutputAudioPort(.speaker) } == .resourceNotAvailable)
    }

    @Test func aMonitorIsNoMicrophoneUnlessTheUserMadeItTheDefault() {
        let stage = SessionStage([.monitor, .speaker])
        #expect(stage.session.availableInputs?.map(\.portType) == [.virtual], "it can be chosen")
        #expect(!stage.session.isInputAvailable, "it is not taken unasked")
        #expect(stage.session.currentRoute.inputs.isEmpty)
        stage.host.become([.monitor.with { $0.isDefault = true }, .speaker])
        #expect(stage.session.currentRoute.inputs.map(\.portType) == [.virtual])
    }

    @Test func portTypes() {
        let headset = DeviceDescription.headphones.with { $0.port = .bluetooth }
        let cases: [(DeviceDescription, AVAudioSession.Port)] = [
            (headset, .bluetoothA2DP), (headset.with { $0.channelCount = 1 }, .bluetoothHFP),
            (.microphone.with { $0.port = .bluetooth }, .bluetoothHFP),
            (.microphone.with { $0.port = .headsetMicrophone }, .headsetMic),
            (.microphone.with { $0.port = .lineIn }, .lineIn), (.headphones, .headphones),
            (.speaker.with { $0.port = .lineOut }, .lineOut), (.speaker.with { $0.port = .hdmi }, .HDMI),
            (.speaker.with { $0.port = .unknown }, .virtual),
            (
                .speaker.with {
                    $0.port = .unknown
                    $0.bus = "pci"
                }, .PCI
            ),
        ]
        for (device, port) in cases {
            let stage = SessionStage([device.with { $0.isDefault = true }])
            let route = stage.session.currentRoute
            #expect((route.inputs + route.outputs).map(\.portType) == [port])
        }
    }

    @Test func absurdChannelCountsAreBounded() {
        let stage = SessionStage([.speaker.with { $0.channelCount = .max }])
        #expect(stage.session.currentRoute.outputs.first?.channels?.count == 64)
        stage.host.become([.speaker.with { $0.channelCount = -1 }])
        #expect(stage.session.currentRoute.outputs.first?.channels?.isEmpty == true)
    }
}
