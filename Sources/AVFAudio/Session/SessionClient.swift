package import AudioCore

/// A recorder, player or engine that runs under the session.
package protocol SessionClient: AnyObject, Sendable {
    var sessionUse: SessionUse { get }

    /// Seconds between the device and the client's stream; nil where no stream is open.
    var sessionLatency: Double? { get }

    /// The session takes the device away: pause, keep what was recorded, and end the activity. On the thread of the call
    /// that changed the session, with none of the session's locks held.
    func sessionStops(_ reason: AudioFailure)

    /// The sound was taken away: pause, keep what was recorded, end the activity, and do not go on by yourself. On the
    /// thread that knows of it, with none of the session's locks held.
    func sessionInterrupts()

    /// The interruption that stopped the client is over. It does not go on by itself.
    func sessionInterruptionEnds(shouldResume: Bool)

    /// Others ask for quiet (true), or do so no longer.
    func sessionLowers(_ isLowered: Bool)

    /// The program wants silence of what is recorded or played (true), or does so no longer.
    func sessionMutes(_ isMuted: Bool)
}

extension SessionClient {
    package func sessionInterrupts() { sessionStops(AudioFailure(.cancelled, "The audio session was interrupted.")) }

    package func sessionInterruptionEnds(shouldResume: Bool) {}

    package func sessionLowers(_ isLowered: Bool) {}

    package func sessionMutes(_ isMuted: Bool) {}
}

/// How the session wants a stream to be opened.
package struct SessionStreamPlan: Sendable, Equatable {
    /// The device to pin to; nil follows the default.
    package var deviceID: String?
    package var mediaRole: String
    package var processing: StreamProcessing
    package var fragment: Duration
    /// For clients without a format of their own; nil where the program has no wish.
    package var preferredSampleRate: Double?
    package var preferredChannelCount: Int?
}

/// Says that a client is running, until `end()` or until it is released. Owners are counted: a client that begins twice
/// runs until both activities have ended.
package final class SessionActivity: Sendable {
    private let core: SessionCore
    private let id: UInt64

    init(core: SessionCore, id: UInt64) {
        self.core = core
        self.id = id
    }

    deinit { end() }

    /// The client's stream stands still. Any number of times.
    package func end() { core.endActivity(id) }

    /// False once the session has stopped or interrupted the client.
    package var isRunning: Bool { core.isRunning(id) }
}
