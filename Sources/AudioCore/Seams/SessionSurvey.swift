/// A program's session, as other programs see it.
package struct ProgramSession: Sendable, Hashable {
    /// Where a session stands among those that want the sound.
    package enum Standing: String, Sendable, Hashable {
        /// It has the sound.
        case holds
        /// It was interrupted, and has the sound again when those in front of it have given it back.
        case waits
        /// It mixes, so that it neither interrupts nor waits.
        case beside
    }

    /// What the program calls itself.
    package var program: String
    /// As the bus has found it out; nil where it does not tell.
    package var processID: UInt32?
    package var claim: SessionClaim
    package var standing: Standing

    package init(program: String, processID: UInt32?, claim: SessionClaim, standing: Standing) {
        self.program = program
        self.processID = processID
        self.claim = claim
        self.standing = standing
    }
}

/// A media player of the desktop that lets itself be remote-controlled.
package struct DesktopPlayer: Sendable, Hashable {
    package enum Status: String, Sendable, Hashable { case playing, paused, stopped }

    /// What its name on the bus ends with ("mpv", "firefox.instance_1_23").
    package var name: String
    package var status: Status

    package init(name: String, status: Status) {
        self.name = name
        self.status = status
    }
}

/// Who uses sound on this machine now, as far as it can be found out.
package struct SessionSurvey: Sendable, Hashable {
    /// Why other programs cannot be asked; nil where they can.
    package var obstacle: String?
    /// The one that has the sound first, then those that wait in their order, then those beside.
    package var sessions: [ProgramSession]
    package var players: [DesktopPlayer]
    /// Streams of other programs at the sound server.
    package var streams: [OtherStream]

    package init(
        obstacle: String? = nil,
        sessions: [ProgramSession] = [],
        players: [DesktopPlayer] = [],
        streams: [OtherStream] = []
    ) {
        self.obstacle = obstacle
        self.sessions = sessions
        self.players = players
        self.streams = streams
    }
}
