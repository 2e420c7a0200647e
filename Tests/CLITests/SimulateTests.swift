import Foundation
import TestSupport
import Testing

/// `kayit simulate`.
struct SimulateTests {
    private func scenario(_ text: String, in folder: TemporaryFolder) throws -> String {
        try folder.write(Array(text.utf8), to: "a.scenario")
    }

    @Test func aScenarioIsToldLineByLine() throws {
        let folder = try TemporaryFolder()
        _ = try scenario("run 20s\n0s press record\n5s microphone out\n8s microphone in\nexpect gaps 1\n", in: folder)
        let kayit = try RunningKayit(["simulate", "a.scenario", "--keep", "takes"], in: folder)
        #expect(kayit.wait() == 0)
        #expect(kayit.output.contains("0:05.0  ── microphone out"), "\(kayit.output)")
        #expect(kayit.output.contains("gap of 48000 frames at 80000: microphone lost"))
        #expect(kayit.output.contains("Everything holds."))
        let info = try RunningKayit(["info", "--json", "takes/take-1.wav"], in: folder)
        #expect(info.wait() == 0)
        #expect(info.objects?.first?["frames"] as? Int == 320_000)
    }

    @Test func whatDoesNotHoldIsAnExitCode() throws {
        let folder = try TemporaryFolder()
        _ = try scenario("run 5s\n0s press record\nexpect gaps 1\n", in: folder)
        let kayit = try RunningKayit(["simulate", "--json", "a.scenario"], in: folder)
        #expect(kayit.wait() == 1)
        let objects = try #require(kayit.objects)
        #expect(objects.contains { $0["event"] as? String == "failure" })
        #expect(objects.last?["holds"] as? Bool == false)
        #expect(objects.last?["frames"] as? Int == 80_000)
        #expect(folder.names == ["a.scenario"])
    }

    @Test func whatIsNotUnderstoodIsToldWithItsPlace() throws {
        let folder = try TemporaryFolder()
        _ = try scenario("run 5s\n0s pres record\n", in: folder)
        let kayit = try RunningKayit(["simulate", "a.scenario"], in: folder)
        #expect(kayit.wait() == 65)
        #expect(kayit.errors.contains("a.scenario, line 2, column 4"), "\(kayit.errors)")
        #expect(try RunningKayit(["simulate", "none.scenario"], in: folder).wait() == 66)
        #expect(try RunningKayit(["simulate"], in: folder).wait() == 64)
        #expect(try RunningKayit(["simulate", "--random", "a.scenario"], in: folder).wait() == 64)
    }

    @Test func randomScenariosAreSearched() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(
            ["simulate", "--random", "--seed", "3", "--count", "3", "--length", "5s", "--json"],
            in: folder
        )
        #expect(kayit.wait() == 0, "\(kayit.output)")
        #expect(kayit.objects?.last?["count"] as? Int == 3)
    }
}
