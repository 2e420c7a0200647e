import AudioCore
import DesktopLinux

/// What an arbiter makes of messages of any form, in any order.
enum StrangersMessages {
    private static let types = [
        "(sa{sv}as)", "(bas)", "(sss)", "(a{sv})", "(v)", "(a{sa{sv}})", "(av)", "(ua(sv)x)", "(tdnqyo)",
    ]
    private static let names = [":1", ":2", ":3"]

    static func hear(_ choice: UInt8, _ bytes: [UInt8]) {
        let type = types[Int(choice) % types.count]
        let values = BusValue.decode(type, bytes).list ?? []
        var machine = ArbiterMachine()
        machine.me = names[0]
        machine.activated(SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true))
        machine.players.add(PlayerRegister.prefix + "x", owner: names[1])
        for value in values { hear(value, &machine) }
        // And the bytes as an order of events, each with its end.
        for byte in bytes.prefix(64) { happen(byte, &machine) }
        check(&machine)
    }

    private static func hear(_ value: BusValue, _ machine: inout ArbiterMachine) {
        _ = (value.number, value.truth, value.texts, value.whole(UInt32.self), value.whole(Int8.self))
        if let properties = value.dictionary {
            if let declaration = SessionDeclaration(properties) { machine.declared(names[1], declaration) }
            machine.players.update(names[1], properties)
        }
        if let texts = value.texts {
            machine.left(names[1], notifies: true, players: texts)
            machine.players.adopt(texts)
        }
        machine.playersChanged()
    }

    private static func happen(_ byte: UInt8, _ machine: inout ArbiterMachine) {
        let name = names[Int(byte >> 4) % names.count]
        switch byte & 0xF {
        case 0, 1: machine.ownerChanged(.sound, to: name)
        case 2: machine.ownerChanged(.speech, to: name)
        case 3: machine.ownerChanged(.sound, to: nil)
        case 4: machine.left(name, notifies: byte & 0x80 != 0, players: [PlayerRegister.prefix + "x"])
        case 5: machine.disconnected(name)
        case 6: machine.beginChange()
        case 7: machine.activated(SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true, isSpeech: true))
        case 8: machine.deactivated()
        case 9: machine.abandonChange()
        case 10: machine.heard([OtherStream(direction: .input, mediaRole: "phone", isCorked: byte & 0x80 != 0)])
        case 11: machine.heard([])
        case 12: machine.busLost()
        case 13: _ = machine.players.takePlaying()
        default: _ = machine.players.releaseHeld()
        }
    }

    /// Beginnings and ends alternate, and whoever has everything is not interrupted.
    private static func check(_ machine: inout ArbiterMachine) {
        machine.activated(SessionClaim(manner: .exclusive, mayRecord: true, mayPlay: true))
        _ = machine.takeEvents()
        machine.heard([])
        if machine.me == nil { machine.me = names[0] }
        for name in [names[1], names[2], names[0]] { machine.ownerChanged(.sound, to: name) }
        var isInterrupted: Bool?
        for event in machine.takeEvents() {
            switch event {
            case .began:
                precondition(isInterrupted != true, "began twice")
                isInterrupted = true
            case .ended:
                precondition(isInterrupted != false, "ended twice")
                isInterrupted = false
            case .othersChanged, .ducked: break
            }
        }
        precondition(!machine.isInterrupted, "interrupted for ever")
    }
}
