/// What a player does next, as a pure table: no clock, no thread, no file.
package struct PlayerMachine: EngineMachine {
    package enum Phase: String, Sendable, CaseIterable {
        /// No speaker is open: before the first `prepare`, after `stop` and after the end.
        case stopped
        /// The speaker is open and the first frames are decoded.
        case prepared
        case playing
        case paused
        /// The sound server has ended while it played; it goes on by itself when the speaker is there again.
        case waiting
    }

    package enum Input: Sendable, Equatable, CaseIterable {
        case prepare, play, pause, stop
        /// The last frame has been heard.
        case ended
        /// Nothing more can be decoded.
        case undecodable
        /// The speaker is gone.
        case deviceLost
        /// The server is gone, and its speakers with it: it may come back.
        case serverLost
        /// The speaker that was lost with its server is there again.
        case speakerReturned
        /// It did not come back in time.
        case gaveUp
        /// The object is given up.
        case release
    }

    /// In order; the first that fails ends the rest, and the machine is told by `failed(_:)`.
    package enum Effect: Sendable, Equatable {
        /// Opens the speaker and decodes the first frames from the position.
        case open
        case start
        case suspend
        /// Closes the speaker and keeps the position.
        case close
        /// Looks for the speaker that was used last.
        case awaitSpeaker
        /// Looks for it no longer.
        case endWait
        /// The position becomes the start.
        case rewind
        case reportError
        case reportFinished(successfully: Bool)
    }

    package private(set) var phase: Phase = .stopped
    /// True while it is tried to go on by itself: a failure is no answer to anybody.
    private var isReturning = false

    package init() {}

    package mutating func handle(_ input: Input) -> [Effect] {
        let before = phase
        isReturning = false
        switch (before, input) {
        case (.stopped, .prepare):
            phase = .prepared
            return [.open]
        case (.stopped, .play):
            phase = .playing
            return [.open, .start]
        case (.prepared, .play), (.paused, .play):
            phase = .playing
            return [.start]
        case (.playing, .pause):
            phase = .paused
            return [.suspend]
        case (.prepared, .stop), (.playing, .stop), (.paused, .stop),
            (.prepared, .release), (.playing, .release), (.paused, .release):
            phase = .stopped
            return [.close]
        case (.playing, .ended):
            phase = .stopped
            return [.close, .rewind, .reportFinished(successfully: true)]
        case (.playing, .undecodable):
            phase = .stopped
            return [.close, .reportError, .reportFinished(successfully: false)]
        case (.prepared, .undecodable), (.paused, .undecodable):
            // Told when it is played.
            return []
        case (.prepared, .deviceLost), (.playing, .deviceLost), (.paused, .deviceLost), (.prepared, .serverLost),
            (.paused, .serverLost):
            // The position is kept: `play` opens the next speaker and goes on.
            phase = .stopped
            return [.close]
        case (.playing, .serverLost):
            phase = .waiting
            return [.close, .awaitSpeaker]
        case (.waiting, .speakerReturned):
            phase = .playing
            isReturning = true
            return [.open, .start, .endWait]
        case (.waiting, .play):
            phase = .playing
            return [.endWait, .open, .start]
        case (.waiting, .pause), (.waiting, .stop), (.waiting, .release):
            phase = .stopped
            return [.endWait]
        case (.waiting, .gaveUp):
            phase = .stopped
            return [.endWait, .reportError]
        case (.waiting, .undecodable):
            phase = .stopped
            return [.endWait, .reportError, .reportFinished(successfully: false)]
        case (.waiting, .prepare), (.waiting, .ended), (.waiting, .deviceLost), (.waiting, .serverLost),
            (.stopped, .serverLost), (.stopped, .speakerReturned), (.stopped, .gaveUp), (.prepared, .speakerReturned),
            (.prepared, .gaveUp), (.playing, .speakerReturned), (.playing, .gaveUp), (.paused, .speakerReturned),
            (.paused, .gaveUp):
            return []
        case (.prepared, .prepare), (.playing, .prepare), (.paused, .prepare), (.playing, .play),
            (.stopped, .pause), (.prepared, .pause), (.paused, .pause), (.stopped, .stop), (.stopped, .ended),
            (.prepared, .ended), (.paused, .ended), (.stopped, .undecodable), (.stopped, .deviceLost),
            (.stopped, .release):
            return []
        }
    }

    /// An effect could not be carried out: where the machine stands then.
    package mutating func failed(_ effect: Effect) -> [Effect] {
        switch effect {
        case .open, .start, .suspend:
            phase = isReturning ? .waiting : .stopped
            isReturning = false
            return [.close]
        case .close, .awaitSpeaker, .endWait, .rewind, .reportError, .reportFinished:
            return []
        }
    }
}
