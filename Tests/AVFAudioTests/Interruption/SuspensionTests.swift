import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// What the session tells of a program that slept, and what it makes of the background.
@Suite struct SuspensionTests {
    let stage = SessionStage()
    var conditions: SystemConditions { stage.session.core.runtimeSource().conditions }

    private func sleep() {
        conditions.machine(isAsleep: true)
        conditions.machine(isAsleep: false)
        stage.settle()
    }

    @Test func aSessionThatDoesNothingIsToldWhenItCanHear() throws {
        try stage.session.setCategory(.playAndRecord)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        conditions.machine(isAsleep: true)
        stage.settle()
        #expect(log.heard.all.isEmpty)
        conditions.machine(isAsleep: false)
        stage.settle()
        #expect(log.heard.all.count { $0 == "began, reason 1" } == 1)
        #expect(!stage.session.core.isActive)
        try stage.session.setActive(true)
        #expect(stage.session.core.isActive)
    }

    @Test func whatRecordsOrPlaysGoesOn() throws {
        try stage.session.setCategory(.playAndRecord)
        let client = FakeClient(.recording)
        let activity = try stage.session.core.begin(client)
        stage.settle()
        let log = SessionLog(stage.session)
        sleep()
        #expect(log.heard.all.isEmpty)
        #expect(activity.isRunning)
        #expect(client.stopReasons.isEmpty)
    }

    @Test func anInactiveSessionHearsNothing() throws {
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        try stage.session.setActive(false)
        stage.settle()
        let log = SessionLog(stage.session)
        sleep()
        #expect(log.heard.all.isEmpty)
    }

    @Test func inTheBackgroundOthersAreNotInterrupted() throws {
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        try stage.session.setActive(false)
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        conditions.program(is: .background)
        #expect(throws: (any Error).self) { try stage.session.setActive(true) }
        conditions.program(is: .foreground)
        try stage.session.setActive(true)
    }
}
