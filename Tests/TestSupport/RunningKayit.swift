import Foundation

/// The program that was built beside these tests.
package enum Kayit {
    package static let path = SiblingProgram.path("kayit")

    /// The command line that runs it in a folder.
    package static func command(_ arguments: [String], in folder: TemporaryFolder) -> [String] {
        ["env", "-C", folder.url.path, path] + arguments
    }

    /// Devices of software: what is recorded is made up, in real time.
    package static let simulated = ["KAYIT_AUDIO": "simulated", "LC_ALL": "C.UTF-8"]
}

/// `kayit` as scripts run it: no terminal, output into files.
package final class RunningKayit: Sendable {
    package let process: ChildProcess
    private let scratch: TemporaryFolder

    /// - Parameters:
    ///   - folder: where it runs.
    ///   - output: a file in the place of the one that `output` reads.
    package init(
        _ arguments: [String],
        in folder: TemporaryFolder,
        environment: [String: String] = Kayit.simulated,
        output: String? = nil
    ) throws {
        scratch = try TemporaryFolder()
        process = try ChildProcess(
            Kayit.command(arguments, in: folder),
            environment: environment,
            output: output ?? scratch.path("output"),
            errors: scratch.path("errors")
        )
    }

    package func wait() -> Int32 { process.wait(within: 30) }

    package var output: String { (try? String(contentsOfFile: scratch.path("output"), encoding: .utf8)) ?? "" }
    package var errors: String { (try? String(contentsOfFile: scratch.path("errors"), encoding: .utf8)) ?? "" }

    /// The JSON objects of the output; nil where a line is none.
    package var objects: [[String: Any]]? {
        let lines = output.split(separator: "\n")
        let objects = lines.compactMap { try? JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] }
        return objects.count == lines.count ? objects : nil
    }

    /// Waits until the recording has begun.
    package func hasStarted() -> Bool { eventually(within: 10) { errors.contains("Recording to") } }
}
