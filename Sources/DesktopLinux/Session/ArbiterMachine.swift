package import AudioCore

/// What an arbiter knows of the others, and what follows from it for the session: no bus, no clock, no thread.
package struct ArbiterMachine {
    /// What a session that leaves has said about it.
    private struct Leave {
        var sender: String
        var notifies: Bool
        var players: [String]
    }

    /// What this connection is called; nil without a bus.
    package var me: String?
    package private(set) var claim: SessionClaim?
    package private(set) var owners: [Floor: String] = [:]
    private var ledger = InterruptionLedger()
    private var peers: [String: SessionDeclaration] = [:]
    private var leave: Leave?
    package private(set) var streams: [OtherStream] = []
    package var players = PlayerRegister()

    private var toldOthers = OtherAudio()
    private var isDucked = false
    private var events: [ArbiterEvent] = []
    /// While the session is being activated or given back nothing is an interruption.
    private var isChanging = false

    /// More than any desktop has: a stranger must not fill the memory.
    private static let limitOfPeers = 64

    package init() {}

    // MARK: Asked

    package var isInterrupted: Bool { ledger.open != nil }

    /// A conversation of somebody who speaks to the sound server alone.
    package var isCallGoingOn: Bool { streams.contains(where: \.isCall) }

    package var others: OtherAudio {
        let isHeld = owners[.sound].flatMap { $0 == me ? nil : peers[$0]?.claim }?.mayPlay ?? false
        let isPlayed = streams.contains(where: \.isPlaying)
        let isPrimary = players.isAnyPlaying || (isHeld && (isPlayed || streams.isEmpty))
        return OtherAudio(isPlaying: isPlayed || isPrimary, isPrimary: isPrimary)
    }

    package func declaration(of peer: String) -> SessionDeclaration? { peers[peer] }

    /// The events that are due, in order.
    package mutating func takeEvents() -> [ArbiterEvent] {
        defer { events = [] }
        return events
    }

    // MARK: The session

    /// Until `activated` or `deactivated` nothing is told of interruptions.
    package mutating func beginChange() { isChanging = true }

    /// Nothing became of it: as before.
    package mutating func abandonChange() {
        isChanging = false
        judge()
    }

    package mutating func activated(_ claim: SessionClaim) {
        isChanging = false
        self.claim = claim
        ledger.clear()
        judge()
    }

    package mutating func deactivated() {
        isChanging = false
        claim = nil
        ledger.clear()
        judge()
    }

    // MARK: The bus

    package mutating func ownerChanged(_ floor: Floor, to new: String?) {
        let old = owners[floor]
        owners[floor] = new
        let said = leave?.sender == old ? leave : nil
        if new == me, me != nil, let said, floor == .sound, said.notifies, claim?.manner == .exclusive {
            players.adopt(said.players)
        }
        judge(notified: said?.notifies ?? false)
        if floor == .sound, said != nil { leave = nil }
    }

    /// Where everybody stands, asked anew.
    package mutating func learn(_ owners: [Floor: String]) { self.owners = owners }

    package mutating func left(_ sender: String, notifies: Bool, players: [String]) {
        if sender == me { return }
        if owners.values.contains(sender) {
            leave = Leave(sender: sender, notifies: notifies, players: players)
        } else if notifies, owners[.sound] == me, me != nil {
            self.players.adopt(players)
        }
    }

    package mutating func declared(_ sender: String, _ declaration: SessionDeclaration?) {
        if sender == me { return }
        if leave?.sender == sender, declaration?.claim != nil { leave = nil }
        if let declaration, declaration.claim != nil {
            if peers[sender] != nil || peers.count < Self.limitOfPeers { peers[sender] = declaration }
        } else {
            peers[sender] = nil
        }
        judge()
    }

    package mutating func disconnected(_ sender: String) {
        peers[sender] = nil
        judge()
    }

    /// Nobody can be asked any more. What they held is free.
    package mutating func busLost() {
        me = nil
        owners = [:]
        peers = [:]
        leave = nil
        players = PlayerRegister()
        judge()
    }

    // MARK: The sound server and the players

    package mutating func heard(_ streams: [OtherStream]) {
        self.streams = streams
        judge()
    }

    package mutating func playersChanged() { judge() }

    // MARK: What follows

    private mutating func judge(notified: Bool = false) {
        if let claim, !isChanging {
            for floor in Floor.allCases {
                let holder = owners[floor].flatMap { $0 == me ? nil : $0 }
                let isTaken = holder != nil && claim.floorsNeeded.contains(floor)
                let kind: SessionInterruption =
                    holder.flatMap { peers[$0]?.claim?.isCall } ?? false ? .call : .otherProgram
                settle(.floor(floor), isTaken, kind, shouldResume: notified)
            }
            let isCalled = isCallGoingOn && claim.manner == .exclusive && !claim.isCall
            settle(.call, isCalled, .call, shouldResume: true)
        }
        let ducks = claim.map { $0.mayPlay && !$0.isCall } ?? false
        let isDucked = ducks && peers.values.contains { $0.claim?.lowersOthers ?? false }
        if isDucked != self.isDucked { events.append(.ducked(isDucked)) }
        self.isDucked = isDucked
        let others = others
        if others != toldOthers { events.append(.othersChanged(others)) }
        toldOthers = others
    }

    private mutating func settle(
        _ cause: InterruptionLedger.Cause,
        _ isThere: Bool,
        _ kind: SessionInterruption,
        shouldResume: Bool
    ) {
        if isThere == ledger.contains(cause) { return }
        let event = isThere ? ledger.begin(cause, kind) : ledger.end(cause, shouldResume: shouldResume)
        if let event { events.append(event) }
    }
}
