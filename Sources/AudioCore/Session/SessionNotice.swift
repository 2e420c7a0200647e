/// What the program is told of its session.
package enum SessionNotice: Sendable, Hashable {
    /// The sound was taken away; what ran has been paused.
    case interruptionBegan(SessionInterruption)
    case interruptionEnded(shouldResume: Bool)
    /// Somebody else's primary audio plays (true), or does so no longer.
    case silenceHint(Bool)
    case routeChanged(SessionRouteChange)
    /// The sound server is gone.
    case servicesLost
    /// It is back.
    case servicesReset
}
