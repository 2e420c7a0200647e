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
        let urls = try FileArgument.urls(operands)
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
