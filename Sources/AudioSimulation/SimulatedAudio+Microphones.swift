/// What can happen to simulated microphones.
extension SimulatedAudio {
    /// One of the two simulated microphones.
    public enum Microphone: Sendable, Hashable, CaseIterable {
        /// The one that is there from the start, and the default.
        case main
        /// Another one, which is plugged in later.
        case spare

        var id: String {
            switch self {
            case .main: SimulatedAudio.microphone
            case .spare: SimulatedAudio.spare
            }
        }
    }

    /// Unplugs a microphone, or plugs it in again. Who follows the default is moved to the other one where that is there;
    /// who does not, or finds none, loses it.
    public func setMicrophoneConnected(_ isConnected: Bool, _ microphone: Microphone = .main) {
        host.inject(isConnected ? .return(microphone.id) : .vanish(microphone.id))
    }

    /// Makes a microphone the default, as a user does in the settings of a desktop. It must be connected.
    public func setMicrophoneDefault(_ microphone: Microphone) { host.inject(.setDefault(microphone.id)) }

    /// Makes a microphone one of another rate and number of channels, as if another had been plugged in under the same name.
    /// Unplug it first, and plug it in afterwards, where that is to be noticed as a loss.
    /// - Parameters:
    ///   - sampleRate: frames per second, 1 … 384 000. Recorders go on at their own rate.
    ///   - channelCount: 1 … 32.
    ///   - microphone: the one that changes.
    public func setMicrophoneFormat(sampleRate: Double, channelCount: Int, of microphone: Microphone = .main) {
        host.inject(.format(microphone.id, sampleRate: sampleRate, channelCount: channelCount))
    }

    /// Makes a microphone give exact zeros, or what it hears.
    public func setMicrophoneMuted(_ isMuted: Bool, _ microphone: Microphone = .main) {
        host.inject(.mute(microphone.id, isMuted))
    }

    /// Gives a microphone a level that programs can set, as it has from the start, or takes it away: the session's
    /// `isInputGainSettable` is false then.
    public func setMicrophoneGainSettable(_ isSettable: Bool, _ microphone: Microphone = .main) {
        host.inject(.volumeControl(microphone.id, isSettable))
    }

    /// Makes one channel of a microphone give exact zeros, or what it hears. A microphone has one channel unless
    /// ``setMicrophoneFormat(sampleRate:channelCount:of:)`` gave it more.
    /// - Parameters:
    ///   - channel: counted from 0; one that does not exist changes nothing.
    ///   - isDead: whether it gives exact zeros.
    ///   - microphone: the one whose channel it is.
    public func setMicrophoneChannel(_ channel: Int, dead isDead: Bool, of microphone: Microphone = .main) {
        host.inject(.deadChannel(microphone.id, channel, isDead))
    }

    /// Puts a microphone to sleep, so that no frames come, or wakes it. The server says so.
    public func setMicrophoneSuspended(_ isSuspended: Bool, _ microphone: Microphone = .main) {
        host.inject(.suspend(microphone.id, isSuspended))
    }

    /// Makes a microphone give nothing while it says that it runs, or go on. Nobody says so; what it would have heard
    /// meanwhile is gone.
    public func setMicrophoneFrozen(_ isFrozen: Bool, _ microphone: Microphone = .main) {
        host.inject(.freeze(microphone.id, isFrozen))
    }

    /// Drops frames before they reach the program, as a server does whose client is too slow. The server says so.
    /// - Parameters:
    ///   - frames: at the rate of each recorder, 0 or more.
    ///   - microphone: the one that loses them.
    public func dropMicrophoneFrames(_ frames: Int, of microphone: Microphone = .main) {
        host.inject(.overflow(microphone.id, frames: frames))
    }

    /// Drops frames, and nobody says so.
    /// - Parameters:
    ///   - frames: at the rate of each recorder, 0 or more.
    ///   - microphone: the one that loses them.
    public func skipMicrophoneFrames(_ frames: Int, of microphone: Microphone = .main) {
        host.inject(.skip(microphone.id, frames: frames))
    }
}
