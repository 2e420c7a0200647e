package import AudioCore

/// The media players of the desktop (MPRIS), and which of them were paused for the session.
package struct PlayerRegister {
    package static let prefix = "org.mpris.MediaPlayer2."

    private enum Hold {
        /// Asked to pause, and has not said yet that it does.
        case asked
        /// Paused by us, and nobody has touched it since.
        case paused
    }

    private struct Player {
        /// The unique name of its connection.
        var owner: String
        var status: DesktopPlayer.Status?
        var track: String?
        var hold: Hold?

        func updated(_ properties: [String: BusValue]) -> Self {
            var player = self
            let said = properties["PlaybackStatus"]?.text.flatMap { DesktopPlayer.Status(rawValue: $0.lowercased()) }
            if let said {
                player.status = said
                switch (hold, said) {
                case (.asked, .paused): player.hold = .paused
                case (.asked, .playing), (.paused, .paused), (nil, _): break
                case (.asked, .stopped), (.paused, _): player.hold = nil
                }
            }
            if let track = properties["Metadata"]?.dictionary?["mpris:trackid"]?.text {
                // Somebody chose another piece: it is theirs again.
                if self.track != nil, track != self.track { player.hold = nil }
                player.track = track
            }
            return player
        }
    }

    private var players: [String: Player] = [:]

    package init() {}

    /// More than any desktop has: a stranger must not fill the memory.
    private static let limit = 64

    /// Whether a name on the bus is that of a player. playerctld stands for another one, which is there too.
    package static func isPlayer(_ name: String) -> Bool {
        name.hasPrefix(prefix) && name != prefix + "playerctld"
    }

    package mutating func add(_ name: String, owner: String) {
        if players[name]?.owner == owner || (players[name] == nil && players.count >= Self.limit) { return }
        players[name] = Player(owner: owner)
    }

    package mutating func remove(_ name: String) { players[name] = nil }

    /// The connections of all players.
    package var owners: Set<String> { Set(players.values.map(\.owner)) }

    package func owner(of name: String) -> String? { players[name]?.owner }

    /// What a player says of itself. Values that are not there, or of another type, are as before.
    package mutating func update(_ owner: String, _ properties: [String: BusValue]) {
        for (name, player) in players where player.owner == owner { players[name] = player.updated(properties) }
    }

    /// Those that play now, for which a pause is then asked.
    package mutating func takePlaying() -> [(name: String, owner: String)] {
        var taken: [(name: String, owner: String)] = []
        for (name, player) in players.sorted(by: { $0.key < $1.key }) where player.status == .playing {
            players[name]?.hold = .asked
            taken.append((name, player.owner))
        }
        return taken
    }

    /// It did not take the pause.
    package mutating func refused(_ name: String) { if players[name]?.hold == .asked { players[name]?.hold = nil } }

    /// Those that were paused and are still as they were left; none is held afterwards.
    package mutating func releaseHeld() -> [(name: String, owner: String)] {
        let held = players.filter { $0.value.hold != nil }.sorted { $0.key < $1.key }
        for (name, _) in held { players[name]?.hold = nil }
        return held.map { ($0.key, $0.value.owner) }
    }

    /// Those that `releaseHeld` would give.
    package var held: [String] { players.filter { $0.value.hold != nil }.map(\.key).sorted() }

    /// Takes over what another program has paused.
    package mutating func adopt(_ names: [String]) {
        for name in names.prefix(Self.limit) where players[name]?.status == .paused { players[name]?.hold = .paused }
    }

    package var isAnyPlaying: Bool { players.values.contains { $0.status == .playing && $0.hold == nil } }

    package var list: [DesktopPlayer] {
        players.sorted { $0.key < $1.key }.compactMap { name, player in
            player.status.map { DesktopPlayer(name: String(name.dropFirst(Self.prefix.count)), status: $0) }
        }
    }
}
