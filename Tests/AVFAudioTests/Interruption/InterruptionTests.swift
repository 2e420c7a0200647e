import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// What the arbiter says becomes pauses, notifications and refusals.
@Suite struct InterruptionTests {
    @Test func beganPausesAndEndedOnlyTells() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playAndRecord)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        let clients = [FakeClient(.recording), FakeClient(.playback)]
        let activities = try clients.map { try stage.session.core.begin($0) }
        stage.arbiter.tell(.began(.call))
        #expect(clients.map(\.stopReasons.count) == [1, 1])
        #expect(activities.allSatisfy { !$0.isRunning })
        #expect(!stage.session.core.isActive)
        stage.arbiter.tell(.ended(.call, shouldResume: true))
        stage.settle()
        #expect(!stage.session.core.hasRunningClients)
        #expect(log.heard.all == ["began, reason 0", "ended, options 1"])
    }

    /// A call in the middle of Siri is one interruption for the program, and Siri's part in it forbids to resume.
    @Test func nestedInterruptionsAreOnePair() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.record)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        stage.arbiter.tell(.began(.assistant))
        stage.arbiter.tell(.began(.call))
        stage.arbiter.tell(.ended(.assistant, shouldResume: false))
        #expect(code { try stage.session.setActive(true) } == .insufficientPriority)
        stage.arbiter.tell(.ended(.call, shouldResume: true))
        try stage.session.setActive(true)
        stage.settle()
        #expect(log.heard.all == ["began, reason 0", "ended, options 0"])
    }

    @Test func activationIsRefusedWithApplesCodes() throws {
        let stage = SessionStage()
        let session = stage.session
        try session.setCategory(.record)
        session.core.interrupt(.assistant)
        #expect(code { try session.setActive(true) } == .siriIsRecording)
        session.core.endInterruption(.assistant, shouldResume: false)
        session.core.interrupt(.call)
        let error = error { try session.setActive(true) }
        #expect(error?.domain == NSOSStatusErrorDomain)
        #expect(error?.code == 561_017_449)
        session.core.endInterruption(.call, shouldResume: true)
        stage.arbiter.refuse(with: AudioFailure(.busy, "A call."))
        #expect(code { try session.setActive(true) } == .insufficientPriority)
        #expect(!session.core.isActive)
        stage.arbiter.refuse(with: nil)
        try session.setActive(true)
        #expect(session.core.isActive)
        try session.setActive(false)
        session.core.setInBackground(true)
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        #expect(code { try session.setActive(true) } == .cannotInterruptOthers)
        session.core.setInBackground(false)
        try session.setActive(true)
    }

    @Test func inactiveSessionsHearNothing() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        try stage.session.setActive(false)
        stage.settle()
        let log = SessionLog(stage.session)
        stage.arbiter.tell(.began(.call))
        stage.arbiter.tell(.ended(.call, shouldResume: true))
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        stage.settle()
        #expect(log.heard.all == [])
    }

    /// The program takes the sound back from one who lets it: the end that comes later is stale.
    @Test func staleEndsAreNotTold() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        stage.arbiter.tell(.began(.otherProgram))
        try stage.session.setActive(true)
        stage.arbiter.tell(.ended(.otherProgram, shouldResume: true))
        stage.settle()
        #expect(log.heard.all == ["began, reason 0"])
        #expect(stage.session.core.isActive)
    }

    @Test func claimsSayWhatTheCategoryMeans() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        // Nothing new to say.
        try stage.session.setActive(true)
        try stage.session.setCategory(.playback, options: .duckOthers)
        try stage.session.setCategory(.ambient)
        try stage.session.setActive(false, options: .notifyOthersOnDeactivation)
        try stage.session.setActive(false)
        #expect(
            stage.arbiter.calls == [
                .activate(.exclusive), .activate(.ducking), .activate(.mixing), .deactivate(notifying: true),
            ]
        )
    }

    /// A program that uses no session interrupts nobody and is interrupted by nobody.
    @Test func programsWithoutASession() throws {
        let stage = SessionStage()
        let client = FakeClient(.recording)
        let activity = try stage.session.core.begin(client)
        stage.session.core.interrupt(.call)
        #expect(activity.isRunning)
        #expect(client.stopReasons.isEmpty)
        #expect(stage.arbiter.calls.isEmpty)
        let second = try stage.session.core.begin(FakeClient(.recording))
        second.end()
    }

    @Test func suspensionHasAReasonAndNoEnd() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.record)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        stage.session.core.interrupt(.suspended)
        stage.session.core.endInterruption(.suspended, shouldResume: true)
        stage.settle()
        #expect(log.heard.all == ["began, reason 1"])
        try stage.session.setActive(true)
        stage.session.core.interrupt(.microphoneMuted)
        stage.session.core.endInterruption(.microphoneMuted, shouldResume: true)
        stage.settle()
        #expect(log.heard.all == ["began, reason 1", "began, reason 2", "ended, options 1"])
    }

    @Test func theHintFollowsOthers() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.ambient)
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        #expect(!stage.session.isOtherAudioPlaying)
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: false)))
        #expect(stage.session.isOtherAudioPlaying)
        #expect(!stage.session.secondaryAudioShouldBeSilencedHint)
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        #expect(stage.session.secondaryAudioShouldBeSilencedHint)
        stage.arbiter.tell(.othersChanged(OtherAudio()))
        stage.settle()
        #expect(log.heard.all == ["hint 1", "hint 0"])
    }

    @Test func theServerGoesAndComes() throws {
        let stage = SessionStage()
        try stage.session.setActive(true)
        stage.settle()
        let log = SessionLog(stage.session)
        stage.host.become([], failure: AudioFailure(.serverUnavailable, "Gone."))
        stage.settle()
        stage.host.become(.desktop)
        stage.settle()
        #expect(log.heard.all == ["services lost", "route, reason 7", "services reset", "route, reason 1"])
    }
}
