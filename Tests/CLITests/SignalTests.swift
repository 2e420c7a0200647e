import Foundation
import RecordingKit
import TestSupport
import Testing

/// The signals that end a process: the first completes the file, further ones do no harm.
///
/// `KAYIT_TEST_SIGNALS` sets the number of recordings that are ended on each device; the times are printed.
@Suite(.serialized)
struct SignalTests {
    private static let rounds = Int(ProcessInfo.processInfo.environment["KAYIT_TEST_SIGNALS"] ?? "") ?? 4
    private static let signals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    /// Seconds from the signal to the complete file, for each recording.
    private func times(_ options: [String], _ environment: [String: String]) throws -> [Double] {
        var times: [Double] = []
        var random = SeededGenerator(seed: 4)
        for round in 0..<Self.rounds {
            let folder = try TemporaryFolder()
            let kayit = try RunningKayit(["record", "a.m4a"] + options, in: folder, environment: environment)
            #expect(kayit.hasStarted())
            Thread.sleep(forTimeInterval: Double.random(in: 0.2...0.8, using: &random))
            let file = folder.file("a.m4a")
            let start = Date()
            let number = Self.signals[round % Self.signals.count]
            kayit.process.signal(number)
            let isComplete = eventually(within: 10) {
                (try? RecordingReport(contentsOf: file).integrity) == .complete
            }
            times.append(Date().timeIntervalSince(start))
            #expect(isComplete, "signal \(number)")
            #expect(kayit.wait() == 0, "a recording that was stopped by a signal is done")
        }
        return times.sorted()
    }

    /// The promise is 100 ms on a machine with nothing else to do; this one may have a lot.
    private func expectSoon(_ times: [Double], _ name: String) {
        let milliseconds = times.map { ($0 * 1000).rounded() }
        let median = milliseconds[milliseconds.count / 2]
        print(
            "signal to complete file, \(name): median \(median) ms, most \(milliseconds.last ?? 0) ms of \(times.count)"
        )
        #expect(median < 1_000)
    }

    @Test func theFileIsCompleteSoonAfterTheSignal() throws {
        expectSoon(try times([], Kayit.simulated), "simulated")
    }

    @Test(.enabled(if: ExternalTool.areInstalled("pulseaudio", "pactl"), "PulseAudio is not installed"))
    func theFileIsCompleteSoonOnARealServer() throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        defer { server.kill() }
        let environment = server.environment.merging(["KAYIT_AUDIO": "pulse", "LC_ALL": "C.UTF-8"]) { $1 }
        expectSoon(try times(["--device", "loop.monitor"], environment), "PulseAudio")
    }

    @Test func aStormOfSignalsDoesNoHarm() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.m4a"], in: folder)
        #expect(kayit.hasStarted())
        Thread.sleep(forTimeInterval: 0.3)
        let file = folder.file("a.m4a")
        var sent = 0
        let isComplete = eventually(within: 10) {
            kayit.process.signal(Self.signals[sent % Self.signals.count])
            sent += 1
            return sent > 20 && (try? RecordingReport(contentsOf: file).integrity) == .complete
        }
        #expect(isComplete)
        #expect(kayit.wait() == 0)
        #expect(try RecordingReport(contentsOf: file, waveformBins: 1).damagedPackets == 0)
        #expect(folder.names == ["a.m4a"])
    }

    @Test func controlCTwiceInFiftyMilliseconds() throws {
        let folder = try TemporaryFolder()
        let kayit = try KayitOnTerminal(["record", "a.m4a"], in: folder)
        #expect(kayit.shows("REC   0:00.3"))
        kayit.type("\u{3}")
        Thread.sleep(forTimeInterval: 0.05)
        kayit.type("\u{3}")
        #expect(kayit.wait() == 0)
        #expect(kayit.isInLineMode)
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).integrity == .complete)
    }

    @Test func theTerminalIsClosed() throws {
        let folder = try TemporaryFolder()
        var kayit: KayitOnTerminal? = try KayitOnTerminal(["record", "a.m4a"], in: folder)
        #expect(kayit?.shows("REC   0:00.3") == true)
        let process = kayit?.process
        kayit?.hangUp()
        #expect(process?.wait(within: 30) == 0)
        kayit = nil
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).integrity == .complete)
    }

    @Test func nohupIsRespected() throws {
        let folder = try TemporaryFolder()
        let process = try ChildProcess(
            ["nohup"] + Kayit.command(["record", "a.m4a", "-d", "1.2"], in: folder),
            environment: Kayit.simulated
        )
        #expect(eventually(within: 20) { folder.names == ["a.m4a"] })
        Thread.sleep(forTimeInterval: 0.3)
        process.signal(SIGHUP)
        #expect(process.wait(within: 30) == 0)
        #expect(try RecordingReport(contentsOf: folder.file("a.m4a")).frames == 52_920)
    }

    /// As a program that uses the library and has no say in the matter: it dies as Unix has it.
    @Test func aSignalThatNobodyHandlesLeavesTheLastCheckpoint() throws {
        let folder = try TemporaryFolder()
        let kayit = try RunningKayit(["record", "a.m4a"], in: folder)
        #expect(kayit.hasStarted())
        Thread.sleep(forTimeInterval: 0.8)
        kayit.process.signal(SIGUSR1)
        #expect(kayit.wait() == 128 + SIGUSR1)
        let report = try RecordingReport(contentsOf: folder.file("a.m4a"), waveformBins: 1)
        #expect(report.damagedPackets == 0)
        #expect(report.duration > 0.3)
        #expect(folder.names == ["a.m4a"])
    }
}
