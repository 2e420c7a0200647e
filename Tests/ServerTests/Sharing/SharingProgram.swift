import Foundation
import Glibc
import TestSupport

/// A program of its own that shares the sound (`SessionPeer`), from the side of the test.
final class SharingProgram {
    private let process: ChildProcess
    private let scratch: TemporaryFolder
    private let orders: Int32
    /// Lines that earlier orders have waited for.
    private var seen = 0

    init(_ environment: [String: String]) throws {
        scratch = try TemporaryFolder()
        let pipe = scratch.path("orders")
        guard mkfifo(pipe, 0o600) == 0 else { throw SetupFailure("No pipe can be made.") }
        // For reading too: opening it must not wait for the program.
        orders = open(pipe, O_RDWR | O_CLOEXEC)
        guard orders >= 0 else { throw SetupFailure("The pipe cannot be opened.") }
        process = try ChildProcess(
            ["timeout", "600", SiblingProgram.path("SessionPeer")],
            environment: environment,
            input: pipe,
            output: scratch.path("output"),
            errors: scratch.path("errors")
        )
    }

    deinit {
        process.kill()
        close(orders)
    }

    /// All that it said.
    var lines: [String] {
        let text = (try? String(contentsOfFile: scratch.path("output"), encoding: .utf8)) ?? ""
        return text.split(separator: "\n").map(String.init)
    }

    var errors: String { (try? String(contentsOfFile: scratch.path("errors"), encoding: .utf8)) ?? "" }

    /// What its session told of interruptions, in order: the first words.
    var interruptions: [String] { lines.filter { $0.hasPrefix("began") || $0.hasPrefix("ended") } }

    func tell(_ order: String) {
        let line = Array((order + "\n").utf8)
        _ = write(orders, line, line.count)
    }

    /// Gives an order and waits until it is done.
    /// - Returns: "ok …" or "failed …"; nil where no answer comes.
    @discardableResult
    func order(_ order: String) -> String? {
        tell(order)
        return answer(to: String(order.prefix { $0 != " " }))
    }

    private func answer(to word: String) -> String? {
        var found: String?
        let isThere = eventually(within: 30) {
            let lines = lines
            let rest = lines.indices.dropFirst(seen)
            guard
                let index = rest.first(where: {
                    lines[$0].hasPrefix("ok \(word)") || lines[$0].hasPrefix("failed \(word)")
                })
            else { return false }
            seen = index + 1
            found = lines[index]
            return true
        }
        return isThere ? found : nil
    }

    /// Waits until it has said a line for the given time.
    func says(_ line: String, times: Int = 1) -> Bool {
        eventually(within: 30) { lines.filter { $0 == line }.count >= times }
    }

    func signal(_ number: Int32) { process.signal(number) }

    func kill() { process.kill() }
}
