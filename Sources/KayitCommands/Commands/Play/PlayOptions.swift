/// What `kayit play` was asked for.
package struct PlayOptions: Sendable, Equatable {
    /// How much of what is silent is left out.
    package enum SilenceSkipping: String, CaseIterable, Sendable { case off, gentle, strong }

    package var files: [String]
    package var volume: Double
    package var pan: Double
    package var loops: Int
    /// Seconds.
    package var from: Double
    package var device: String?
    /// The speed; the pitch stays.
    package var rate: Double
    /// All files begin in the same frame.
    package var atOnce: Bool
    /// The list begins again at its end.
    package var repeats: Bool
    package var shuffles: Bool
    /// Of the order; nil for one that nobody knows.
    package var seed: Int?
    package var silence: SilenceSkipping
    /// Goes on where each file was left.
    package var resumes: Bool

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        files = arguments.operands
        volume = try arguments.number(Self.volume, in: 0...1, unit: "") ?? 1
        pan = try arguments.number(Self.pan, in: -1...1, unit: "") ?? 0
        loops = try arguments.integer(Self.loops, in: -1...1_000_000, unit: "") ?? 0
        from = try arguments.number(Self.from, in: 0...1e9, unit: " seconds") ?? 0
        device = arguments[Self.device]
        rate = try arguments.number(Self.rate, in: Self.rates, unit: "") ?? 1
        atOnce = arguments.has(Self.atOnce)
        repeats = arguments.has(Self.repeating)
        shuffles = arguments.has(Self.shuffle)
        seed = try arguments.integer(Self.seed, in: 0...Int.max, unit: "")
        silence = try arguments.choice(Self.skipSilence) ?? .off
        resumes = arguments.has(Self.resume)
        if seed != nil, !shuffles {
            throw UsageError("--seed needs --shuffle: without it the order is that of the line.")
        }
        if atOnce, shuffles { throw UsageError("--at-once and --shuffle exclude each other: there is no order.") }
        if atOnce, silence != .off {
            throw UsageError("--at-once and --skip-silence exclude each other: the files would not stay together.")
        }
        if atOnce, resumes {
            throw UsageError("--at-once and --resume exclude each other: each file has its own place.")
        }
        if resumes, from > 0 { throw UsageError("--resume and --from both say where to begin: one is enough.") }
    }

    /// The speeds that keep speech natural.
    package static let rates = 0.5...2.0

    static let volume = OptionSyntax("volume", "v", value: "0…1", "how loud (1)")
    static let pan = OptionSyntax("pan", "p", value: "-1…1", "left to right (0)")
    static let loops = OptionSyntax("loops", "l", value: "N", "play each N more times; -1 for ever (0)")
    static let from = OptionSyntax("from", "s", value: "SECONDS", "where to begin (0)")
    static let device = OptionSyntax("device", "D", value: "NAME", "the speaker, by its name or a part of it")
    static let rate = OptionSyntax("rate", "r", value: "0.5…2", "how fast; the pitch stays (1)")
    static let atOnce = OptionSyntax("at-once", nil, "play all files together, from the same frame on")
    static let repeating = OptionSyntax("repeat", nil, "begin again at the end of the list")
    static let shuffle = OptionSyntax("shuffle", nil, "in another order each time")
    static let seed = OptionSyntax("seed", nil, value: "N", "of the order: the same number gives the same one")
    static let skipSilence = OptionSyntax("skip-silence", nil, value: "off|gentle|strong", "shorten pauses (off)")
    static let resume = OptionSyntax("resume", nil, "go on where each file was left the last time")

    package static let syntax = CommandSyntax(
        name: "play",
        summary: "play files, one after the other without a hole, or together",
        operands: "FILE…",
        operandCount: 1...Int.max,
        options: [
            volume, pan, loops, from, device, rate, atOnce, repeating, shuffle, seed, skipSilence, resume,
        ],
        notes: [
            """
            Keys: Space pauses and goes on, ← and → go 5 seconds back and forth, ↓ and ↑ 30 seconds,
            n takes the next file, p the one before (or this one again, behind its first 3 seconds),
            - and + play slower and faster, q stops. A file that cannot be played is told and left out.
            """,
            """
            The first frame of a file follows the last one of the file before, to within a frame while
            the speed is 1. --loops plays each file again, --repeat the whole list.
            """,
            """
            --skip-silence gentle shortens pauses of more than two seconds below -50 dB, strong those of
            more than 0.7 seconds below -40 dB; half a second and a quarter of one are left. --resume keeps
            where a file was left in $XDG_STATE_HOME/kayit or else ~/.local/state/kayit, by its place and
            size; what was heard to its end begins anew.
            """,
            """
            Other players are paused while it plays and go on afterwards.
            """,
        ],
        examples: [
            ("kayit play talk.m4a", "play a recording"),
            ("kayit play --from 90 --volume 0.5 talk.m4a", "from 1:30, at half the volume"),
            ("kayit play --loops -1 rain.caf", "for ever"),
            ("kayit play --rate 1.5 --skip-silence gentle --resume lecture.m4a", "a long talk in less time"),
            ("kayit play --at-once voice.wav guitar.wav", "two tracks together"),
            ("kayit play --shuffle --repeat *.flac", "in any order, for ever"),
        ]
    )
}
