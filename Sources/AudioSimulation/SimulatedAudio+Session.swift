import AudioCore

/// What happens around a program: others who want the sound, and what is plugged in.
extension SimulatedAudio {
    /// Who takes the sound away from the program's audio session.
    public enum Interruption: String, Sendable, Hashable, CaseIterable {
        /// A telephone or video call. The session cannot be activated while it lasts.
        case call
        /// A spoken assistant. The session cannot be activated while it lasts.
        case assistant
        /// An alarm or timer. The session cannot be activated while it lasts.
        case alarm
        /// Another program that plays without mixing. A session that mixes is not interrupted by it, and one that is
        /// activated takes the sound from it.
        case otherApp

        var cause: SessionInterruption {
            switch self {
            case .call: .call
            case .assistant: .assistant
            case .alarm: .alarm
            case .otherApp: .otherProgram
            }
        }
    }

    /// Somebody takes the sound. An active session is told at the next `advance(by:)`, before time goes on; its recorders and
    /// players have been paused by then. Nothing where they have it already.
    public func beginInterruption(_ interruption: Interruption) { arbiter.begin(interruption.cause) }

    /// They give it back.
    /// - Parameters:
    ///   - interruption: who.
    ///   - shouldResume: whether the notification says that the program may go on. Apple's assistant never says so.
    public func endInterruption(_ interruption: Interruption, shouldResume: Bool) {
        arbiter.end(interruption.cause, shouldResume: shouldResume)
    }

    /// Who has the sound now.
    public var interruptions: [Interruption] {
        let causes = arbiter.interruptions
        return Interruption.allCases.filter { causes.contains($0.cause) }
    }

    /// Another program begins to play beside this one, or stops.
    /// - Parameters:
    ///   - isPlaying: whether it plays now.
    ///   - isPrimary: it plays music or speech and does not mix: this program's background sounds had better be silent.
    public func setOtherAudio(playing isPlaying: Bool, primary isPrimary: Bool = false) {
        arbiter.setOthers(OtherAudio(isPlaying: isPlaying, isPrimary: isPlaying && isPrimary))
    }

    /// What people plug in and out. Its output, and its microphone where it has one, are the default while it is there.
    public enum Accessory: String, Sendable, Hashable, CaseIterable {
        /// Headphones with a plug, without a microphone.
        case headphones
        /// A Bluetooth headset with a microphone.
        case headset

        /// Outputs first.
        var devices: [String] {
            switch self {
            case .headphones: [SimulatedAudio.headphones]
            case .headset: [SimulatedAudio.headsetOutput, SimulatedAudio.headsetMicrophone]
            }
        }
    }

    /// Plugs an accessory in or out. The route changes, and the session tells of it.
    public func setConnected(_ isConnected: Bool, _ accessory: Accessory) {
        let devices = isConnected ? accessory.devices : accessory.devices.reversed()
        host.inject(
            devices.flatMap { device -> [SimulatedFault] in
                isConnected ? [.return(device), .setDefault(device)] : [.vanish(device)]
            }
        )
    }
}
