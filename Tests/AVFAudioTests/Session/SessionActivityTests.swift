import AVFAudio
import AudioCore
import Dispatch
import Foundation
import Synchronization
import Testing

@Suite struct SessionActivityTests {
    @Test func activationIsFreeWhereNothingRuns() throws {
        let session = SessionStage().session
        try session.setActive(true)
        #expect(session.core.isActive)
        try session.setActive(false)
        #expect(!session.core.isActive)
        try session.setActive(false, options: .notifyOthersOnDeactivation)
    }

    /// As on Apple's systems: the I/O is stopped, the session is inactive, and the call says that it was misused.
    @Test func deactivationWithRunningWorkIsBusy() throws {
        let session = SessionStage().session
        let recorder = FakeClient(.recording)
        let player = FakeClient(.playback)
        let recording = try session.core.begin(recorder)
        let playback = try session.core.begin(player)
        #expect(session.core.isActive)
        let busy = error { try session.setActive(false) }
        #expect(busy?.domain == NSOSStatusErrorDomain)
        #expect(busy?.code == 560_030_580)
        #expect(busy?.localizedDescription == "Session deactivation failed")
        #expect(busy?.localizedFailureReason?.contains("(2)") == true)
        #expect(!session.core.isActive)
        #expect(recorder.stopReasons.map(\.code) == [.cancelled])
        #expect(player.stopReasons.count == 1)
        // Once it is done there is nothing to be busy with.
        try session.setActive(false)
        recording.end()
        playback.end()
        #expect(recorder.stopReasons.count == 1)
    }

    @Test func ownersAreCounted() throws {
        let session = SessionStage().session
        let player = FakeClient(.playback)
        let first = try session.core.begin(player)
        let second = try session.core.begin(player)
        first.end()
        first.end()
        #expect(session.core.hasRunningClients)
        second.end()
        #expect(!session.core.hasRunningClients)
        try session.setActive(false)
        #expect(player.stopReasons.isEmpty)
        // An activity and a client that are forgotten do not keep the session busy.
        do {
            let forgotten = try session.core.begin(player)
            #expect(session.core.hasRunningClients)
            _ = forgotten
        }
        #expect(!session.core.hasRunningClients)
        let activity = try session.core.begin(FakeClient(.recording))
        #expect(!session.core.hasRunningClients)
        try session.setActive(false)
        activity.end()
    }

    /// Two recorders and a player that stop in any order leave nothing behind.
    @Test func anyOrderOfStops() throws {
        for order in [[0, 1, 2], [0, 2, 1], [1, 0, 2], [1, 2, 0], [2, 0, 1], [2, 1, 0]] {
            let session = SessionStage().session
            let clients = [FakeClient(.recording), FakeClient(.recording), FakeClient(.playback)]
            let activities = try clients.map { try session.core.begin($0) }
            for (step, index) in order.enumerated() {
                #expect(session.core.hasRunningClients)
                activities[index].end()
                #expect(session.core.hasRunningClients == (step < 2))
            }
            try session.setActive(false)
        }
    }

    @Test func changeOfCategoryStopsWhatItForbids() throws {
        let session = SessionStage().session
        let recorder = FakeClient(.recording)
        let player = FakeClient(.playback)
        let activities = [try session.core.begin(recorder), try session.core.begin(player)]
        try session.setCategory(.playback)
        #expect(recorder.stopReasons.count == 1)
        #expect(player.stopReasons.isEmpty)
        #expect(session.core.hasRunningClients)
        try session.setCategory(.playAndRecord)
        #expect(player.stopReasons.isEmpty)
        for activity in activities { activity.end() }
    }

    /// The last release of a client while the session looks at it ends its activity without a deadlock.
    @Test func clientsMayVanishAtAnyMoment() throws {
        final class Owner: SessionClient {
            let sessionUse = SessionUse.playback
            let sessionLatency: Double? = 0.01
            let activity = Mutex<SessionActivity?>(nil)
            func sessionStops(_ reason: AudioFailure) {}
        }
        let session = SessionStage().session
        let isDone = Atomic(false)
        let hasEnded = DispatchSemaphore(value: 0)
        let watcher = Thread {
            while !isDone.load(ordering: .relaxed) { _ = session.core.hasRunningClients }
            hasEnded.signal()
        }
        watcher.start()
        for _ in 0..<100_000 {
            let owner = Owner()
            let activity = try session.core.begin(owner)
            owner.activity.withLock { $0 = activity }
        }
        isDone.store(true, ordering: .relaxed)
        hasEnded.wait()
        #expect(!session.core.hasRunningClients)
    }

    @Test func latenciesAreThoseOfRunningStreams() throws {
        let session = SessionStage().session
        #expect(session.inputLatency == 0)
        let recorder = FakeClient(.recording, latency: 0.03)
        let player = FakeClient(.playback, latency: 0.12)
        let silent = FakeClient(.playback)
        let activities = try [recorder, player, silent].map { try session.core.begin($0) }
        #expect(session.inputLatency == 0.03)
        #expect(session.outputLatency == 0.12)
        for activity in activities { activity.end() }
        #expect(session.outputLatency == 0)
    }
}
