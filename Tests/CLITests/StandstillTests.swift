import Foundation
import RecordingKit
import TestSupport
import Testing

/// A recorder that is stopped (SIGSTOP) and let go on: what the sound server kept meanwhile comes late and is not lost, and
/// what it did not keep is a gap of the true length.
///
/// `KAYIT_TEST_STANDSTILL` names further lengths of stops in seconds; the result is printed.
@Suite(.serialized, .enabled(if: ExternalTool.areInstalled("pulseaudio", "pactl"), "PulseAudio is not installed"))
struct StandstillTests {
    private static let lengths = (ProcessInfo.processInfo.environment["KAYIT_TEST_STANDSTILL"] ?? "")
        .split(separator: ",").compactMap { Double($0) }

    /// - Parameter options: the server keeps 4 MiB: 24 s of one channel at 44.1 kHz, 2.7 s of two channels at 192 kHz.
    private func measure(stop seconds: Double, _ options: [String]) throws -> (missing: Double, output: String) {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        defer { server.kill() }
        let folder = try TemporaryFolder()
        let environment = server.environment.merging(["KAYIT_AUDIO": "pulse", "LC_ALL": "C.UTF-8"]) { $1 }
        let kayit = try RunningKayit(
            ["record", "a.wav", "--device", "loop.monitor"] + options,
            in: folder,
            environment: environment
        )
        #expect(kayit.hasStarted())
        let start = Date()
        Thread.sleep(forTimeInterval: 1)
        kayit.process.signal(SIGSTOP)
        Thread.sleep(forTimeInterval: seconds)
        kayit.process.signal(SIGCONT)
        // What was kept comes, and it becomes clear what was not.
        Thread.sleep(forTimeInterval: 3)
        let wall = Date().timeIntervalSince(start)
        kayit.process.signal(SIGINT)
        #expect(kayit.wait() == 0)
        let report = try RecordingReport(contentsOf: folder.file("a.wav"))
        #expect(report.integrity == .complete)
        return (wall - report.duration, kayit.output + kayit.errors)
    }

    /// The start is seen up to the tests' polling late, and a busy machine is slow with the signals.
    private static let tolerance = 0.4

    @Test("two seconds stopped: nothing is lost, the server kept it")
    func short() throws {
        let (missing, output) = try measure(stop: 2, [])
        #expect(abs(missing) < Self.tolerance, "\(output)")
    }

    @Test("longer than the server keeps: the file has the true length all the same")
    func long() throws {
        let (missing, output) = try measure(stop: 5, ["-r", "192000", "-c", "2"])
        #expect(abs(missing) < Self.tolerance, "\(output)")
    }

    @Test("further lengths", .enabled(if: !lengths.isEmpty, "KAYIT_TEST_STANDSTILL names none"), arguments: lengths)
    func further(seconds: Double) throws {
        let (missing, _) = try measure(stop: seconds, [])
        print("stopped for \(seconds) s: the file is \((missing * 1000).rounded()) ms shorter than the wall clock")
        #expect(abs(missing) < Self.tolerance)
    }
}
