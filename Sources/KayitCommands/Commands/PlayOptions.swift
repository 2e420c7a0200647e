/// What `kayit play` was asked for.
package struct PlayOptions: Sendable, Equatable {
    package var files: [String]
    package var volume: Double
    package var pan: Double
    package var loops: Int
    /// Seconds.
    package var from: Double
    package var device: String?

    package init(_ arguments: ParsedArguments) throws(UsageError) {
        files = arguments.operands
        volume = try arguments.number(Self.volume, in: 0...1, unit: "") ?? 1
        pan = try arguments.number(Self.pan, in: -1...1, unit: "") ?? 0
        loops = try arguments.integer(Self.loops, in: -1...1_000_000, unit: "") ?? 0
        from = try arguments.number(Self.from, in: 0...1e9, unit: " seconds") ?? 0
        device = arguments[Self.device]
    }

    static let volume = OptionSyntax("volume", "v", value: "0…1", "how loud (1)")
    static let pan = OptionSyntax("pan", "p", value: "-1…1", "left to right (0)")
    static let loops = OptionSyntax("loops", "l", value: "N", "play N more times; -1 for ever (0)")
    static let from = OptionSyntax("from", "s", value: "SECONDS", "where to begin (0)")
    static let device = OptionSyntax("device", "D", value: "NAME", "the speaker, by its name or a part of it")

    package static let syntax = CommandSyntax(
        name: "play",
        summary: "play files, one after the other",
        operands: "FILE…",
        operandCount: 1...Int.max,
        options: [volume, pan, loops, from, device],
        notes: [
            """
            Keys: Space pauses and goes on, ← and → go 5 seconds back and forth, ↓ and ↑ 30 seconds,
            q stops. A file that cannot be played is told and left out.
            """
        ],
        examples: [
            ("kayit play talk.m4a", "play a recording"),
            ("kayit play --from 90 --volume 0.5 talk.m4a", "from 1:30, at half the volume"),
            ("kayit play --loops -1 rain.caf", "for ever"),
        ]
    )
}
