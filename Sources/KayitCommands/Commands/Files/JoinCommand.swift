import Foundation
import RecordingKit

/// `kayit join`.
@MainActor
package struct JoinCommand {
    static let force = MadeFile.force("f")
    static let noSync = OptionSyntax(
        "no-sync",
        nil,
        "end once OUT is verified, before the disk has it; the parts are kept"
    )
    static let removeParts = OptionSyntax("remove-parts", nil, "remove the parts once OUT is verified and on the disk")

    package static let syntax = CommandSyntax(
        name: "join",
        summary: "make one file of the parts of a recording, exactly and without decoding",
        operands: "OUT IN… | FILE.parts",
        operandCount: 1...Int.max,
        options: [force, removeParts, keepParts, noSync],
        notes: [
            """
            Not one frame more or less. PCM and FLAC files of any lengths can be joined; of AAC, Opus, ALAC
            and IMA4 the parts of one recording. What cannot be joined exactly is refused with the reason.
            The ending of OUT chooses the container. The parts are kept.
            """,
            """
            The folder that 'kayit record --split' left becomes the file that it was meant to be, or goes
            on where joining was cut short; its parts go away once that file is safe, unless they were to
            be kept.
            """,
        ],
        examples: [
            ("kayit join day.flac morning.flac evening.flac", "one file of two"),
            ("kayit join lecture.m4a.parts", "what a recording in parts was meant to become"),
            ("kayit join --remove-parts talk.wav talk-*.wav", "one file in the place of its parts"),
        ]
    )

    static let keepParts = OptionSyntax("keep-parts", nil, "keep the parts of FILE.parts")

    private let target: String
    private let parts: [String]
    private let replacing: Bool
    private let removingParts: Bool
    private let waitingForDisk: Bool
    private let keepingParts: Bool
    /// True where the one operand is a folder of parts.
    private let isFolder: Bool
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        target = arguments.operands[0]
        parts = Array(arguments.operands.dropFirst())
        replacing = arguments.has(Self.force)
        removingParts = arguments.has(Self.removeParts)
        waitingForDisk = !arguments.has(Self.noSync)
        if !waitingForDisk, replacing || removingParts {
            throw UsageError("--no-sync excludes --force and --remove-parts: they wait until the disk has OUT.")
        }
        keepingParts = arguments.has(Self.keepParts)
        let url = try FileArgument.url(target)
        isFolder = parts.isEmpty && FileArgument.isFolder(url)
        if parts.isEmpty, !isFolder { throw UsageError("join needs OUT IN…, or a folder of parts.") }
        if replacing, removingParts { throw UsageError("--force and --remove-parts exclude each other.") }
        if keepingParts, removingParts { throw UsageError("--keep-parts and --remove-parts exclude each other.") }
        if isFolder, replacing || !waitingForDisk {
            throw UsageError("--force and --no-sync are for OUT IN…, not for a folder of parts.")
        }
        self.console = console
    }

    package func run() throws(UsageError) -> ExitCode {
        let url = try FileArgument.url(target)
        if isFolder { return joinFolder(url) }
        let urls = try FileArgument.urls(parts)
        do throws(RecordingError) {
            let joined = try JoinedRecording(
                joining: urls,
                into: url,
                replacing: replacing,
                removingParts: removingParts,
                waitingForDisk: waitingForDisk
            )
            return MadeFile(joined, path: target).tell(console)
        } catch {
            return MadeFile.fail(error, error.path == url.path ? .creating : .reading, console)
        }
    }
}

extension JoinCommand {
    private func joinFolder(_ url: URL) -> ExitCode {
        do throws(RecordingError) {
            let recording = try PartedRecording(contentsOf: url)
            let keeping = keepingParts ? true : removingParts ? false : nil
            let joined = try recording.join(keepingParts: keeping) { parts, count in
                console.progress(["Joining part \(parts + 1) of \(count)"])
            }
            return MadeFile(joined, path: joined.url.path).tell(console)
        } catch {
            console.fail(error)
            return ExitCode(error, .reading)
        }
    }
}
