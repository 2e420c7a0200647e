package import AudioCore
import Synchronization

/// A simulated microphone and speaker for tests of programs that record and play.
///
/// Install it before the program makes its recorders, players and sessions; they then use the simulated devices and their
/// clock. Nothing else ever selects it: without `install()` the machine's own devices are used.
///
/// ```swift
/// let audio = SimulatedAudio(.init(time: .stepped))
/// audio.install()
/// defer { audio.uninstall() }
/// recorder.record()
/// audio.advance(by: .seconds(3600))
/// recorder.stop()
/// ```
///
/// All methods may be called on any thread, but `advance(by:)` not on one on which the simulation calls out.
public final class SimulatedAudio: Sendable {
    /// What the microphone hears.
    public enum Input: Sendable, Hashable {
        /// A made-up voice; the same seed gives the same samples.
        case voice(seed: UInt64)
        /// A sine of `frequency` hertz and `amplitude` 0 … 1.
        case sine(frequency: Double, amplitude: Double)
        /// White noise of `amplitude` 0 … 1; the same seed gives the same samples.
        case noise(seed: UInt64, amplitude: Double)
        /// Exact zeros, as from a dead microphone.
        case silence
    }

    /// Who moves the time.
    public enum Time: Sendable {
        /// The machine's clock does.
        case real
        /// It runs as fast as the program takes and gives frames.
        case free
        /// It stands still except in ``SimulatedAudio/advance(by:)``: the same program gives the same result every time.
        case stepped
    }

    /// How the devices are at the start.
    public struct Configuration: Sendable {
        /// What the microphone hears. The default is a voice.
        public var input: Input
        /// Who moves the time. The default is the machine's clock.
        public var time: Time
        /// The lengths of the microphone's deliveries, used in turn, 0.1 ms … 10 s. The default is 10 ms.
        public var bursts: [Duration]

        /// A configuration; what is left out has its default.
        public init(input: Input = .voice(seed: 1), time: Time = .real, bursts: [Duration] = [.milliseconds(10)]) {
            self.input = input
            self.time = time
            self.bursts = bursts
        }
    }

    /// The device layer itself, for the runtime and for our own tests.
    package let host: SimulatedHost
    /// The disk on which recorders write.
    package let disk = SimulatedDisk()
    /// What programs hear of the machine.
    package let conditions = SystemConditions()
    /// What programs ask of the desktop.
    package let desktop = SimulatedDesktop()

    static let microphone = "simulated.microphone"
    static let spare = "simulated.spare"
    static let headphones = "simulated.headphones"
    static let headsetOutput = "simulated.headset.output"
    static let headsetMicrophone = "simulated.headset.microphone"
    private static let speaker = "simulated.speaker"

    /// Who else wants the sound.
    package let arbiter: SimulatedArbiter

    /// A microphone, another one that is not plugged in and would hear the same, a speaker, a monitor that hears the
    /// speaker, and headphones and a headset that are not plugged in. Not installed yet.
    public init(_ configuration: Configuration = Configuration()) {
        var simulated = SimulatedConfiguration()
        simulated.time =
            switch configuration.time {
            case .real: .real
            case .free: .free
            case .stepped: .stepped
            }
        simulated.bursts = configuration.bursts
        let signal: SimulatedSignal =
            switch configuration.input {
            case .voice(let seed): .voice(seed: seed)
            case .sine(let frequency, let amplitude): .sine(frequency: frequency, amplitude: Float(amplitude))
            case .noise(let seed, let amplitude): .noise(seed: seed, amplitude: Float(amplitude))
            case .silence: .silence
            }
        var spare = SimulatedConfiguration.Device.microphone(
            Self.spare,
            name: "Spare simulated microphone",
            port: .usb,
            signal: signal
        )
        spare.isPresent = false
        let accessories: [SimulatedConfiguration.Device] = [
            .speaker(Self.headphones, name: "Simulated headphones", port: .headphones),
            .speaker(Self.headsetOutput, name: "Simulated headset", port: .bluetooth),
            .microphone(Self.headsetMicrophone, name: "Simulated headset", port: .bluetooth, signal: signal),
        ]
        simulated.devices = [
            .microphone(Self.microphone, name: "Simulated microphone", signal: signal),
            spare,
            .speaker(Self.speaker, name: "Simulated speaker"),
            .monitor(of: Self.speaker),
        ]
        simulated.devices += accessories.map { device in
            var device = device
            device.isPresent = false
            return device
        }
        host = SimulatedHost(simulated)
        arbiter = host.arbiter
    }

    /// Has all recorders, players and sessions that are made afterwards in this process use these devices.
    public func install() {
        let disk = self.disk
        RuntimeOverride.current.withLock {
            $0 = RuntimeOverride(
                devices: host,
                clock: host.clock,
                arbiter: arbiter,
                conditions: conditions,
                desktop: desktop,
                onFiles: { disk.store(over: $0) }
            )
        }
    }

    /// Gives the process the machine's own devices back, for what is made afterwards.
    public func uninstall() { RuntimeOverride.current.withLock { $0 = nil } }

    /// The time of the devices since their start; in real time, since the machine's.
    public var now: Duration { .nanoseconds(host.clock.now.nanoseconds) }

    /// Lets time pass, and returns when everything up to then has happened.
    ///
    /// - Parameter duration: 0 or more. In real time the call sleeps that long.
    /// - Returns: false where a recorder or player did not take or give frames for 30 s of the machine's time, so that
    ///   the simulated time could not go on.
    @discardableResult
    public func advance(by duration: Duration) -> Bool { host.clock.advance(by: duration) }

    /// Ends the sound server, or starts it again.
    public func setServerRunning(_ isRunning: Bool) { host.inject(isRunning ? .serverReturn : .serverLoss) }

    /// Grants or refuses access to the devices.
    public func setPermissionGranted(_ isGranted: Bool) { host.inject(.permissionDenied(!isGranted)) }

    /// What one player played.
    public struct PlayedSound: Sendable {
        /// Frames per second.
        public let sampleRate: Double
        /// Channels in a frame.
        public let channelCount: Int
        /// Frames played, silence where the player was late included.
        public let frameCount: Int64
        /// The first minute of it, interleaved.
        public let samples: [Float]
    }

    /// What was played so far, one entry for each opened output, in the order of opening.
    public var playedSounds: [PlayedSound] {
        host.tracks.map { track in
            PlayedSound(
                sampleRate: track.sampleRate,
                channelCount: track.channelCount,
                frameCount: track.frameCount.value,
                samples: track.samples
            )
        }
    }
}
