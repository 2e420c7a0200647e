import Foundation
import TestSupport
import Testing

/// What `kayit play` can do besides playing a file to its end, on simulated devices.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("sox"), "sox is not installed"))
struct PlayTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    /// A tone at half of full scale.
    private func write(_ names: String..., seconds: Double = 0.3) throws {
        for name in names {
            let line = [
                "-n", "-r", "16000", "-b", "16", folder.path(name), "synth", "\(seconds)", "sine", "440", "vol", "0.5",
            ]
            #expect(try ExternalTool.run("sox", line).status == 0)
        }
    }

    private func play(_ arguments: String..., environment: [String: String] = [:]) throws -> [[String: Any]] {
        let kayit = try RunningKayit(
            ["play", "--json"] + arguments,
            in: folder,
            environment: Kayit.simulated.merging(environment) { $1 }
        )
        #expect(kayit.wait() == 0, "\(kayit.errors)")
        return try #require(kayit.objects)
    }

    private func paths(_ event: String, _ lines: [[String: Any]]) -> [String] {
        lines.filter { $0["event"] as? String == event }.compactMap { $0["path"] as? String }
    }

    @Test func aSeedGivesAnOrder() throws {
        try write("a.wav", "b.wav", "c.wav", "d.wav", seconds: 0.1)
        let files = ["a.wav", "b.wav", "c.wav", "d.wav"]
        let orders = try (0..<2).map { _ in
            paths("started", try play("--shuffle", "--seed", "3", "a.wav", "b.wav", "c.wav", "d.wav"))
        }
        #expect(orders[0].sorted() == files && orders[0] != files)
        #expect(orders[0] == orders[1])
    }

    @Test func theListBeginsAgain() throws {
        try write("a.wav", "b.wav")
        let kayit = try RunningKayit(["play", "--json", "--repeat", "a.wav", "missing.wav", "b.wav"], in: folder)
        #expect(eventually(within: 20) { paths("started", kayit.objects ?? []).count >= 5 })
        kayit.process.signal(SIGTERM)
        #expect(kayit.wait() == 128 + SIGTERM)
        let started = paths("started", try #require(kayit.objects))
        #expect(Array(started.prefix(5)) == ["a.wav", "b.wav", "a.wav", "b.wav", "a.wav"])
    }

    @Test func aListOfWhichNothingCanBePlayedEndsEvenWhereItRepeats() throws {
        let kayit = try RunningKayit(["play", "--json", "--repeat", "x.wav", "y.wav"], in: folder)
        #expect(kayit.wait() == 66)
        #expect(kayit.objects?.count == 2)
    }

    @Test func filesAtOnceEndWithTheLongest() throws {
        try write("a.wav")
        try write("b.wav", seconds: 0.8)
        let start = Date()
        let lines = try play("--at-once", "a.wav", "b.wav")
        #expect(Date().timeIntervalSince(start) > 0.8)
        #expect(paths("started", lines) == ["a.wav", "b.wav"])
        #expect(paths("finished", lines) == ["a.wav", "b.wav"])
    }

    @Test func ofFilesAtOnceAllCanBePlayedOrNone() throws {
        try write("a.wav")
        let kayit = try RunningKayit(["play", "--json", "--at-once", "a.wav", "missing.wav"], in: folder)
        #expect(kayit.wait() == 66)
        #expect(kayit.objects?.map { $0["event"] as? String } == ["error"])
        #expect(kayit.errors.contains("missing.wav"))
    }

    @Test func aPlaceIsFoundAgain() throws {
        try write("a.wav", seconds: 7.5)
        let environment = ["XDG_STATE_HOME": folder.path("state")]
        let kayit = try RunningKayit(
            ["play", "--json", "--resume", "a.wav"],
            in: folder,
            environment: Kayit.simulated.merging(environment) { $1 }
        )
        let isFar = eventually(within: 20) {
            kayit.objects?.contains { ($0["seconds"] as? Double ?? 0) >= 3.9 } == true
        }
        #expect(isFar)
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 128 + SIGINT)
        let left = try #require(kayit.objects?.last?["seconds"] as? Double)
        let lines = try play("--resume", "a.wav", environment: environment)
        let begin = try #require(lines.first?["seconds"] as? Double)
        #expect(abs(begin - left) < 0.2, "left at \(left), began at \(begin)")
        // What was heard to its end begins anew.
        let again = try RunningKayit(
            ["play", "--json", "--resume", "a.wav"],
            in: folder,
            environment: Kayit.simulated.merging(environment) { $1 }
        )
        #expect(eventually(within: 20) { again.objects?.isEmpty == false })
        again.process.signal(SIGINT)
        #expect(again.wait() == 128 + SIGINT)
        #expect((again.objects?.first?["seconds"] as? Double ?? 9) < 0.5)
    }

    @Test func pausesAreShortened() throws {
        // A tone, four seconds of nothing, and a tone.
        try write("a.wav", seconds: 1)
        let pad = try ExternalTool.run("sox", [folder.path("a.wav"), folder.path("b.wav"), "pad", "0", "4"])
        let join = try ExternalTool.run("sox", [folder.path("b.wav"), folder.path("a.wav"), folder.path("c.wav")])
        #expect(pad.status == 0 && join.status == 0)
        let start = Date()
        let lines = try play("--skip-silence", "strong", "c.wav")
        #expect(Date().timeIntervalSince(start) < 5)
        let skip = try #require(lines.first { $0["event"] as? String == "silence" })
        #expect(abs((skip["target"] as? Double ?? 0) - 4.875) < 0.05)
        #expect(lines.last?["event"] as? String == "finished")
        #expect(!(try play("--skip-silence", "gentle", "a.wav")).contains { $0["event"] as? String == "silence" })
    }

    @Test func fasterTakesLessTime() throws {
        try write("a.wav", seconds: 4)
        let start = Date()
        let lines = try play("--rate", "2", "a.wav")
        #expect(Date().timeIntervalSince(start) < 3.5)
        #expect(lines.first?["rate"] as? Double == 2)
        #expect(lines.last?["event"] as? String == "finished")
    }

    @Test func progressHasLevels() throws {
        try write("a.wav", seconds: 1.5)
        let progress = try #require(try play("a.wav").first { $0["event"] as? String == "progress" })
        let peak = try #require((progress["peakPower"] as? [Double])?.first)
        #expect(abs(peak + 6) < 0.5)
    }

    @Test(arguments: [
        ["--seed", "1"], ["--rate", "3"], ["--rate", "0.4"], ["--rate", "nan"], ["--at-once", "--shuffle"],
        ["--at-once", "--resume"], ["--at-once", "--skip-silence", "gentle"], ["--skip-silence", "much"],
        ["--resume", "--from", "3"],
    ])
    func whatDoesNotGoTogether(arguments: [String]) throws {
        #expect(try RunningKayit(["play"] + arguments + ["a.wav"], in: folder).wait() == 64)
    }

    @Test func keysChooseFileAndSpeed() throws {
        try write("a.wav", "b.wav", "c.wav", seconds: 6)
        let kayit = try KayitOnTerminal(["play", "a.wav", "b.wav", "c.wav"], in: folder)
        #expect(kayit.shows("Playing 'a.wav'"))
        #expect(kayit.shows("PLAY  0:00.3"))
        #expect(kayit.progressLine.contains(" dB"))
        kayit.type("n")
        #expect(kayit.shows("Playing 'b.wav'"))
        kayit.type("+++++")
        #expect(kayit.shows("×1.5"))
        kayit.type("p")
        #expect(eventually(within: 10) { kayit.screen.components(separatedBy: "Playing 'a.wav'").count == 3 })
        kayit.type("nn")
        #expect(kayit.shows("Playing 'c.wav'"))
        #expect(kayit.shows("×1.5"))
        // Behind the last one there is nothing.
        kayit.type("n")
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
    }
}
