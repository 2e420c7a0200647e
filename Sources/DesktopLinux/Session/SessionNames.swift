package import AudioCore

/// The words in which programs with this library tell each other of their sessions. Documented in docs/ARCHITECTURE.md.
enum SessionNames {
    /// The object of a session, on the connection of its program.
    static let path = "/org/kayit/AudioSession"
    static let interface = "org.kayit.AudioSession1"
    /// Owned, in a queue that nobody jumps, by every program whose session is active: the list of those who are there.
    static let present = "org.kayit.AudioSession.Present"
    static let leaving = "Leaving"
    static let properties = "org.freedesktop.DBus.Properties"

    static let description = """
        <node><interface name="org.kayit.AudioSession1">
          <property name="Program" type="s" access="read"/>
          <property name="Active" type="b" access="read"/>
          <property name="Manner" type="s" access="read"/>
          <property name="MayRecord" type="b" access="read"/>
          <property name="MayPlay" type="b" access="read"/>
          <property name="Speech" type="b" access="read"/>
          <property name="Call" type="b" access="read"/>
          <signal name="Leaving">
            <arg name="notifyOthers" type="b"/>
            <arg name="pausedPlayers" type="as"/>
          </signal>
        </interface></node>
        """
}

/// A thing that one session has at a time: a name on the bus, whose owner has it and whose queue waits for it.
package enum Floor: String, Sendable, Hashable, CaseIterable {
    /// All sessions that do not mix.
    case sound = "org.kayit.AudioSession"
    /// Of these the ones that speak, and those that mix but interrupt speech.
    case speech = "org.kayit.AudioSession.Speech"
}

extension SessionClaim {
    /// What is taken from others.
    var floorsTaken: Set<Floor> {
        switch manner {
        case .exclusive: isSpeech ? [.sound, .speech] : [.sound]
        case .interruptingSpeech: [.speech]
        case .mixing, .ducking: []
        }
    }

    /// Whose loss is an interruption.
    var floorsNeeded: Set<Floor> { manner == .exclusive ? floorsTaken : [] }

    var lowersOthers: Bool { manner == .ducking || manner == .interruptingSpeech }

    /// Players of the desktop are paused for it.
    var pausesPlayers: Bool { manner == .exclusive && (mayPlay || mayRecord) }
}

/// What a program says of its session.
package struct SessionDeclaration: Sendable, Hashable {
    package var program: String
    /// Nil where the session is not active.
    package var claim: SessionClaim?

    private static let longestName = 128

    package init(program: String, claim: SessionClaim?) {
        self.program = program
        self.claim = claim
    }

    /// What a stranger says; nil where something is missing or of another type.
    package init?(_ properties: [String: BusValue]) {
        guard let program = properties["Program"]?.text, let isActive = properties["Active"]?.truth else { return nil }
        self.program = String(program.filter { !$0.isNewline }.prefix(Self.longestName))
        if !isActive { return }
        guard let manner = properties["Manner"]?.text.flatMap(SessionClaim.Manner.init),
            let mayRecord = properties["MayRecord"]?.truth,
            let mayPlay = properties["MayPlay"]?.truth,
            let isSpeech = properties["Speech"]?.truth,
            let isCall = properties["Call"]?.truth
        else { return nil }
        claim = SessionClaim(
            manner: manner,
            mayRecord: mayRecord,
            mayPlay: mayPlay,
            isSpeech: isSpeech,
            isCall: isCall
        )
    }

    var properties: [String: BusArgument] {
        [
            "Program": .text(program),
            "Active": .truth(claim != nil),
            "Manner": .text((claim?.manner ?? .mixing).rawValue),
            "MayRecord": .truth(claim?.mayRecord ?? false),
            "MayPlay": .truth(claim?.mayPlay ?? false),
            "Speech": .truth(claim?.isSpeech ?? false),
            "Call": .truth(claim?.isCall ?? false),
        ]
    }
}
