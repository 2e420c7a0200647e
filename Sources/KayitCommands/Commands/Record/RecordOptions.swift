package import RecordingKit

/// What `kayit record` was asked for, with every default filled in.
package struct RecordOptions: Sendable, Equatable {
    package enum Format: String, CaseIterable, Sendable {
        case aac, alac, ima4, pcm, flac, opus

        /// The file ending where none was asked for.
        var naturalExtension: String {
            switch self {
            case .aac, .alac: "m4a"
            case .ima4: "caf"
            case .pcm: "wav"
            case .flac: "flac"
            case .opus: "opus"
            }
        }
    }

    package enum Quality: String, CaseIterable, Sendable { case min, low, medium, high, max }

    /// The file as it was named; nil for a dated name in the notes folder.
    package var file: String?
    /// Without the dot, in lower case.
    package var fileExtension: String
    package var format: Format
    /// Frames per second.
    package var rate: Double
    package var channels: Int
    /// Bits per second; nil leaves it to the encoder.
    package var bitRate: Int?
    package var quality: Quality?
    /// Nil leaves 16 bits.
    package var bitDepth: Int?
    /// Seconds.
    package var duration: Double?
    package var device: String?
    /// Goes on where it can: who records wants the recording.
    package var microphoneLoss: RecordingOptions.MicrophoneLoss
    package var channelSelection: RecordingOptions.ChannelSelection
    package var replaces: Bool
    /// Seconds of a part; nil for one file from the start.
    package var split: Double?
    package var keepsParts: Bool
    /// Where it goes on when the disk takes no more; nil for the usual places.
    package var rescue: String?
    /// Writes seldom.
    package var isLongLife: Bool
    /// When it stops by itself, by the clock.
    package var deadline: RecordingOptions.Deadline?
    /// Shows on the desktop that it records.
    package var notifies: Bool
    /// Others play on while it records.
    package var mixes: Bool

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        file = arguments.operands.first
        let asked: Format? = try arguments.choice(Self.format)
        if let file {
            fileExtension = try Self.knownExtension(of: file, for: asked)
        } else {
            fileExtension = (asked ?? .aac).naturalExtension
        }
        format = asked ?? Self.naturalFormat(of: fileExtension)
        rate = try arguments.number(Self.rate, in: 1...1_000_000, unit: " Hz") ?? (format == .opus ? 48_000 : 44_100)
        channels = try arguments.integer(Self.channels, in: 1...2, unit: "") ?? 1
        quality = try arguments.choice(Self.quality)
        bitRate = try arguments.integer(Self.bitRate, in: 1...10_000_000, unit: " bit/s")
        bitDepth = try arguments.integer(Self.bitDepth, in: 1...64, unit: " bits")
        duration = try arguments.number(Self.duration, in: 0.001...31_536_000, unit: " seconds")
        device = arguments[Self.device]
        let loss: MicrophoneLossChoice? = try arguments.choice(Self.onLoss)
        microphoneLoss = loss?.value ?? .fallBack
        let selection: ChannelChoice? = try arguments.choice(Self.channel)
        channelSelection = selection?.value ?? .automatic
        replaces = arguments.has(Self.force)
        split = try arguments.duration(Self.split, in: 1...86_400)
        keepsParts = arguments.has(Self.keepParts)
        rescue = arguments[Self.rescue]
        isLongLife = arguments.has(Self.longLife)
        notifies = arguments.has(Self.notify)
        mixes = arguments.has(Self.mix)
        deadline = try Self.deadline(arguments)
        if keepsParts, split == nil { throw UsageError("--keep-parts needs --split: there are no parts otherwise.") }
        // 96 kbit/s a channel is made for the full band; lower rates and a chosen quality have their own.
        if format == .aac, bitRate == nil, quality == nil, rate >= 32_000 { bitRate = 96_000 * channels }
    }

    private static func knownExtension(of file: String, for format: Format?) throws(UsageError) -> String {
        let name = file.split(separator: "/").last ?? ""
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        let ending = parts.count > 1 ? parts[parts.count - 1].lowercased() : ""
        if extensions.contains(ending) { return ending }
        let stem = parts.dropLast(parts.count > 1 ? 1 : 0).joined(separator: ".")
        let better = "\(stem.isEmpty ? "note" : stem).\((format ?? .aac).naturalExtension)"
        throw UsageError(
            "The ending of '\(file)' says no kind of file that is recorded to: it is one of"
                + " \(extensions.map { "." + $0 }.joined(separator: " ")), as in '\(better)'."
        )
    }

    /// The endings of the files that are recorded to.
    package static let extensions = ["m4a", "caf", "wav", "aif", "aiff", "aifc", "flac", "opus"]

    private static func naturalFormat(of fileExtension: String) -> Format {
        switch fileExtension {
        case "wav", "aif", "aiff", "aifc": .pcm
        case "flac": .flac
        case "opus": .opus
        default: .aac
        }
    }

    static let format = OptionSyntax("format", "f", value: "aac|alac|ima4|pcm|flac|opus", "the codec")
    static let rate = OptionSyntax("rate", "r", value: "HZ", "frames per second (44100; for Opus 48000)")
    static let channels = OptionSyntax("channels", "c", value: "1|2", "mono or stereo (1)")
    static let bitRate = OptionSyntax("bitrate", "b", value: "BPS", "bits per second (AAC: 96000 a channel)")
    static let quality = OptionSyntax("quality", "q", value: "min|low|medium|high|max", "the encoder's care")
    static let bitDepth = OptionSyntax("bit-depth", nil, value: "N", "bits of a sample: pcm, alac, flac (16)")
    static let duration = OptionSyntax("duration", "d", value: "SECONDS", "stop by itself after this much sound")
    static let device = OptionSyntax("device", "D", value: "NAME", "the microphone, by its name or a part of it")
    static let onLoss = OptionSyntax(
        "on-loss",
        nil,
        value: "stop|wait|fall-back",
        "when the microphone goes away (fall-back)"
    )
    static let channel = OptionSyntax(
        "channel",
        nil,
        value: "auto|left|right|mix",
        "what of a stereo microphone (auto)"
    )
    static let force = OptionSyntax("force", nil, "replace a file that exists")
    static let split = OptionSyntax("split", nil, value: "TIME", "keep it in parts of 5m, 30s, 1h …, joined at the end")
    static let rescue = OptionSyntax("rescue", nil, value: "FOLDER", "where to go on when the disk is full, or none")
    static let longLife = OptionSyntax("long-life", nil, "write seldom, for memory cards: every second")
    static let until = OptionSyntax("until", nil, value: "HH:MM", "stop by itself at this time of day")
    static let lasting = OptionSyntax("for", nil, value: "TIME", "stop by itself after 2h, 45m …, pauses included")
    static let notify = OptionSyntax("notify", nil, "show on the desktop that it records")
    static let mix = OptionSyntax("mix", nil, "let other programs play on")
    static let keepParts = OptionSyntax("keep-parts", nil, "keep the parts that --split makes")

    package static let syntax = CommandSyntax(
        name: "record",
        summary: "record from a microphone until it is stopped",
        operands: "[FILE]",
        operandCount: 0...1,
        options: [
            format, rate, channels, bitRate, quality, bitDepth, duration, device, onLoss, channel, force, split,
            keepParts, rescue, longLife, until, lasting, notify, mix,
        ],
        notes: [
            """
            The ending of FILE chooses the container: .m4a .caf .wav .aif .aiff .aifc .flac .opus.
            Without FILE, the name is the date and time, in $KAYIT_NOTES or else ~/Recordings, and
            the default is AAC, 44.1 kHz, mono, 96 kbit/s in M4A. A file that exists is never
            replaced without --force.
            """,
            """
            Keys: Space pauses and goes on, m sets a numbered marker, q or Ctrl-C stops and completes
            the file. SIGTERM, SIGHUP and SIGQUIT complete it, too. What was recorded can be played at
            every moment, even if the program is killed.
            """,
            """
            --duration counts the sound; --until and --for go by the clock, also while it is paused or
            the machine sleeps: then it ends as soon as the machine is awake. --notify shows the time,
            the battery and the room on the disk as a notification of the desktop.
            """,
            """
            Other players are paused while it records and go on afterwards, so that they are not in the
            recording; one that its user had paused stays paused. With --mix they play on. Another program
            that takes the sound (a call, a recorder) pauses the recording: it goes on in the same file
            when that one says so, and else when Space is pressed; a script's goes on by itself. With --mix,
            only a call pauses it.
            """,
            """
            With --split, a long recording lies in FILE.parts while it runs, each part a file by itself.
            At the end they become FILE, to the frame and without decoding, and go away. Where that was
            cut short, 'kayit join FILE.parts' goes on with it.
            """,
            """
            A microphone that goes away, or a sound server that ends, does not end the recording: it
            goes on with the same microphone or another one as soon as there is one, and what is
            missing becomes silence of the same length. --on-loss wait takes no other microphone, stop
            completes the file. --channel auto records mono from the channels of a stereo microphone
            that give a sound; left, right and mix choose.
            """,
            """
            A disk that is full or fails does not end the recording where there is another: it goes on
            in a second file in the --rescue folder, or else in $KAYIT_NOTES, ~/Recordings,
            $XDG_RUNTIME_DIR or /tmp, which joins to the first exactly. The end then has the status of a
            failed disk, and names both.
            """,
        ],
        examples: [
            ("kayit record", "AAC into a dated file, until q"),
            ("kayit record talk.flac --channels 2", "lossless stereo"),
            ("kayit record --split 5m lecture.m4a", "hours, in parts of five minutes, joined at the end"),
            ("kayit record --format ima4 --duration 60", "a minute in a dated CAF file"),
            ("kayit record --device usb -- -odd-name.wav", "from the USB microphone; a name with a hyphen"),
            ("kayit record --json --duration 5 a.m4a", "for scripts: one JSON object a line"),
        ]
    )
}

/// The words of `--on-loss`.
private enum MicrophoneLossChoice: String, CaseIterable, Sendable {
    case stop, wait
    case fallBack = "fall-back"

    var value: RecordingOptions.MicrophoneLoss {
        switch self {
        case .stop: .stop
        case .wait: .wait
        case .fallBack: .fallBack
        }
    }
}

/// The words of `--channel`.
private enum ChannelChoice: String, CaseIterable, Sendable {
    case automatic = "auto"
    case left, right, mix

    var value: RecordingOptions.ChannelSelection {
        switch self {
        case .automatic: .automatic
        case .left: .left
        case .right: .right
        case .mix: .mix
        }
    }
}
