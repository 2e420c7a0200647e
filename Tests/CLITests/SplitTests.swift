import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit record --split`, and what reads and joins its parts.
@Suite(.serialized)
struct SplitTests {
    @Test func partsBecomeOneFileAtTheEnd() throws {
        let folder = try TemporaryFolder()
        let line = ["record", "--json", "talk.m4a", "--split", "1s", "-d", "3.5"]
        let kayit = try RunningKayit(line, in: folder)
        #expect(kayit.wait() == 0)
        #expect(folder.names == ["talk.m4a"])
        let objects = try #require(kayit.objects)
        #expect(objects.contains { $0["event"] as? String == "joining" && $0["parts"] as? Int == 4 })
        #expect(objects.last?["event"] as? String == "finished")
        #expect(objects.last?["frames"] as? Int == 154_350)
        #expect(objects.last?["path"] as? String == folder.path("talk.m4a"))
    }

    @Test func keptPartsAreToldAndJoinedAgain() throws {
        let folder = try TemporaryFolder()
        let line = ["record", "talk.flac", "--split=1s", "--keep-parts", "-d", "2.5"]
        #expect(try RunningKayit(line, in: folder).wait() == 0)
        #expect(folder.names == ["talk.flac", "talk.flac.parts"])
        let info = try RunningKayit(["info", "--json", "talk.flac.parts"], in: folder)
        #expect(info.wait() == 0)
        let object = try #require(info.objects?.first)
        #expect(object["state"] as? String == "joined")
        #expect(object["frames"] as? Int == 110_250)
        #expect((object["parts"] as? [[String: Any]])?.count == 3)
        #expect(try RunningKayit(["info", "talk.flac.parts"], in: folder).wait() == 0)

        try FileManager.default.removeItem(at: folder.file("talk.flac"))
        let join = try RunningKayit(["join", "--json", "--remove-parts", "talk.flac.parts"], in: folder)
        #expect(join.wait() == 0)
        #expect(join.objects?.first?["frames"] as? Int == 110_250)
        #expect(folder.names == ["talk.flac"])
    }

    @Test func aKilledRecordingInPartsIsJoinedByHandOrByRecovery() throws {
        for command in [["join", "talk.wav.parts"], ["recover", "."], ["recover", "talk.wav.parts"]] {
            let folder = try TemporaryFolder()
            let kayit = try RunningKayit(["record", "talk.wav", "--split", "1s"], in: folder)
            #expect(kayit.hasStarted())
            #expect(
                eventually(within: 20) {
                    FileManager.default.fileExists(atPath: folder.path("talk.wav.parts/0003.wav"))
                }
            )
            let inUse = try RunningKayit(["join", "talk.wav.parts"], in: folder)
            #expect(inUse.wait() == 73)
            #expect(inUse.errors.contains("in use"))
            kayit.process.signal(SIGKILL)
            _ = kayit.wait()
            let next = try RunningKayit(command, in: folder)
            #expect(next.wait() == 0, "\(command): \(next.errors)")
            #expect(folder.names == ["talk.wav"], "\(command)")
            let report = try RecordingReport(contentsOf: folder.file("talk.wav"))
            #expect(report.integrity == .complete)
            #expect(report.frames >= 2 * 44_100)
        }
    }

    @Test(
        arguments: [
            (["a.wav", "--split", "0.5s"], "1 to 86400 seconds"), (["a.wav", "--split", "soon"], "5m"),
            (["a.wav", "--keep-parts"], "--split"),
        ]
    )
    func wrongValuesAreExplained(arguments: [String], message: String) throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record"] + arguments, in: folder)
        #expect(kayit.wait() == 64)
        #expect(kayit.errors.contains(message))
        #expect(folder.names.isEmpty)
    }
}
