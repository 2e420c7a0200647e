/// What a recorder does next, as a pure table: no clock, no thread, no file.
package struct RecorderMachine: EngineMachine {
    package enum Phase: String, Sendable, CaseIterable {
        /// Nothing is open: before the first `prepare`, and after every end.
        case stopped
        /// A new file and the microphone are ready; the old file, if any, is untouched.
        case prepared
        case recording
        case paused
    }

    package enum Input: Sendable, Equatable, CaseIterable {
        case prepare, record, pause, stop
        /// The sound is taken away by somebody else.
        case interrupt
        /// The frames that were asked for are all there.
        case limitReached
        /// The device, the encoder or the disk failed.
        case failure
        /// The object is given up.
        case release
    }

    /// In order; the first that fails ends the rest, and the machine is told by `failed(_:)`.
    package enum Effect: Sendable, Equatable {
        /// Opens the microphone and makes the new file under a name of its own.
        case open
        /// Lets the microphone flow, then puts the new file in the place of the old.
        case start
        /// - Parameter interrupted: what stands still was interrupted, not paused.
        case resume(interrupted: Bool)
        case suspend
        /// Completes and closes the file.
        case finish
        /// Closes the microphone and removes the new file that never got its name.
        case discard
        /// Tells the delegate of an error.
        case reportError
        /// Tells the delegate that the recording is over.
        case reportFinished(successfully: Bool)
    }

    package private(set) var phase: Phase = .stopped
    /// It was not the program that paused the recording.
    private var isInterrupted = false

    package init() {}

    package mutating func handle(_ input: Input) -> [Effect] {
        let before = phase
        switch (before, input) {
        case (.stopped, .prepare):
            phase = .prepared
            return [.open]
        case (.stopped, .record):
            phase = .recording
            return [.open, .start]
        case (.prepared, .record):
            phase = .recording
            return [.start]
        case (.paused, .record):
            phase = .recording
            return [.resume(interrupted: isInterrupted)]
        case (.recording, .pause), (.recording, .interrupt):
            phase = .paused
            isInterrupted = input == .interrupt
            return [.suspend]
        case (.prepared, .stop), (.prepared, .release), (.prepared, .failure):
            phase = .stopped
            return [.discard]
        case (.recording, .stop), (.paused, .stop), (.recording, .limitReached), (.paused, .limitReached):
            phase = .stopped
            return [.finish, .reportFinished(successfully: true)]
        case (.recording, .release), (.paused, .release):
            phase = .stopped
            return [.finish]
        case (.recording, .failure), (.paused, .failure):
            phase = .stopped
            return [.finish, .reportError, .reportFinished(successfully: false)]
        case (.prepared, .prepare), (.recording, .prepare), (.paused, .prepare), (.recording, .record),
            (.stopped, .pause), (.prepared, .pause), (.paused, .pause), (.stopped, .interrupt), (.prepared, .interrupt),
            (.paused, .interrupt), (.stopped, .stop), (.stopped, .limitReached),
            (.prepared, .limitReached), (.stopped, .failure), (.stopped, .release):
            return []
        }
    }

    /// An effect could not be carried out: where the machine stands then.
    ///
    /// A file that could not be opened or started leaves nothing behind; a microphone that does not resume leaves the
    /// recording paused, with everything kept; one whose pause cannot be brought to the disk ends; a file that could not be
    /// completed is closed as its last checkpoint left it.
    package mutating func failed(_ effect: Effect) -> [Effect] {
        switch effect {
        case .open:
            phase = .stopped
            return []
        case .start:
            phase = .stopped
            return [.discard]
        case .resume:
            phase = .paused
            return []
        case .suspend:
            phase = .stopped
            return [.finish, .reportError, .reportFinished(successfully: false)]
        case .finish:
            phase = .stopped
            return [.reportError, .reportFinished(successfully: false)]
        case .discard, .reportError, .reportFinished:
            return []
        }
    }
}
