import Foundation
import RecordingKit
import TestSupport
import Testing

/// Recordings that cannot begin, or cannot go on.
@Suite(.serialized)
struct RecordFailureTests {
    @Test func aRecordingThatCannotGoOnIsToldAndKept() throws {
        let folder = try TemporaryFolder()
        // Blocks of 512 bytes: the file may have 320 KiB, a little more than the three seconds without which none begins.
        let line = "ulimit -f 640 && cd '\(folder.url.path)' && exec '\(Kayit.path)' record --json a.wav"
        let process = try ChildProcess(
            ["sh", "-c", line],
            environment: Kayit.simulated,
            output: folder.path("output"),
            errors: folder.path("errors")
        )
        #expect(process.wait(within: 15) == 74)
        let report = try RecordingReport(contentsOf: folder.file("a.wav"))
        #expect(report.duration > 3)
        #expect(report.duration < 3.8)
        let output = String(decoding: try folder.read("output"), as: UTF8.self)
        #expect(output.contains(#""frames":\#(report.frames)"#))
        #expect(output.contains(#""reason":"failure""#))
        #expect(output.contains(#""code":"noSpace""#))
        #expect(String(decoding: try folder.read("errors"), as: UTF8.self).contains("kayit: "))
    }

    @Test func aServerWithoutAMicrophoneIsToldAsSuch() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.wav", "-d", "0.2"], in: folder, environment: server.environment)
        #expect(kayit.wait() == 69)
        #expect(kayit.errors.contains("There is no microphone. '--device loop.monitor'"))
        #expect(folder.names.isEmpty)

        let monitor = ["record", "a.wav", "-d", "0.2", "--device", "loop.monitor"]
        let named = try RunningKayit(monitor, in: folder, environment: server.environment)
        #expect(named.wait() == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.wav")).frames == 8820)
    }

    @Test func aServerThatHangsHangsNobody() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let folder = try TemporaryFolder()
        server.freeze(true)
        defer { server.freeze(false) }
        let start = Date()
        let kayit = try RunningKayit(["record", "a.wav"], in: folder, environment: server.environment)
        #expect(kayit.wait() == 69)
        #expect(Date().timeIntervalSince(start) < 3)
        #expect(folder.names.isEmpty)
    }

    @Test func aServerThatGoesAwayEndsTheRecordingWithAWord() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(
            ["record", "a.wav", "--device", "loop.monitor", "--on-loss", "stop"],
            in: folder,
            environment: server.environment
        )
        #expect(kayit.hasStarted())
        Thread.sleep(forTimeInterval: 0.5)
        server.kill()
        #expect(kayit.wait() == 69)
        #expect(kayit.errors.contains("kayit: "))
        let report = try RecordingReport(contentsOf: folder.file("a.wav"))
        #expect(report.integrity == .complete)
        #expect(report.duration > 0.3)
    }
}
