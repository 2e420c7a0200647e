package import AudioCore

/// How a simulated device layer is at the start.
package struct SimulatedConfiguration: Sendable {
    /// Who moves the time.
    package enum Time: Sendable {
        /// The machine's clock.
        case real
        /// Runs as fast as the streams take and give their frames, while a stream runs or somebody sleeps.
        case free
        /// Stands still but inside `VirtualClock.advance(by:)`.
        case stepped
    }

    package struct Device: Sendable {
        package var id: String
        package var name: String
        package var direction: DeviceDirection
        package var port: PortKind
        package var sampleRate: Double
        package var channelCount: Int
        /// What a microphone hears.
        package var signal: SimulatedSignal
        /// The output that a monitor hears; nil for a microphone.
        package var monitored: String?
        /// False for a device that is plugged in later.
        package var isPresent = true
        /// A monitor that gives nothing at all while nothing plays, as those of some servers.
        package var isMuteWhenIdle = false

        package static func microphone(
            _ id: String,
            name: String,
            port: PortKind = .builtInMicrophone,
            signal: SimulatedSignal = .voice(seed: 1)
        ) -> Device {
            Device(
                id: id,
                name: name,
                direction: .input,
                port: port,
                sampleRate: 48_000,
                channelCount: 1,
                signal: signal,
                monitored: nil
            )
        }

        package static func speaker(_ id: String, name: String, port: PortKind = .builtInSpeaker) -> Device {
            Device(
                id: id,
                name: name,
                direction: .output,
                port: port,
                sampleRate: 48_000,
                channelCount: 2,
                signal: .silence,
                monitored: nil
            )
        }

        /// A capture device that hears what an output plays.
        package static func monitor(of output: String) -> Device {
            Device(
                id: output + ".monitor",
                name: "Monitor of \(output)",
                direction: .input,
                port: .monitor,
                sampleRate: 48_000,
                channelCount: 2,
                signal: .silence,
                monitored: output
            )
        }
    }

    package var time = Time.real
    /// The first of each direction that is no monitor is the default, else the first.
    package var devices: [Device] = [
        .microphone("simulated.microphone", name: "Simulated microphone"),
        .speaker("simulated.speaker", name: "Simulated speaker"),
        .monitor(of: "simulated.speaker"),
    ]
    /// The lengths of deliveries, used in turn.
    package var bursts: [Duration] = [.milliseconds(10)]
    /// From `start()` to the first frame.
    package var startDelay: Duration = .zero
    /// What a stream says that its latency is, and how long after the last frame `.drained` comes.
    package var latency: Duration = .milliseconds(10)
    /// The rates that streams can be opened with; empty for all from 1 to 384 000 Hz.
    package var acceptedRates: Set<Double> = []
    /// The frames of each played stream that are kept to be looked at.
    package var keptFrames = 48_000 * 60

    package init() {}
}

/// What can be done to simulated devices.
package enum SimulatedFault: Sendable {
    /// The device is unplugged: pinned streams die, following ones move where there is somewhere to go.
    case vanish(String)
    /// An unplugged device is there again.
    case `return`(String)
    case setDefault(String)
    case serverLoss
    case serverReturn
    case suspend(String, Bool)
    /// Captured frames are dropped by the server.
    case overflow(String, frames: Int)
    /// The machine sleeps for so long, or the program stands still: time goes on, and nothing is captured.
    case sleep(Duration)
    /// The server moves the streams of the first device to the second.
    case move(from: String, to: String)
    /// Captured frames are dropped, and nobody says so.
    case skip(String, frames: Int)
    /// The device gives nothing although it says that it runs; what it heard meanwhile is gone.
    case freeze(String, Bool)
    /// The device runs at another rate and has other channels, as one that was plugged in under the same name.
    case format(String, sampleRate: Double, channelCount: Int)
    /// A channel, counted from 0, gives exact zeros.
    case deadChannel(String, Int, Bool)
    /// The device gives exact zeros.
    case mute(String, Bool)
    /// The level of an input can be set by programs, or not.
    case volumeControl(String, Bool)
    /// Opening is refused by the user or the system.
    case permissionDenied(Bool)
    /// Another stream has the floor.
    case cork(String, Bool)
    case latency(Duration)
    case startDelay(Duration)
}
