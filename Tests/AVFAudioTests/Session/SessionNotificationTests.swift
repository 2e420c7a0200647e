import AVFAudio
import AudioCore
import Foundation
import Synchronization
import Testing

@Suite struct SessionNotificationTests {
    @Test func pluggingAndUnplugging() throws {
        let stage = SessionStage()
        let log = RouteChangeLog(stage.session)
        try stage.session.setActive(true)
        stage.settle()
        #expect(stage.host.observerCount == 1)
        stage.host.become(.withHeadphones)
        stage.settle()
        stage.host.become(.desktop)
        stage.settle()
        #expect(log.reasons == [.newDeviceAvailable, .oldDeviceUnavailable])
        let notes = log.notes.withLock { $0 }
        #expect(notes.map(\.previousOutputs) == [["speaker"], ["headphones"]])
        #expect(notes.map(\.previousInputs) == [["mic"], ["mic"]])
    }

    @Test func valuesCastInEveryFormThatClientsUse() throws {
        let stage = SessionStage()
        let log = RouteChangeLog(stage.session)
        try stage.session.setCategory(.playback)
        stage.settle()
        let note = try #require(log.notes.withLock { $0.first })
        #expect(note.castsToUInt && note.castsToInt && note.castsToNumber)
        #expect(note.reason == .categoryChange)
    }

    @Test func aJackOnOneCardCountsAsADevice() throws {
        let stage = SessionStage()
        let log = RouteChangeLog(stage.session)
        try stage.session.setActive(true)
        stage.settle()
        stage.host.become([.microphone, .monitor, .speaker.with { $0.port = .headphones }])
        stage.settle()
        stage.host.become(.desktop)
        stage.settle()
        stage.host.become([.microphone, .monitor, .speaker.with { $0.sampleRate = 44_100 }])
        stage.settle()
        #expect(log.reasons == [.newDeviceAvailable, .oldDeviceUnavailable, .routeConfigurationChange])
    }

    @Test func whatDoesNotConcernTheProgramIsNotTold() throws {
        let stage = SessionStage()
        let log = RouteChangeLog(stage.session)
        try stage.session.setCategory(.playback)
        stage.settle()
        // Volume, mute and the microphone do not change the route of a player.
        stage.host.become([.microphone, .monitor, .speaker.with { $0.volume = 0.9 }])
        stage.host.become([.monitor, .speaker])
        stage.settle()
        #expect(log.reasons == [.categoryChange])
    }

    @Test func changesByProgramAndUser() throws {
        let stage = SessionStage([.microphone, .usbMicrophone, .speaker.with { $0.isDefault = false }, .headphones])
        let log = RouteChangeLog(stage.session)
        try stage.session.setCategory(.playAndRecord)
        try stage.session.setCategory(.playAndRecord, options: .defaultToSpeaker)
        stage.settle()
        #expect(log.reasons == [.categoryChange])
        try stage.session.overrideOutputAudioPort(.speaker)
        let usb = try #require(stage.session.availableInputs?.first { $0.uid == "usb" })
        try stage.session.setPreferredInput(usb)
        // The same again changes nothing and is not told.
        try stage.session.setPreferredInput(usb)
        stage.settle()
        #expect(log.reasons == [.categoryChange, .override, .override])
        let notes = log.notes.withLock { $0 }
        #expect(notes[1].previousOutputs == ["headphones"])
        #expect(notes[2].previousInputs == ["mic"])
        #expect(notes[2].previousOutputs == ["speaker"])
    }

    /// An override holds until the route would change without it.
    @Test func theOverrideEndsWithTheRoute() throws {
        let stage = SessionStage(.withHeadphones)
        let log = RouteChangeLog(stage.session)
        try stage.session.setCategory(.playAndRecord)
        try stage.session.overrideOutputAudioPort(.speaker)
        stage.settle()
        let usbHeadset = DeviceDescription.headphones.with {
            $0.id = "new"
            $0.port = .usb
        }
        stage.host.become([
            .microphone, .speaker.with { $0.isDefault = false }, .headphones.with { $0.isDefault = false }, usbHeadset,
        ])
        stage.settle()
        #expect(stage.session.currentRoute.outputs.map(\.uid) == ["new"])
        #expect(stage.session.core.streamPlan(for: .playback).deviceID == nil)
        #expect(log.reasons == [.categoryChange, .override, .newDeviceAvailable])
    }

    @Test func theLastMicrophoneGone() throws {
        let stage = SessionStage()
        let log = RouteChangeLog(stage.session)
        try stage.session.setCategory(.record)
        stage.settle()
        stage.host.become([.monitor, .speaker])
        stage.settle()
        #expect(log.reasons == [.categoryChange, .noSuitableRouteForCategory])
        #expect(log.notes.withLock { $0.last?.name } == "AVAudioSessionAvailableInputsChangeNotification")
    }

    @Test func theServerComesWhenTheProgramAlreadyRuns() throws {
        let stage = SessionStage([], failure: AudioFailure(.serverUnavailable, "No server."))
        let log = RouteChangeLog(stage.session)
        try stage.session.setActive(true)
        stage.settle()
        stage.host.become(.desktop)
        stage.settle()
        #expect(log.reasons == [.newDeviceAvailable])
        #expect(log.notes.withLock { $0.first?.previousOutputs } == [])
    }

    @Test func observationStartsWithUseAndEndsWithTheSession() throws {
        var stage: SessionStage? = SessionStage()
        let host = try #require(stage?.host)
        stage?.settle()
        #expect(host.observerCount == 0)
        _ = stage?.session.currentRoute
        stage?.settle()
        #expect(host.observerCount == 1)
        stage = nil
        #expect(host.observerCount == 0)
    }
}
