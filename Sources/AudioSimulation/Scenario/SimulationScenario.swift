/// What happens around a program that records, moment by moment, and what must come of it.
///
/// A value, made by Swift code or read from a text with one line for each thing that happens:
///
/// ```
/// record aac 44100 mono
/// run 15m
/// 12s call for 30s, resume
/// 2m assistant for 5s
/// 3m headphones in
/// expect gaps 0
/// ```
///
/// ```swift
/// var scenario = SimulationScenario(length: .seconds(900))
/// scenario.recording = .init(.aac, sampleRate: 44_100)
/// scenario.at(.seconds(12), .interruption(.call, lasting: .seconds(30), shouldResume: true))
/// ```
///
/// The simulation's clock stands at zero at the start, and each thing happens at its moment exactly.
public struct SimulationScenario: Sendable, Hashable {
    /// How long it lasts, above zero and up to ``longest``.
    public var length: Duration
    /// What the microphone hears; a voice by default.
    public var input = SimulatedAudio.Input.voice(seed: 1)
    /// What is recorded; 16 kHz mono, 16-bit PCM by default.
    public var recording = Recording()
    /// What the program does after an interruption; ``Client/resumes`` by default.
    public var client = Client.resumes
    /// What the program wants done when its microphone goes away; ``MicrophoneLoss/waits`` by default.
    public var microphoneLoss = MicrophoneLoss.waits
    /// What happens, in the order of time; what happens at the same time, in the order of the list.
    public private(set) var steps: [Step] = []
    /// What must hold in the end.
    public var expectations: [Expectation] = []

    /// A thousand hours.
    public static let longest = Duration.seconds(3_600_000)

    /// A scenario in which nothing happens yet.
    /// - Parameter length: clamped to 1 ns … ``longest``.
    public init(length: Duration) { self.length = min(max(length, .nanoseconds(1)), Self.longest) }

    /// One thing that happens.
    public struct Step: Sendable, Hashable {
        /// When, from the start on.
        public var time: Duration
        /// What.
        public var event: Event

        /// Something at a time from the start on.
        public init(time: Duration, event: Event) {
            self.time = time
            self.event = event
        }
    }

    /// Has something happen, behind everything else that happens at that time.
    /// - Parameters:
    ///   - time: 0 or more; what would happen behind the end does not happen.
    ///   - event: what happens.
    public mutating func at(_ time: Duration, _ event: Event) {
        let time = min(max(time, .zero), Self.longest)
        let index = steps.lastIndex { $0.time <= time }.map { $0 + 1 } ?? 0
        steps.insert(Step(time: time, event: event), at: index)
    }

    /// Takes something out.
    /// - Parameter index: of ``steps``; one that does not exist changes nothing.
    public mutating func remove(at index: Int) { if steps.indices.contains(index) { steps.remove(at: index) } }

    /// Puts something in the place of something else, at the same time.
    mutating func replace(at index: Int, _ event: Event) { steps[index].event = event }

    /// What the program records.
    public struct Recording: Sendable, Hashable {
        /// How it is encoded; each in its usual kind of file.
        public enum Codec: String, Sendable, Hashable, CaseIterable {
            /// AAC in an M4A file.
            case aac
            /// Apple Lossless in an M4A file.
            case alac
            /// IMA4 in a CAF file.
            case ima4
            /// 16-bit integers in a WAV file.
            case pcm
            /// FLAC.
            case flac
            /// Opus in an Ogg file; at 48 000 Hz.
            case opus
        }

        /// How it is encoded.
        public var codec: Codec
        /// Frames per second, 8000 … 192 000.
        public var sampleRate: Int
        /// 1 or 2.
        public var channelCount: Int

        /// What is left out has its default; values out of their range are clamped.
        public init(_ codec: Codec = .pcm, sampleRate: Int = 16_000, channelCount: Int = 1) {
            self.codec = codec
            self.sampleRate = min(max(sampleRate, 8000), 192_000)
            self.channelCount = min(max(channelCount, 1), 2)
        }
    }

    /// What the program does after an interruption.
    public enum Client: String, Sendable, Hashable, CaseIterable {
        /// It goes on where the notification says that it should, and otherwise waits for a person to press record: the
        /// pattern that Apple documents.
        case resumes
        /// It always waits for a person.
        case waits
    }

    /// What the program wants done when its microphone goes away.
    public enum MicrophoneLoss: String, Sendable, Hashable, CaseIterable {
        /// The recording ends.
        case stops
        /// It waits for the same microphone.
        case waits
        /// It goes on with another one.
        case changes
    }
}
