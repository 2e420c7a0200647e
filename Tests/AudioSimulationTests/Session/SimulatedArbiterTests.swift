import AudioCore
import AudioSimulation
import Glibc
import Synchronization
import Testing

/// What a simulated arbiter tells a session, and when.
struct SimulatedArbiterTests {
    private let audio = SimulatedAudio(.init(time: .stepped))
    private let told = Told()
    private let claim = SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true)

    private final class Told: Sendable {
        private let events = Mutex<[(event: ArbiterEvent, thread: pthread_t)]>([])
        var all: [ArbiterEvent] { events.withLock { $0.map(\.event) } }
        var threads: [pthread_t] { events.withLock { $0.map(\.thread) } }

        func add(_ event: ArbiterEvent) { events.withLock { $0.append((event, pthread_self())) } }
    }

    init() {
        let told = self.told
        audio.arbiter.listen { told.add($0) }
    }

    /// Has what is on its way delivered.
    private func settle() { audio.advance(by: .zero) }

    @Test func onlyAnActiveSessionIsInterrupted() throws {
        audio.beginInterruption(.call)
        audio.endInterruption(.call, shouldResume: true)
        settle()
        #expect(told.all.isEmpty)
        try audio.arbiter.activate(claim)
        audio.beginInterruption(.alarm)
        audio.beginInterruption(.alarm)
        settle()
        audio.endInterruption(.alarm, shouldResume: true)
        settle()
        #expect(told.all == [.began(.alarm), .ended(.alarm, shouldResume: true)])
    }

    @Test func nothingIsToldFromInsideACall() throws {
        try audio.arbiter.activate(claim)
        audio.beginInterruption(.otherApp)
        settle()
        #expect(told.all == [.began(.otherProgram)])
        #expect(!told.threads.contains(pthread_self()))
    }

    @Test(arguments: [SimulatedAudio.Interruption.call, .assistant, .alarm])
    func theSoundIsNotHadWhile(_ who: SimulatedAudio.Interruption) throws {
        audio.beginInterruption(who)
        let error = #expect(throws: AudioFailure.self) { try audio.arbiter.activate(claim) }
        #expect(error?.code == .busy)
        audio.endInterruption(who, shouldResume: false)
        try audio.arbiter.activate(claim)
    }

    @Test func anActivationTakesTheSoundFromAnotherProgram() throws {
        try audio.arbiter.activate(claim)
        audio.beginInterruption(.otherApp)
        settle()
        try audio.arbiter.activate(claim)
        #expect(audio.interruptions.isEmpty)
        // Its end is of no interest any more.
        audio.endInterruption(.otherApp, shouldResume: true)
        settle()
        #expect(told.all == [.began(.otherProgram)])
    }

    @Test func aSessionThatMixesIsInterruptedByACallAlone() throws {
        try audio.arbiter.activate(SessionClaim(manner: .mixing, mayRecord: false, mayPlay: true))
        audio.beginInterruption(.otherApp)
        audio.beginInterruption(.call)
        settle()
        #expect(told.all == [.began(.call)])
    }

    @Test func aDeactivatedSessionHearsOfNoEnd() throws {
        try audio.arbiter.activate(claim)
        audio.beginInterruption(.call)
        settle()
        audio.arbiter.deactivate(notifyingOthers: true)
        audio.endInterruption(.call, shouldResume: true)
        settle()
        #expect(told.all == [.began(.call)])
    }

    @Test func othersThatPlayAreToldOnce() {
        audio.setOtherAudio(playing: true, primary: true)
        audio.setOtherAudio(playing: true, primary: true)
        settle()
        #expect(told.all == [.othersChanged(OtherAudio(isPlaying: true, isPrimary: true))])
        #expect(audio.arbiter.others.isPrimary)
    }

    @Test func accessoriesBecomeTheDefault() throws {
        func defaults() throws -> [String] {
            try audio.host.devices().filter(\.isDefault).map(\.id).sorted()
        }
        let plain = try defaults()
        audio.setConnected(true, .headphones)
        #expect(try defaults() == ["simulated.headphones", "simulated.microphone"])
        audio.setConnected(true, .headset)
        #expect(try defaults() == ["simulated.headset.microphone", "simulated.headset.output"])
        audio.setConnected(false, .headset)
        audio.setConnected(false, .headphones)
        #expect(try defaults() == plain)
    }

    @Test func aHeldTimeWaits() {
        var hold = audio.host.clock.hold()
        #expect(hold != nil)
        #expect(!audio.host.clock.advance(by: .seconds(1), limit: .milliseconds(50)))
        hold = nil
        #expect(audio.advance(by: .seconds(1)))
        #expect(audio.now >= .seconds(1))
    }
}
