import AudioCore
import DesktopLinux
import Testing

/// What an arbiter makes of that which it hears, without a bus.
struct ArbiterMachineTests {
    private static let exclusive = SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true)
    private static let speech = SessionClaim(manner: .exclusive, mayRecord: false, mayPlay: true, isSpeech: true)
    private static let mixing = SessionClaim(manner: .mixing, mayRecord: false, mayPlay: true)
    private static let call = SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true, isCall: true)
    private static let phone = OtherStream(direction: .output, mediaRole: "phone", isCorked: false)

    private static func machine(_ claim: SessionClaim) -> ArbiterMachine {
        var machine = ArbiterMachine()
        machine.me = ":1"
        machine.beginChange()
        for floor in Floor.allCases where claim.manner == .exclusive { machine.ownerChanged(floor, to: ":1") }
        machine.activated(claim)
        _ = machine.takeEvents()
        return machine
    }

    private static func interruptions(_ machine: inout ArbiterMachine) -> [ArbiterEvent] {
        machine.takeEvents().filter { if case .othersChanged = $0 { false } else { true } }
    }

    @Test(arguments: [true, false]) func theNextOwnerResumesWhereTheLastOneSaidSo(notifies: Bool) {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        #expect(Self.interruptions(&machine) == [.began(.otherProgram)])
        machine.left(":2", notifies: notifies, players: [])
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine) == [.ended(.otherProgram, shouldResume: notifies)])
    }

    @Test func whoDiesDoesNotLetOthersResume() {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine) == [.began(.otherProgram), .ended(.otherProgram, shouldResume: false)])
    }

    @Test func onlyTheLastOneBeforeCounts() {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        machine.ownerChanged(.sound, to: ":3")
        // One that waits, and a stranger that has nothing.
        machine.left(":2", notifies: true, players: [])
        machine.left(":9", notifies: true, players: [])
        machine.left(":3", notifies: true, players: [])
        machine.ownerChanged(.sound, to: ":2")
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine) == [.began(.otherProgram), .ended(.otherProgram, shouldResume: false)])
    }

    @Test func whatWasSaidBeforeANewActivationDoesNotCount() {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        machine.left(":2", notifies: true, players: [])
        machine.declared(":2", SessionDeclaration(program: "two", claim: Self.exclusive))
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine).last == .ended(.otherProgram, shouldResume: false))
    }

    @Test func reasonsOverlap() {
        var machine = Self.machine(Self.exclusive)
        machine.heard([Self.phone])
        machine.ownerChanged(.sound, to: ":2")
        machine.heard([])
        #expect(Self.interruptions(&machine) == [.began(.call)])
        machine.left(":2", notifies: true, players: [])
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine) == [.ended(.call, shouldResume: true)])
    }

    @Test func aCallIsCalledSo() {
        var machine = Self.machine(Self.exclusive)
        machine.declared(":2", SessionDeclaration(program: "phone", claim: Self.call))
        machine.ownerChanged(.sound, to: ":2")
        #expect(Self.interruptions(&machine) == [.began(.call)])
    }

    @Test func neitherMixingSessionsNorCallsAreInterruptedByCalls() {
        for claim in [Self.mixing, Self.call] {
            var machine = Self.machine(claim)
            machine.heard([Self.phone])
            #expect(Self.interruptions(&machine).isEmpty)
            #expect(machine.isCallGoingOn)
        }
    }

    @Test func aSpeakingSessionLosesSpeechAlone() {
        for (claim, isInterrupted) in [(Self.speech, true), (Self.exclusive, false)] {
            var machine = Self.machine(claim)
            machine.ownerChanged(.speech, to: ":2")
            #expect(machine.isInterrupted == isInterrupted)
            machine.left(":2", notifies: true, players: [])
            machine.ownerChanged(.speech, to: ":1")
            #expect(
                Self.interruptions(&machine).last == (isInterrupted ? .ended(.otherProgram, shouldResume: true) : nil)
            )
        }
    }

    @Test func bothFloorsComeBackFromOneThatSpeaks() {
        var machine = Self.machine(Self.speech)
        for floor in Floor.allCases { machine.ownerChanged(floor, to: ":2") }
        machine.left(":2", notifies: true, players: [])
        machine.ownerChanged(.speech, to: ":1")
        machine.ownerChanged(.sound, to: ":1")
        #expect(Self.interruptions(&machine) == [.began(.otherProgram), .ended(.otherProgram, shouldResume: true)])
    }

    @Test func activatingAnewEndsWithoutAWord() {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        _ = machine.takeEvents()
        machine.beginChange()
        machine.ownerChanged(.sound, to: ":1")
        machine.activated(Self.exclusive)
        #expect(Self.interruptions(&machine).isEmpty)
        #expect(!machine.isInterrupted)
    }

    @Test func aLossDuringTheActivationIsToldAfterIt() {
        var machine = Self.machine(Self.exclusive)
        machine.beginChange()
        machine.ownerChanged(.sound, to: ":2")
        #expect(Self.interruptions(&machine).isEmpty)
        machine.activated(Self.exclusive)
        #expect(Self.interruptions(&machine) == [.began(.otherProgram)])
    }

    @Test func aBusThatIsGoneLeavesNobodyInterrupted() {
        var machine = Self.machine(Self.exclusive)
        machine.ownerChanged(.sound, to: ":2")
        machine.busLost()
        #expect(Self.interruptions(&machine).last == .ended(.otherProgram, shouldResume: false))
    }

    @Test func playersAreLoweredWhileSomebodyDucks() {
        var machine = Self.machine(Self.exclusive)
        let ducking = SessionClaim(manner: .ducking, mayRecord: false, mayPlay: true)
        machine.declared(":2", SessionDeclaration(program: "navigation", claim: ducking))
        machine.declared(":3", SessionDeclaration(program: "navigation", claim: ducking))
        #expect(Self.interruptions(&machine) == [.ducked(true)])
        machine.disconnected(":2")
        #expect(Self.interruptions(&machine).isEmpty)
        machine.declared(":3", SessionDeclaration(program: "navigation", claim: nil))
        #expect(Self.interruptions(&machine) == [.ducked(false)])
    }

    @Test func othersAreHeardOf() {
        var machine = Self.machine(Self.mixing)
        #expect(machine.others == OtherAudio())
        machine.heard([OtherStream(direction: .output, mediaRole: "music", isCorked: false)])
        #expect(machine.takeEvents() == [.othersChanged(OtherAudio(isPlaying: true, isPrimary: false))])
        machine.declared(":2", SessionDeclaration(program: "music", claim: Self.exclusive))
        machine.ownerChanged(.sound, to: ":2")
        #expect(machine.takeEvents() == [.othersChanged(OtherAudio(isPlaying: true, isPrimary: true))])
        machine.heard([OtherStream(direction: .output, mediaRole: "event", isCorked: false)])
        #expect(machine.others == OtherAudio())
    }

    @Test func aStrangerDoesNotFillTheMemory() {
        var machine = Self.machine(Self.mixing)
        for number in 0..<10_000 {
            machine.declared(":9.\(number)", SessionDeclaration(program: "x", claim: Self.mixing))
            machine.players.add(PlayerRegister.prefix + "\(number)", owner: ":9.\(number)")
        }
        #expect(machine.declaration(of: ":9.0") != nil)
        #expect(machine.declaration(of: ":9.9999") == nil)
        #expect(machine.players.owner(of: PlayerRegister.prefix + "9999") == nil)
    }
}
