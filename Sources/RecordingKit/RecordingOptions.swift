public import AVFAudio
import AudioCore
import AudioRuntime
import Foundation

/// What a recording is asked for beyond what `AVAudioRecorder`'s settings can say.
public struct RecordingOptions: Sendable, Hashable {
    /// What a recorder does when its microphone goes away while it records.
    public enum MicrophoneLoss: String, Sendable, Hashable, CaseIterable {
        /// Ends the recording, with everything heard, and says so.
        case stop
        /// Waits for the same microphone and goes on in the same file, with a gap of the true length.
        case wait
        /// Goes on in the same file with another microphone where the same one is not there. A monitor of an output is
        /// never taken.
        case fallBack
    }

    /// How soon what was heard is safe.
    public enum Durability: String, Sendable, Hashable, CaseIterable {
        /// Safe from the death of the program after 40 ms, and from a power cut after 250 ms.
        case standard
        /// Writes seldom, for memory cards: safe from the death of the program after a second, and from a power cut after
        /// ten.
        case longLife
    }

    /// Which of the microphone's channels are recorded. A channel is dead when it has given nothing above −80 dBFS for three
    /// seconds; one that gave nothing at all is left out from the first frame on.
    public enum ChannelSelection: String, Sendable, Hashable, CaseIterable {
        /// A mono recording is the mean of the microphone's channels that are alive, so that a dead one halves nothing;
        /// other recordings keep the channels as they are.
        case automatic
        /// The first channel alone, in every channel of the recording.
        case left
        /// The second channel alone, in every channel of the recording.
        case right
        /// The mean of the channels that are alive, in every channel of the recording.
        case mix
    }

    /// When a recording ends by itself, by the clock and not by its sound: pauses, interruptions and the sleep of the machine
    /// count.
    public enum Deadline: Sendable, Hashable {
        /// So long after `record()` has started it; below 0 counts as 0.
        case after(Duration)
        /// At this moment; one that has passed means at once. What the machine's time of day is set to meanwhile does not
        /// count.
        case at(Date)
    }

    /// What happens when the microphone goes away; `stop` by default. May change while recording, for the next loss.
    public var microphoneLoss = MicrophoneLoss.stop
    /// Which of the microphone's channels are recorded; `automatic` by default. Counts from the next recording on.
    public var channelSelection = ChannelSelection.automatic
    /// How soon what was heard is safe; `standard` by default. Counts from the next recording on.
    public var durability = Durability.standard
    /// What the recording is called, in its file; nil (the default) for nothing. At most 500 bytes of UTF-8 are kept. Counts
    /// from the next recording on.
    public var title: String?
    /// The length of the parts that a long recording is kept in, 1 second or more; nil, the default, for one file from the
    /// start. Counts from the next recording on.
    ///
    /// Parts lie in a folder beside the recorder's URL ("Interview.m4a.parts"), each a sound file by itself, and become one
    /// file there after `stop()`, to the frame: see `AVAudioRecorder.joinedRecording()` and ``PartedRecording``. A
    /// file that was there before the recording is replaced when the joined one takes its name. What is shorter than a part
    /// has its name when `stop()` returns, as any recording.
    public var partLength: Duration?
    /// Whether the time of an interruption (a call, another program) is silence in the file; false by default, as with Apple's
    /// recorder: the file then has none of it, and a gap of no length marks the place. Counts from the next interruption on.
    public var fillsInterruptions = false
    /// Whether the parts stay once they are joined; false by default. Counts from the next recording on.
    public var keepsParts = false

    /// Folders, best on other disks, in which a recording goes on in a file of its own ("Interview (continued).m4a") when the
    /// disk takes no more of the file so far, tried in order; none by default. Counts from the next recording on.
    ///
    /// What had not reached the disk is written there first, so that nothing is lost: the files join exactly, see
    /// ``JoinedRecording``. ``RecordingEvent/continued(in:because:)`` tells of it at once. Since the recording is then not
    /// where it was asked for, its end is reported with an error that names the files.
    public var rescueFolders: [URL] = []

    /// When the recording is stopped and completed by itself; nil, the default, for never. Counts at once, also while it
    /// records or is paused.
    ///
    /// The delegate is told as after `stop()`, ``RecordingEvent/deadlineReached`` before. While it records, the file ends to the
    /// frame at that moment; a paused one, or a machine that slept through it, ends within a second of it or of waking.
    public var deadline: Deadline?

    /// What a part has at least.
    static let leastPartLength = Duration.seconds(1)

    /// The defaults: what `AVAudioRecorder` does by itself.
    public init() {}

    init(_ options: TakeOptions) {
        microphoneLoss = MicrophoneLoss(rawValue: options.microphoneLossPolicy.rawValue) ?? .stop
        channelSelection = options.channelSelection.flatMap { ChannelSelection(rawValue: $0.rawValue) } ?? .automatic
        durability = options.durability == .longLife ? .longLife : .standard
        title = options.title
        partLength = options.partLength
        keepsParts = options.keepsParts
        fillsInterruptions = options.fillsInterruptions
        deadline = options.deadline.map(Deadline.init)
        rescueFolders = options.rescueFolders.map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// What it says laid over `options`.
    func laid(over options: TakeOptions) -> TakeOptions {
        var options = options
        options.microphoneLossPolicy = MicrophoneLossPolicy(rawValue: microphoneLoss.rawValue) ?? .stop
        options.channelSelection = AudioCore.ChannelSelection(rawValue: channelSelection.rawValue)
        options.durability = durability == .longLife ? .longLife : .standard
        options.title = title
        options.partLength = partLength.map { max($0, Self.leastPartLength) }
        options.keepsParts = keepsParts
        options.fillsInterruptions = fillsInterruptions
        options.deadline = deadline?.value
        options.rescueFolders = rescueFolders.filter(\.isFileURL).map(\.path)
        return options
    }
}

extension RecordingOptions.Deadline {
    init(_ deadline: TakeOptions.Deadline) {
        self =
            switch deadline {
            case .after(let duration): .after(duration)
            case .at(let seconds): .at(Date(timeIntervalSince1970: seconds))
            }
    }

    var value: TakeOptions.Deadline {
        switch self {
        case .after(let duration): .after(duration)
        case .at(let date): .at(date.timeIntervalSince1970)
        }
    }
}

extension AVAudioRecorder {
    /// What recordings of this recorder are asked for beyond its settings. Any thread.
    public var options: RecordingOptions {
        get { RecordingOptions(engine?.options ?? TakeOptions()) }
        set {
            guard let engine else { return }
            engine.options = newValue.laid(over: engine.options)
        }
    }

    /// Seconds of sound that the disk of the open recording still has room for, as it was known a second ago; nil when
    /// stopped, and where the disk does not say. A quota or a largest size of files is not part of it. Any thread, without
    /// waiting.
    public var secondsLeft: Double? { engine?.secondsLeft }
}
