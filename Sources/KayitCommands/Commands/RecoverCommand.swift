import Foundation
import RecordingKit

/// `kayit recover`.
@MainActor
package struct RecoverCommand {
    static let dryRun = OptionSyntax("dry-run", "n", "tell what there is, and change nothing")
    static let like = OptionSyntax("like", nil, value: "GOOD", "a whole file of the same recorder and settings")
    static let into = OptionSyntax("into", nil, value: "FOLDER", "where repaired files of other recorders go")
    static let restore = OptionSyntax("restore", nil, "put back what recovery and discarding have put into the trash")

    package static let syntax = CommandSyntax(
        name: "recover",
        summary: "complete recordings that were never finished, and repair files of other recorders",
        operands: "[FILE|FOLDER]…",
        operandCount: 0...Int.max,
        options: [dryRun, like, into, restore],
        notes: [
            """
            Without a file or folder, the folder of recordings is looked at. What is being recorded right now
            is left alone. A recording of kayit is completed under its name, and what it was goes into the
            trash. A file of another recorder stays as it is; the repaired one is new: 'NAME (recovered).m4a'.
            Nothing is deleted and nothing decoded. Whole files stay as they are.
            """,
            """
            A file that has lost its description of the audio (an M4A file that was never ended) needs --like.
            --restore takes the files that were in the folders or under the names given, or all.
            """,
        ],
        examples: [
            ("kayit recover", "completes what a crash has left in the folder of recordings"),
            ("kayit recover --like good.m4a broken.m4a", "finds the audio of a file that no player opens"),
        ]
    )

    private let operands: [String]
    private let isRestoring: Bool
    private var recovery = RecordingRecovery()
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console, environment: [String: String]) throws(UsageError) {
        isRestoring = arguments.has(Self.restore)
        // All recordings that are in the trash, or those of the notes folder.
        let folder = RecordTarget.notesFolder(environment).path
        operands = arguments.operands.isEmpty && !isRestoring ? [folder] : arguments.operands
        recovery.isDryRun = arguments.has(Self.dryRun)
        if let like = arguments[Self.like] { recovery.example = try FileArgument.url(like) }
        if let into = arguments[Self.into] { recovery.repairFolder = try FileArgument.url(into) }
        self.console = console
    }

    package func run() throws(UsageError) -> ExitCode {
        var urls: [URL] = []
        for operand in operands { urls.append(try FileArgument.url(operand)) }
        if isRestoring { return restore(urls) }
        var worst = ExitCode.success
        for url in urls {
            do throws(RecordingError) {
                try recovery.recover(url) { found in
                    report(found)
                    if let code = failure(found), worst == .success { worst = code }
                    return true
                }
            } catch {
                // A folder of recordings that was never made has nothing to be recovered.
                if error.code == .notFound, url.path == operands.first, urls.count == 1 { continue }
                console.fail(error)
                if worst == .success { worst = ExitCode(error, .reading) }
            }
        }
        return worst
    }

    private func failure(_ found: RecoveredRecording) -> ExitCode? {
        if case .failed(let error) = found.outcome { return ExitCode(error, .creating) }
        if case .unreadable = found.state { return .badData }
        return nil
    }

    private func report(_ found: RecoveredRecording) {
        console.record(RecoveryLine(found))
        guard let text = RecoveryText.line(found, isDryRun: recovery.isDryRun) else { return }
        if case .failed = found.outcome { console.remark(text) } else { console.result(text) }
    }

    // MARK: The trash

    private func restore(_ urls: [URL]) -> ExitCode {
        let all = TrashedRecording.all(near: urls.isEmpty ? [RecordTarget.notesFolder([:])] : urls)
        let wanted = all.filter { item in
            urls.isEmpty
                || urls.contains { url in
                    item.original.path == url.path || item.original.path.hasPrefix(url.path + "/")
                }
        }
        var worst = ExitCode.success
        for item in wanted {
            if recovery.isDryRun {
                console.record(RestoreLine(item, restored: nil))
                console.result("\(item.original.path.printable): in the trash since \(item.date)")
                continue
            }
            do throws(RecordingError) {
                let url = try item.restore()
                console.record(RestoreLine(item, restored: url))
                console.result("\(url.path.printable): back from the trash")
            } catch {
                console.fail(error)
                worst = ExitCode(error, .creating)
            }
        }
        if wanted.isEmpty { console.result("There is nothing in the trash that was put there by kayit.") }
        return worst
    }
}

/// What people read about a file that recovery has looked at.
enum RecoveryText {
    /// Nil where there is nothing to say.
    static func line(_ found: RecoveredRecording, isDryRun: Bool) -> String? {
        let name = found.url.path.printable
        let length = found.duration.map { ", " + TimeText.clock($0) } ?? ""
        let target = found.recording.path.printable
        let lost = found.skippedBytes > 0 ? "; \(found.skippedBytes) bytes of it could not be read" : ""
        switch found.outcome {
        case .completed:
            return found.recording == found.url ? "\(name): completed\(length)" : "\(name): is now '\(target)'\(length)"
        case .repaired: return "\(name): repaired as '\(target)'\(length)\(lost)"
        case .made: return "\(name): made\(length)"
        case .repairedBefore: return "\(name): was repaired before, as '\(target)'\(length)"
        case .trashed: return "\(name): had no sound, and is in the trash"
        case .failed(let error): return "\(name): \(error.message)"
        case .untouched: return untouched(found, name, length, isDryRun)
        }
    }

    private static func untouched(_ found: RecoveredRecording, _ name: String, _ length: String, _ isDryRun: Bool)
        -> String?
    {
        switch found.state {
        case .complete: "\(name): fine\(length)"
        case .live: "\(name): is being recorded right now"
        case .empty: "\(name): has no sound"
        case .unreadable(let reason): "\(name): \(reason)"
        case .unfinished(let reason): "\(name): can be completed\(length) (\(reason))"
        case .unnamed: "\(name): can be kept under a name\(length)"
        case .foreignUnfinished(let reason), .damaged(let reason): "\(name): can be repaired\(length) (\(reason))"
        case .job: "\(name): a join or conversion that was not ended"
        case .leftover: "\(name): half of a file, made out of others that are there"
        }
    }
}

/// What `recover --json` prints for each file.
struct RecoveryLine: Encodable {
    var event = "recovery"
    var path: String
    var state: String
    var reason: String?
    var outcome: String
    var recording: String
    var frames: Int64?
    var seconds: Double?
    var skippedBytes: Int64?
    var trash: String?
    var error: String?

    init(_ found: RecoveredRecording) {
        path = found.url.path
        recording = found.recording.path
        frames = found.frames
        seconds = found.duration
        skippedBytes = found.skippedBytes > 0 ? found.skippedBytes : nil
        trash = found.trashed?.url.path
        switch found.state {
        case .complete: state = "complete"
        case .live: state = "live"
        case .unfinished(let why): (state, reason) = ("unfinished", why)
        case .unnamed: state = "unnamed"
        case .foreignUnfinished(let why): (state, reason) = ("foreignUnfinished", why)
        case .damaged(let why): (state, reason) = ("damaged", why)
        case .job: state = "job"
        case .leftover: state = "leftover"
        case .empty: state = "empty"
        case .unreadable(let why): (state, reason) = ("unreadable", why)
        }
        switch found.outcome {
        case .untouched: outcome = "untouched"
        case .completed: outcome = "completed"
        case .made: outcome = "made"
        case .repaired: outcome = "repaired"
        case .repairedBefore: outcome = "repairedBefore"
        case .trashed: outcome = "trashed"
        case .failed(let failure): (outcome, error) = ("failed", failure.message)
        }
    }
}

/// What `recover --restore --json` prints for each file.
private struct RestoreLine: Encodable {
    var event = "trash"
    var original: String
    var date: String
    var restored: String?

    init(_ item: TrashedRecording, restored: URL?) {
        original = item.original.path
        date = item.date
        self.restored = restored?.path
    }
}
