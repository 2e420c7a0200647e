import AudioCore

/// What a program wishes of interruptions and prompts.
extension AVAudioSession {
    /// Whether alarms and timers should leave the session alone. False until set.
    public var prefersNoInterruptionsFromSystemAlerts: Bool { core.sessionPreferences.avoidsSystemAlerts }

    /// Says whether alarms and timers should leave the session alone. A call that is taken interrupts all the same.
    public func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws {
        core.updateSessionPreferences { $0.avoidsSystemAlerts = inValue }
    }

    /// Whether headphones that are pulled pause what plays. True until set.
    public var prefersInterruptionOnRouteDisconnect: Bool { core.sessionPreferences.interruptsOnDisconnect }

    /// Says whether headphones that are pulled, or another output that goes away, pause what plays. Sessions of the category
    /// `.playback` that do not mix are interrupted, with the reason `routeDisconnected` and without an end; of others the
    /// players pause. With false the sound goes on where the desktop sends it.
    public func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws {
        core.updateSessionPreferences { $0.interruptsOnDisconnect = inValue }
    }
}
