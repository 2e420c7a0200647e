import AudioSimulation
import Foundation
import RecordingKit
import ScenarioRunner

/// `kayit simulate`.
@MainActor
package struct SimulateCommand {
    static let random = OptionSyntax("random", "r", "make scenarios up and look for one that does not come out right")
    static let seed = OptionSyntax("seed", "s", value: "N", "what chance begins with (1)")
    static let count = OptionSyntax("count", "n", value: "N", "how many scenarios are made up (100)")
    static let length = OptionSyntax("length", "l", value: "TIME", "how long each of them lasts (30s)")
    static let events = OptionSyntax("events", "e", value: "N", "how many things happen in each (10)")
    static let keep = OptionSyntax("keep", "k", value: "FOLDER", "where the recordings are kept; without it, nowhere")

    package static let syntax = CommandSyntax(
        name: "simulate",
        summary: "record in a simulation in which calls, cables and disks do what a scenario says",
        operands: "[SCENARIO]",
        operandCount: 0...1,
        options: [random, seed, count, length, events, keep],
        notes: [
            """
            A recorder as Apple documents it runs in virtual time: a day takes seconds, and comes out the
            same every time. SCENARIO is a text of lines such as

              record aac 44100 mono            what is recorded: aac, alac, ima4, pcm, flac or opus
              client resumes | waits           after an interruption that says so, or when told to
              loss waits | changes | stops     when the microphone goes away
              run 15m                          how long it lasts; the one line that must be there
              0s press record                  also pause, stop, play, silence
              12s call for 30s, resume         also assistant, alarm, other app
              2m headphones in                 or out; also headset, microphone, spare
              5m low power                     also full power, memory warning, app background
              10m server reset                 or server down for 5s
              11m disk stalled for 40s         or disk full after 100000, disk healthy
              12m permission denied            or granted
              expect gaps 0                    what must hold in the end; also frames N,
              expect told began, ended resume  gap at 2m for 5s, state paused, never told error

            Whatever is expected, file, gaps, clock and callbacks must agree to the frame. The exit code is 1
            where something does not hold.
            """,
            """
            With --random, the first scenario that does not come out right is reduced to the smallest one
            that does not either, which is printed as a scenario.
            """,
        ],
        examples: [
            ("kayit simulate interview.scenario", "what happens, line by line"),
            ("kayit simulate --json --keep takes day.scenario", "the same for scripts, recordings kept"),
            ("kayit simulate --random --seed 7 --count 1000", "a search for defects"),
            ("kayit simulate --random --count 1 --length 24h --events 1000", "a day full of interruptions"),
        ]
    )

    private enum Work {
        case scenario(String)
        case search(ScenarioSearch, count: Int)
    }

    private let work: Work
    private let seed: UInt64?
    private let folder: URL?
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        seed = try arguments.integer(Self.seed, in: 0...Int.max, unit: "").map(UInt64.init)
        let count = try arguments.integer(Self.count, in: 1...10_000_000, unit: "")
        let length = try arguments.duration(Self.length, in: 1...86_400_000)
        let events = try arguments.integer(Self.events, in: 0...100_000, unit: "")
        if let file = arguments.operands.first {
            if arguments.has(Self.random) || count != nil || length != nil || events != nil {
                throw UsageError("--random, --count, --length and --events take no SCENARIO.")
            }
            work = .scenario(file)
        } else {
            guard arguments.has(Self.random) else { throw UsageError("simulate needs SCENARIO or --random.") }
            var search = ScenarioSearch()
            if let length { search.length = .milliseconds(Int64((length * 1000).rounded())) }
            if let events { search.events = events }
            work = .search(search, count: count ?? 100)
        }
        let kept = arguments[Self.keep]
        if kept != nil, case .search = work { throw UsageError("--keep is for SCENARIO, not for --random.") }
        if let kept { folder = try FileArgument.url(kept) } else { folder = nil }
        self.console = console
    }

    package func run() async throws(UsageError) -> ExitCode {
        switch work {
        case .search(let search, let count): return await run(search, count)
        case .scenario(let file): return try run(file)
        }
    }

    // MARK: One scenario

    private func run(_ file: String) throws(UsageError) -> ExitCode {
        let url = try FileArgument.url(file)
        guard let data = try? Data(contentsOf: url) else {
            console.fail(UsageError("'\(file)' cannot be read."))
            return .noInput
        }
        guard let text = String(bytes: data, encoding: .utf8) else {
            console.fail(UsageError("'\(file)' is no text."))
            return .badData
        }
        var scenario: SimulationScenario
        do throws(SimulationScenario.ParseError) {
            scenario = try SimulationScenario(parsing: text)
        } catch {
            console.fail(UsageError("\(file), \(error)"))
            return .badData
        }
        if let seed { scenario.input = .voice(seed: seed) }
        do {
            let result = try recorded(scenario)
            tell(result)
            return result.failures.isEmpty ? .success : .unexpected
        } catch {
            console.fail(UsageError("The recordings have no place: \(error.localizedDescription)"))
            return .cannotCreate
        }
    }

    private func recorded(_ scenario: SimulationScenario) throws -> ScenarioResult {
        guard let folder else { return try ScenarioFolder().use { try ScenarioRun(scenario, in: $0).run() } }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try ScenarioRun(scenario, in: folder).run()
    }

    private func tell(_ result: ScenarioResult) {
        for entry in result.entries {
            console.record(EntryLine(entry))
            let mark = entry.kind == .event ? "──" : entry.kind == .notice ? "  told:" : "  does:"
            console.result("\(TimeText.clock(entry.seconds))  \(mark) \(entry.text)")
        }
        for (index, take) in result.takes.enumerated() {
            console.record(TakeLine(take))
            console.result("Recording \(index + 1): \(take.frames) frames, \(take.bytes) bytes")
            for gap in take.gaps {
                console.result(
                    gap.length == 0
                        ? "  interrupted at \(gap.start)"
                        : "  gap of \(gap.length) frames at \(gap.start): \(gap.reason.summary)"
                )
            }
        }
        for failure in result.failures {
            console.record(FailureLine(message: failure))
            console.result("✗ \(failure)")
        }
        console.record(SummaryLine(result))
        console.result(result.failures.isEmpty ? "Everything holds." : "\(result.failures.count) things do not hold.")
    }

    // MARK: Search

    private func run(_ search: ScenarioSearch, _ count: Int) async -> ExitCode {
        let seed = self.seed ?? 1
        let started = ContinuousClock.now
        let console = self.console
        let finding = await search.run(seed: seed, count: count) { number in
            guard number % 10 == 0 else { return }
            Task { @MainActor in console.progress("\(number) of \(count) scenarios") }
        }
        let seconds = started.duration(to: .now) / .seconds(1)
        guard let finding else {
            console.record(SearchLine(seed: seed, count: count, failures: []))
            console.result("\(count) scenarios from seed \(seed) on came out right, in \(TimeText.clock(seconds)).")
            return .success
        }
        console.record(
            SearchLine(seed: finding.seed, count: count, failures: finding.failures, scenario: finding.smallest.text)
        )
        console.result("# Seed \(finding.seed)")
        for failure in finding.failures { console.result("# \(failure)") }
        if !console.isJSON { console.layout(finding.smallest.text) }
        return .unexpected
    }
}

extension ScenarioResult.Entry {
    fileprivate var seconds: Double { time / .seconds(1) }
}

/// What `simulate --json` prints for each thing that happens.
private struct EntryLine: Encodable {
    var event: String
    var time: Double
    var frames: Int64
    var text: String
    var notice: String?

    init(_ entry: ScenarioResult.Entry) {
        event = entry.kind.rawValue
        time = entry.seconds
        frames = entry.frames
        text = entry.text
        notice = entry.notice?.text
    }
}

/// What `simulate --json` prints for each recording.
private struct TakeLine: Encodable {
    struct Gap: Encodable {
        var start: Int64
        var length: Int64
        var reason: String
    }

    var event = "recording"
    var path: String
    var frames: Int64
    var expectedFrames: Int64
    var bytes: Int64
    var gaps: [Gap]

    init(_ take: ScenarioResult.Take) {
        path = take.url.lastPathComponent
        frames = take.frames
        expectedFrames = take.expectedFrames
        bytes = take.bytes
        gaps = take.gaps.map { Gap(start: $0.start, length: $0.length, reason: $0.reason.rawValue) }
    }
}

/// What `simulate --json` prints for what does not hold.
private struct FailureLine: Encodable {
    var event = "failure"
    var message: String
}

/// The last line of `simulate --json`.
private struct SummaryLine: Encodable {
    var event = "result"
    var holds: Bool
    var frames: Int64
    var state: String

    init(_ result: ScenarioResult) {
        holds = result.failures.isEmpty
        frames = result.frames
        state = result.state.rawValue
    }
}

/// What `simulate --random --json` prints.
private struct SearchLine: Encodable {
    var event = "search"
    var seed: UInt64
    var count: Int
    var failures: [String]
    var scenario: String?
}
