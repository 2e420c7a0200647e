import AudioCore
import Foundation
import TestSupport

/// A recording in parts, or in one file, of which copies become another file.
struct FileJobTrial: Sendable {
    /// The moment at which the job is killed.
    enum Moment: Sendable {
        /// From outside, so many seconds after its start.
        case after(Double)
        /// In the place of the file call of this number.
        case call(Int)

        init(using random: inout SeededGenerator) {
            self =
                Int.random(in: 0..<4, using: &random) == 0
                ? .after(.random(in: 0...0.3, using: &random)) : .call(.random(in: 1...50, using: &random))
        }
    }

    struct Outcome: Sendable {
        var hasTarget = false
        var complaints: [String] = []
    }

    /// Of one source: whole packets of every codec here.
    private static let frames = 4096 * 20

    private let source: RecordedPair
    private let target: RecordedPair
    private let count: Int
    private let sounds: KnownSounds
    private let folder: TemporaryFolder

    /// Records the sources, one after the other, each from where the last one ended.
    init(of source: RecordedPair, to target: RecordedPair, _ sounds: KnownSounds) throws {
        self.source = source
        self.target = target
        self.sounds = sounds
        count = source == target ? 3 : 1
        folder = try TemporaryFolder()
        let board = try TemporaryFolder()
        for index in 0..<count {
            let process = try ChildProcess([
                Campaign.program("CampaignVictim"), "job=record", "pair=\(source)", "file=\(folder.path(name(index)))",
                "source=\(sounds.path(source.sampleRate))", "board=\(board.path("board"))", "seed=\(index)",
                "from=\(index * Self.frames)", "stop=\(Self.frames)",
            ])
            let status = process.wait(within: 60)
            if status != 0 { throw SetupFailure("A source is not made: \(status).") }
        }
    }

    var name: String { count > 1 ? "join, \(target)" : "conversion, \(source) to \(target)" }

    private func name(_ index: Int) -> String { "source-\(index).\(source.container.name)" }

    func kill(_ moment: Moment) throws -> Outcome {
        let place = try TemporaryFolder()
        for index in 0..<count {
            try FileManager.default.copyItem(atPath: folder.path(name(index)), toPath: place.path(name(index)))
        }
        var outcome = Outcome()
        switch moment {
        case .call(let call):
            let status = try start(in: place, ["die=\(call)"]).wait(within: 60)
            if status != 0, status != 137 { outcome.complaints.append("status \(status)") }
        case .after(let seconds):
            let process = try start(in: place, [])
            Thread.sleep(forTimeInterval: seconds)
            process.kill()
        }
        outcome.hasTarget = place.names.contains(target.fileName)
        outcome.complaints += try outcome.hasTarget ? checkTarget(in: place) : checkSources(in: place)
        // What the next start of a program does; and where the job had not begun, it is asked for once more.
        try end(["job=resume", "folder=\(place.url.path)"], &outcome)
        if !place.names.contains(target.fileName) { try end(arguments(in: place), &outcome) }
        outcome.complaints += try checkTarget(in: place)
        if place.names != [target.fileName] { outcome.complaints.append("left: \(place.names)") }
        return outcome
    }

    private func arguments(in place: TemporaryFolder) -> [String] {
        let sources = (0..<count).map { place.path(name($0)) }.joined(separator: ",")
        return [
            "job=\(count > 1 ? "join" : "convert")", "pair=\(target)", "sources=\(sources)",
            "file=\(place.path(target.fileName))",
        ]
    }

    private func start(in place: TemporaryFolder, _ more: [String]) throws -> ChildProcess {
        try run(arguments(in: place) + more)
    }

    private func run(_ arguments: [String], errors: String = "/dev/null") throws -> ChildProcess {
        try ChildProcess(
            [Campaign.program("CampaignVictim"), "board=\(folder.path("board"))"] + arguments,
            errors: errors
        )
    }

    private func end(_ arguments: [String], _ outcome: inout Outcome) throws {
        let scratch = try TemporaryFolder()
        let status = try run(arguments, errors: scratch.path("errors")).wait(within: 60)
        if status == 0 { return }
        let words = try String(contentsOfFile: scratch.path("errors"), encoding: .utf8)
        outcome.complaints.append("\(arguments[0]): status \(status), \(words)")
    }

    private func checkSources(in place: TemporaryFolder) throws -> [String] {
        try (0..<count).flatMap { index in
            let path = place.path(name(index))
            guard FileManager.default.fileExists(atPath: path) else { return ["\(name(index)) is gone"] }
            return try check(path, source, first: index * Self.frames, frames: Self.frames)
        }
    }

    private func checkTarget(in place: TemporaryFolder) throws -> [String] {
        try check(place.path(target.fileName), target, first: 0, frames: count * Self.frames)
    }

    private func check(_ path: String, _ pair: RecordedPair, first: Int, frames: Int) throws -> [String] {
        let reading = try TakeReading(path, pair, sounds.samples(pair.sampleRate), first: first)
        return reading.complaints + (reading.frames == frames ? [] : ["\(reading.frames) frames of \(frames)"])
    }
}
