import AudioCore

/// How a session takes the sound and gives it back.
extension ArbiterWorker {
    private static let busy =
        "Somebody is in a call, which keeps the sound until it ends. Try again then, or let the session mix with others."

    func activate(_ claim: SessionClaim) -> ArbiterAnswer {
        if claim.manner == .exclusive, !claim.isCall, machine.isCallGoingOn {
            return .refused(AudioFailure(.busy, Self.busy))
        }
        machine.beginChange()
        do throws(BusFailure) {
            if bus.isConnected, !(try take(claim)) {
                machine.abandonChange()
                return .refused(AudioFailure(.busy, Self.busy))
            }
        } catch {
            abandonBus(error)
        }
        receiveAll()
        machine.activated(claim)
        sessionChanged()
        if claim.pausesPlayers { pausePlayers() }
        return .done
    }

    /// - Returns: false where somebody has the sound who cannot be interrupted.
    private func take(_ claim: SessionClaim) throws(BusFailure) -> Bool {
        let former = declaration.claim
        // Before the names: whoever loses one knows to whom.
        declare(claim)
        _ = try bus.requestName(SessionNames.present, [])
        for floor in Floor.allCases where claim.floorsTaken.contains(floor) {
            let flags: BusConnection.NameFlags = claim.isCall ? [.replaces] : [.replaces, .allowsReplacement]
            let reply = try bus.requestName(floor.rawValue, flags)
            if reply == .inQueue, claim.floorsNeeded.contains(floor) {
                if !floors.contains(floor) { try bus.releaseName(floor.rawValue) }
                declare(former)
                if former == nil { try bus.releaseName(SessionNames.present) }
                return false
            }
            floors.insert(floor)
        }
        for floor in floors.subtracting(claim.floorsTaken) { try release(floor) }
        return true
    }

    private func release(_ floor: Floor) throws(BusFailure) {
        floors.remove(floor)
        try bus.releaseName(floor.rawValue)
    }

    func deactivate(notifyingOthers: Bool) {
        guard machine.claim != nil else { return }
        machine.beginChange()
        var heirs = false
        if bus.isConnected {
            do throws(BusFailure) { heirs = try leave(notifyingOthers) } catch { abandonBus(error) }
        }
        receiveAll()
        machine.deactivated()
        sessionChanged()
        let held = machine.players.releaseHeld()
        if notifyingOthers, !heirs { for player in held { command("Play", player) } }
        // A program that ends now must not take the commands with it.
        awaitAnswers()
    }

    /// - Returns: true where another session has the sound, or waits for it: it takes care of the players then.
    private func leave(_ notifyingOthers: Bool) throws(BusFailure) -> Bool {
        let others = bus.queue(of: Floor.sound.rawValue).contains { $0 != machine.me }
        bus.emit(
            SessionNames.leaving,
            of: SessionNames.interface,
            at: SessionNames.path,
            [.truth(notifyingOthers), .texts(notifyingOthers && others ? machine.players.held : [])]
        )
        // Speech first: what was said of leaving counts until the sound is given back.
        for floor in [Floor.speech, .sound] where floors.contains(floor) { try release(floor) }
        try bus.releaseName(SessionNames.present)
        declare(nil)
        return others
    }

    /// The bus is back: asks anew for what the session had.
    /// - Parameter insists: false where somebody else had the sound when the bus went away.
    func reclaim(insists: Bool) {
        guard let claim = machine.claim else { return }
        machine.beginChange()
        do throws(BusFailure) {
            declare(claim)
            _ = try bus.requestName(SessionNames.present, [])
            for floor in Floor.allCases where claim.floorsTaken.contains(floor) {
                var flags: BusConnection.NameFlags = claim.isCall ? [] : [.allowsReplacement]
                if insists { flags.insert(.replaces) }
                _ = try bus.requestName(floor.rawValue, flags)
                floors.insert(floor)
            }
        } catch {
            abandonBus(error)
        }
        receiveAll()
        machine.abandonChange()
    }
}
