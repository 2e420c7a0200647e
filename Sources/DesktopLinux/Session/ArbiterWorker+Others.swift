import AudioCore

/// Who else is there, and what is heard of them.
extension ArbiterWorker {
    /// Listens, and asks who is there.
    func meetOthers() throws(BusFailure) {
        listenForNames()
        listenForSessions()
        listenForPlayers()
        try bus.export(SessionNames.interface, at: SessionNames.path, SessionNames.description) { [unowned self] name in
            declaration.properties[name]
        }
        var owners: [Floor: String] = [:]
        for floor in Floor.allCases { owners[floor] = bus.owner(of: floor.rawValue) }
        machine.learn(owners)
        for peer in bus.queue(of: SessionNames.present).prefix(64) where peer != machine.me { meet(peer) }
        for name in try bus.names() where PlayerRegister.isPlayer(name) {
            if let owner = bus.owner(of: name) { meet(player: name, owner: owner) }
        }
    }

    private func meet(_ peer: String) {
        ask(peer, SessionNames.path, SessionNames.interface) { [self] properties in
            if let declaration = SessionDeclaration(properties) { machine.declared(peer, declaration) }
        }
    }

    func ask(
        _ name: String,
        _ path: String,
        _ interface: String,
        answer: @escaping ([String: BusValue]) -> Void
    ) {
        expected += 1
        let call = BusCall(
            "GetAll",
            of: SessionNames.properties,
            at: path,
            of: name,
            [.text(interface)],
            within: Self.limitOfCall
        )
        bus.post(call) { [self] values in
            expected -= 1
            if let properties = values?.first?.dictionary { answer(properties) }
        }
    }

    private func listenForNames() {
        bus.subscribe(
            "NameOwnerChanged",
            of: BusConnection.busName,
            at: BusConnection.busPath,
            from: BusConnection.busName
        ) { [unowned self] signal in
            guard let texts = BusValue.list(signal.arguments).texts, texts.count == 3 else { return }
            let (name, new) = (texts[0], texts[2].isEmpty ? nil : texts[2])
            if let floor = Floor(rawValue: name) {
                machine.ownerChanged(floor, to: new)
            } else if PlayerRegister.isPlayer(name) {
                machine.players.remove(name)
                if let new { meet(player: name, owner: new) }
                machine.playersChanged()
            } else if new == nil, name.hasPrefix(":") {
                machine.disconnected(name)
            }
        }
    }

    private func listenForSessions() {
        bus.subscribe(SessionNames.leaving, of: SessionNames.interface, at: SessionNames.path) {
            [unowned self] signal in
            guard signal.arguments.count == 2, let notifies = signal.arguments[0].truth,
                let players = signal.arguments[1].texts
            else { return }
            machine.left(signal.sender, notifies: notifies, players: players)
        }
        listenForProperties(SessionNames.interface, at: SessionNames.path) { [unowned self] sender, properties in
            if let declaration = SessionDeclaration(properties) { machine.declared(sender, declaration) }
        }
    }

    func listenForProperties(
        _ interface: String,
        at path: String,
        _ body: @escaping (_ sender: String, _ properties: [String: BusValue]) -> Void
    ) {
        bus.subscribe("PropertiesChanged", of: SessionNames.properties, at: path, argument: interface) { signal in
            guard signal.arguments.count == 3, let properties = signal.arguments[1].dictionary else { return }
            body(signal.sender, properties)
        }
    }

    func survey() -> SessionSurvey {
        guard bus.isConnected else {
            return SessionSurvey(obstacle: "There is no message bus of the user.", streams: machine.streams)
        }
        let queue = bus.queue(of: Floor.sound.rawValue)
        let present = bus.queue(of: SessionNames.present)
        let sessions = (queue + present.filter { !queue.contains($0) }).map { name in
            let declaration = name == machine.me ? declaration : machine.declaration(of: name)
            let standing: ProgramSession.Standing =
                name == queue.first ? .holds : queue.contains(name) ? .waits : .beside
            return ProgramSession(
                program: declaration?.program ?? "",
                processID: bus.processID(of: name),
                claim: declaration?.claim ?? SessionClaim(manner: .exclusive, mayRecord: false, mayPlay: false),
                standing: standing
            )
        }
        return SessionSurvey(sessions: sessions, players: machine.players.list, streams: machine.streams)
    }
}
