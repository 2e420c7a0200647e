import Foundation
import RecordingKit
import TestSupport
import Testing

/// `kayit record` on a real server whose microphone goes away.
@Suite(.serialized)
struct MicrophoneLossTests {
    /// A microphone that hears a tone of 440 Hz; gives the number to unload it by.
    private func plug(_ server: PrivatePulseServer) throws -> String {
        let module = try server.control("load-module", "module-sine-source", "source_name=mic")
        _ = try eventually { try server.control("list", "short", "sources").contains("\tmic\t") }
        return module
    }

    private func record(_ arguments: [String], _ server: PrivatePulseServer, in folder: TemporaryFolder) throws
        -> RunningKayit
    {
        var environment = server.environment
        environment["LC_ALL"] = "C.UTF-8"
        return try RunningKayit(["record", "a.wav", "--json"] + arguments, in: folder, environment: environment)
    }

    /// The events so far; a line that is being written is none yet.
    private func events(_ kayit: RunningKayit) -> [String] {
        (kayit.objects ?? []).compactMap { $0["event"] as? String }.filter { $0 != "progress" }
    }

    @Test func byDefaultItGoesOnWhenTheMicrophoneIsBack() throws {
        let server = try PrivatePulseServer()
        let module = try plug(server)
        let folder = try TemporaryFolder()
        let kayit = try record([], server, in: folder)
        #expect(eventually(within: 15) { events(kayit) == ["started"] })
        Thread.sleep(forTimeInterval: 1)
        try server.unload(module)
        #expect(eventually(within: 15) { events(kayit).last == "microphone-lost" })
        _ = try plug(server)
        #expect(eventually(within: 15) { events(kayit).contains("gap") })
        Thread.sleep(forTimeInterval: 0.5)
        kayit.process.signal(SIGTERM)
        #expect(kayit.wait() == 0)
        let objects = try #require(kayit.objects)
        #expect(events(kayit).contains("microphone-changed"))
        let gap = try #require(objects.first { $0["event"] as? String == "gap" })
        #expect(gap["reason"] as? String == "deviceLost")
        let length = try #require(gap["length"] as? Double) / 44_100
        let seconds = try #require(objects.last?["seconds"] as? Double)
        #expect(length > 0.02 && seconds > length + 1)
        let report = try RecordingReport(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))
        #expect(report.integrity == .complete)
    }

    @Test func itStopsWhereThatWasAskedFor() throws {
        let server = try PrivatePulseServer()
        let module = try plug(server)
        let folder = try TemporaryFolder()
        let kayit = try record(["--on-loss", "stop"], server, in: folder)
        #expect(eventually(within: 15) { events(kayit) == ["started"] })
        Thread.sleep(forTimeInterval: 1)
        try server.unload(module)
        #expect(kayit.wait() != 0)
        let objects = try #require(kayit.objects)
        #expect(objects.contains { $0["event"] as? String == "error" })
        let report = try RecordingReport(contentsOf: URL(fileURLWithPath: folder.path("a.wav")))
        #expect(report.integrity == .complete && report.duration > 0.5)
    }
}
