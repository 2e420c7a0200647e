import AudioCore
import AudioRuntime

/// Who uses sound on this machine now: sessions of programs with this library, media players, streams of others.
public struct AudioSharing: Sendable, Hashable {
    /// A program's audio session.
    public struct Session: Sendable, Hashable {
        /// Where it stands among those that want the sound.
        public enum Standing: String, Sendable, Hashable {
            /// It has the sound.
            case holds
            /// It was interrupted, and waits for the sound.
            case waits
            /// It mixes with the others.
            case beside
        }

        /// What becomes of others while it is active.
        public enum Manner: String, Sendable, Hashable {
            /// Sessions that do not mix are interrupted, and media players paused.
            case exclusive
            /// Nothing.
            case mixing
            /// They play more quietly.
            case ducking
            /// They play more quietly; those that speak are interrupted.
            case interruptingSpeech
        }

        /// What the program calls itself; empty where it does not answer.
        public var program: String
        /// Nil where the bus does not tell.
        public var processID: Int?
        /// Where it stands.
        public var standing: Standing
        /// What becomes of others.
        public var manner: Manner
        /// Its category allows recording.
        public var mayRecord: Bool
        /// Its category allows playing.
        public var mayPlay: Bool
        /// It is a conversation, which cannot be interrupted.
        public var isCall: Bool
    }

    /// A media player that can be paused by others (MPRIS).
    public struct Player: Sendable, Hashable {
        /// What it is called on the bus ("mpv").
        public var name: String
        /// It plays now, so a session that does not mix pauses it.
        public var isPlaying: Bool
    }

    /// A stream of another program at the sound server.
    public struct Stream: Sendable, Hashable {
        /// What its program calls itself; nil where it does not say.
        public var program: String?
        /// It records; otherwise it plays.
        public var isInput: Bool
        /// What it is for ("music", "phone"); nil where its program does not say.
        public var role: String?
        /// It stands still.
        public var isPaused: Bool
    }

    /// Why other programs could not be asked; nil where they could.
    public var obstacle: String?
    /// First the one that has the sound, then those that wait in their order, then those that mix.
    public var sessions: [Session]
    /// The media players of the desktop.
    public var players: [Player]
    /// The streams of other programs; empty where the sound server does not answer.
    public var streams: [Stream]

    /// Somebody is in a call: a session that does not mix cannot be activated.
    public var isCallGoingOn: Bool {
        sessions.contains { $0.isCall && $0.standing == .holds }
            || streams.contains { $0.role == "phone" && !$0.isPaused }
    }

    /// The names of those that a session which does not mix would interrupt or pause now.
    public var interruptible: [String] {
        if isCallGoingOn { return [] }
        return sessions.filter { $0.standing == .holds }.map(\.program) + players.filter(\.isPlaying).map(\.name)
    }

    /// Asks everybody. Blocks for up to 2 seconds. Interrupts nobody.
    public static func current() -> AudioSharing { AudioSharing(Runtime.current.arbiter.survey()) }

    init(_ survey: SessionSurvey) {
        obstacle = survey.obstacle
        sessions = survey.sessions.map(Session.init)
        players = survey.players.map { Player(name: $0.name, isPlaying: $0.status == .playing) }
        streams = survey.streams.map {
            Stream(
                program: $0.program,
                isInput: $0.direction == .input,
                role: $0.mediaRole,
                isPaused: $0.isCorked
            )
        }
    }
}

extension AudioSharing.Session {
    init(_ session: ProgramSession) {
        program = session.program
        processID = session.processID.map(Int.init)
        standing =
            switch session.standing {
            case .holds: .holds
            case .waits: .waits
            case .beside: .beside
            }
        manner =
            switch session.claim.manner {
            case .exclusive: .exclusive
            case .mixing: .mixing
            case .ducking: .ducking
            case .interruptingSpeech: .interruptingSpeech
            }
        mayRecord = session.claim.mayRecord
        mayPlay = session.claim.mayPlay
        isCall = session.claim.isCall
    }
}
