/// Media players of the desktop, by MPRIS.
extension ArbiterWorker {
    private static let playerPath = "/org/mpris/MediaPlayer2"
    private static let playerInterface = "org.mpris.MediaPlayer2.Player"

    func pausePlayers() {
        // Players tell of changes late (mpv gathers them for a tenth of a second).
        for owner in machine.players.owners { ask(player: owner) }
        awaitAnswers()
        for player in machine.players.takePlaying() {
            command("Pause", player) { [self] isDone in
                // Seen to be paused, it is the user's as soon as it plays again.
                if isDone { ask(player: player.owner) } else { machine.players.refused(player.name) }
            }
        }
        machine.playersChanged()
        // Gone on without waiting for one that does not answer: its answer counts later too.
        awaitAnswers()
    }

    func command(
        _ method: String,
        _ player: (name: String, owner: String),
        then: @escaping (_ isDone: Bool) -> Void = { _ in }
    ) {
        expected += 1
        let call = BusCall(
            method,
            of: Self.playerInterface,
            at: Self.playerPath,
            of: player.owner,
            within: Self.limitOfCall
        )
        bus.post(call) { [self] answer in
            expected -= 1
            then(answer != nil)
        }
    }

    func meet(player name: String, owner: String) {
        // A player that is part of this program is not somebody else's.
        guard owner != machine.me, bus.processID(of: owner) != Self.processID else { return }
        machine.players.add(name, owner: owner)
        ask(player: owner)
    }

    private func ask(player owner: String) {
        ask(owner, Self.playerPath, Self.playerInterface) { [self] properties in
            machine.players.update(owner, properties)
            machine.playersChanged()
        }
    }

    func listenForPlayers() {
        listenForProperties(Self.playerInterface, at: Self.playerPath) { [unowned self] sender, properties in
            machine.players.update(sender, properties)
            machine.playersChanged()
        }
    }
}
