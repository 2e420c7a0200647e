import AudioCore
import DesktopLinux
import Testing

/// Which media players are resumed.
struct PlayerRegisterTests {
    private static let name = PlayerRegister.prefix + "mpv"

    private static func register(_ status: String) -> PlayerRegister {
        var register = PlayerRegister()
        register.add(name, owner: ":2")
        register.update(":2", ["PlaybackStatus": .text(status)])
        return register
    }

    private static func released(_ register: inout PlayerRegister) -> [String] { register.releaseHeld().map(\.name) }

    @Test func onlyThoseThatPlayedArePausedAndResumed() {
        for (status, isPaused) in [("Playing", true), ("Paused", false), ("Stopped", false), ("nonsense", false)] {
            var register = Self.register(status)
            #expect(register.takePlaying().map(\.name) == (isPaused ? [Self.name] : []))
            register.update(":2", ["PlaybackStatus": .text("Paused")])
            #expect(Self.released(&register) == (isPaused ? [Self.name] : []))
            #expect(Self.released(&register).isEmpty)
        }
    }

    @Test func whatTheUserTouchedIsTheirs() {
        let touches: [[[String: BusValue]]] = [
            [["PlaybackStatus": .text("Playing")], ["PlaybackStatus": .text("Paused")]],
            [["PlaybackStatus": .text("Playing")]],
            [["PlaybackStatus": .text("Stopped")]],
            [["Metadata": .dictionary(["mpris:trackid": .text("/2")])]],
        ]
        for touch in touches {
            var register = Self.register("Playing")
            register.update(":2", ["Metadata": .dictionary(["mpris:trackid": .text("/1")])])
            _ = register.takePlaying()
            register.update(":2", ["PlaybackStatus": .text("Paused")])
            for properties in touch { register.update(":2", properties) }
            #expect(Self.released(&register).isEmpty, "\(touch)")
        }
    }

    @Test func whatItSaidBeforeThePauseDoesNotCount() {
        var register = Self.register("Playing")
        _ = register.takePlaying()
        register.update(":2", ["PlaybackStatus": .text("Playing")])
        register.update(":2", ["PlaybackStatus": .text("Paused")])
        register.update(":2", ["PlaybackStatus": .text("Paused"), "Volume": .real(1)])
        #expect(Self.released(&register) == [Self.name])
    }

    @Test func aPlayerThatRefusesOrIsStartedAnewIsNotHeld() {
        var register = Self.register("Playing")
        _ = register.takePlaying()
        register.refused(Self.name)
        #expect(Self.released(&register).isEmpty)
        register = Self.register("Playing")
        _ = register.takePlaying()
        register.add(Self.name, owner: ":3")
        #expect(Self.released(&register).isEmpty)
    }

    @Test func onlyWhatIsPausedIsTakenOver() {
        var register = Self.register("Paused")
        register.adopt([Self.name, PlayerRegister.prefix + "unknown"])
        #expect(Self.released(&register) == [Self.name])
        register = Self.register("Playing")
        register.adopt([Self.name])
        #expect(Self.released(&register).isEmpty)
    }

    @Test func valuesOfOtherTypesAreNothing() {
        var register = Self.register("Playing")
        register.update(":2", ["PlaybackStatus": .integer(3), "Metadata": .text("x")])
        register.update(":7", ["PlaybackStatus": .text("Paused")])
        #expect(register.isAnyPlaying)
    }

    @Test func theProxyOfOtherPlayersIsNone() {
        #expect(PlayerRegister.isPlayer("org.mpris.MediaPlayer2.vlc"))
        #expect(!PlayerRegister.isPlayer("org.mpris.MediaPlayer2.playerctld"))
        #expect(!PlayerRegister.isPlayer("org.mpris.MediaPlayer3.vlc"))
    }
}
