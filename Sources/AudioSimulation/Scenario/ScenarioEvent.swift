extension SimulationScenario {
    /// Something that happens.
    public enum Event: Sendable, Hashable {
        /// Somebody takes the sound away, and gives it back: see ``SimulatedAudio/beginInterruption(_:)``.
        /// - Parameters:
        ///   - lasting: nil for until the end.
        ///   - shouldResume: whether its end says that the program may go on.
        case interruption(SimulatedAudio.Interruption, lasting: Duration?, shouldResume: Bool)
        /// Another program plays, or stops: see ``SimulatedAudio/setOtherAudio(playing:primary:)``.
        case otherAudio(playing: Bool, primary: Bool)
        /// Something is plugged in or out.
        case accessory(SimulatedAudio.Accessory, isConnected: Bool)
        /// Something happens to a microphone.
        case microphone(SimulatedAudio.Microphone, MicrophoneChange)
        /// The sound server ends, and comes back after a time; zero for a reset at one moment.
        case serverDown(Duration)
        /// The user or the system allows recording, or takes the right away.
        case permission(isGranted: Bool)
        /// Something happens to the disk.
        case disk(DiskChange)
        /// The program is put into the background, into the foreground, or to sleep with its machine.
        case app(SimulatedAudio.AppState)
        /// A person wants power to be saved, or no longer.
        case lowPower(Bool)
        /// Memory is short, or no longer.
        case memory(SimulatedAudio.MemoryPressure)
        /// A person presses a button of the program.
        case press(Button)
    }

    /// What happens to a microphone.
    public enum MicrophoneChange: String, Sendable, Hashable, CaseIterable {
        /// It is plugged in.
        case connected = "in"
        /// It is unplugged.
        case disconnected = "out"
        /// It gives exact zeros.
        case muted
        /// It hears again.
        case unmuted
        /// The server puts it to sleep.
        case asleep
        /// The server wakes it.
        case awake
    }

    /// What happens to the disk.
    public enum DiskChange: Sendable, Hashable {
        /// It does not answer for so long.
        case stalled(Duration)
        /// It has room for so many bytes more.
        case full(afterBytes: Int64)
        /// It is as it should be.
        case healthy
    }

    /// What a person can press.
    public enum Button: String, Sendable, Hashable, CaseIterable {
        /// Starts a recording, or goes on.
        case record
        /// Pauses it.
        case pause
        /// Ends it.
        case stop
        /// Plays a tone without end.
        case play
        /// Stops playing.
        case silence
    }

    /// What must hold in the end.
    public enum Expectation: Sendable, Hashable {
        /// The file has this many frames, give or take some.
        case frames(Int64, within: Int64)
        /// So many gaps are listed in the file.
        case gaps(Int)
        /// One of the gaps begins at this time of the file, lasts so long, each to a frame, and has this reason, where one
        /// is given (the names of `RecordingGap.Reason`).
        case gap(start: Duration, length: Duration, reason: String?)
        /// What the recorder does when the time is over.
        case state(State)
        /// The program was told these things in this order; others may lie between.
        case told([Notice])
        /// The program was never told this.
        case notTold(Notice)
    }

    /// What a recorder does.
    public enum State: String, Sendable, Hashable, CaseIterable {
        /// It records.
        case recording
        /// It could go on.
        case paused
        /// It has ended, or never begun.
        case stopped
    }

    /// What a program is told, by notifications and by its delegate.
    public enum Notice: Sendable, Hashable, CaseIterable {
        /// The session was interrupted.
        case began
        /// The interruption is over, and the program may go on.
        case endedResume
        /// The interruption is over.
        case ended
        /// The route changed because something was plugged in.
        case deviceIn
        /// The route changed because something was unplugged.
        case deviceOut
        /// The route changed because the category did.
        case category
        /// The route changed for another reason.
        case routeOther
        /// Nothing is there that the category needs.
        case noRoute
        /// The sound server is gone.
        case servicesLost
        /// The sound server is back.
        case servicesReset
        /// Somebody else plays what should not be disturbed.
        case silenceBegins
        /// They have stopped.
        case silenceEnds
        /// The recording has ended as it should.
        case finished
        /// The recording has ended because it could not go on.
        case failed
        /// Something went wrong: the delegate got an error.
        case error
        /// The player came to its end.
        case played

        /// As it stands in a scenario's text.
        public var text: String {
            switch self {
            case .began: "began"
            case .endedResume: "ended resume"
            case .ended: "ended"
            case .deviceIn: "route in"
            case .deviceOut: "route out"
            case .category: "route category"
            case .routeOther: "route other"
            case .noRoute: "route none"
            case .servicesLost: "services lost"
            case .servicesReset: "services reset"
            case .silenceBegins: "silence begins"
            case .silenceEnds: "silence ends"
            case .finished: "finished"
            case .failed: "failed"
            case .error: "error"
            case .played: "played"
            }
        }
    }
}
