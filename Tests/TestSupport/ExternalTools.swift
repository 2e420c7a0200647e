package import Foundation

/// A folder that is gone when the test is.
package final class TemporaryFolder: Sendable {
    package let url: URL

    /// - Parameter parent: where it is made.
    package init(in parent: URL = FileManager.default.temporaryDirectory) throws {
        url = parent.appendingPathComponent("kayit-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: url) }

    package func path(_ name: String) -> String { file(name).path }

    package func file(_ name: String) -> URL { url.appendingPathComponent(name) }

    /// What lies in the folder, in order.
    package var names: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: url.path)) ?? []).sorted() }

    package func write(_ bytes: [UInt8], to name: String) throws -> String {
        try Data(bytes).write(to: url.appendingPathComponent(name))
        return path(name)
    }

    package func read(_ name: String) throws -> [UInt8] {
        [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
    }
}

/// Other people's programs, as a second opinion.
package enum ExternalTool {
    package struct Result {
        package var status: Int32
        package var output: [UInt8]
        /// What it wrote to standard error.
        package var messages: String
        package var text: String { String(decoding: output, as: UTF8.self) }
    }

    package struct NotInstalled: Error { package var name: String }

    /// False where one of the programs is missing: the condition of tests that need them.
    package static func areInstalled(_ names: String...) -> Bool { names.allSatisfy { program($0) != nil } }

    private static func program(_ name: String) -> String? {
        let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":")
        return folders.map { "\($0)/\(name)" }.first(where: FileManager.default.isExecutableFile)
    }

    /// Runs a program out of the search path to its end, for a minute at most, and gives what it wrote.
    ///
    /// - Parameter environment: replaces variables of this process.
    /// - Throws: `NotInstalled`.
    @discardableResult
    package static func run(
        _ name: String,
        _ arguments: [String],
        environment: [String: String] = [:]
    ) throws -> Result {
        guard let program = program(name) else { throw NotInstalled(name: name) }
        // Files: two pipes could fill up against each other.
        let scratch = try TemporaryFolder()
        let process = try ChildProcess(
            ["timeout", "60", program] + arguments,
            environment: environment,
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
        let status = process.wait()
        return Result(
            status: status,
            output: try scratch.read("output"),
            messages: String(decoding: try scratch.read("errors"), as: UTF8.self)
        )
    }
}
