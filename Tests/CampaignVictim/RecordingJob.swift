import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import Glibc
import PlatformLinux
import TestSupport

/// Records in virtual time until it is killed: a step of sound, then rest until everything of it has been dealt with.
///
/// So what it can lose does not depend on how busy the machine is.
struct RecordingJob {
    private let order: Order
    private let pair: RecordedPair
    private let host: SimulatedHost
    private let disk = FaultingFileStore(LinuxFileStore())
    private let engine: RecorderEngine
    private let sourceFrames: Int

    init(_ order: Order) throws {
        self.order = order
        guard let pair = RecordedPair.named(try order.text("pair")) else {
            throw SetupFailure("There is no such pair.")
        }
        self.pair = pair
        let sound = try MappedSound.Samples(try order.text("source"))
        let first = order.number("from") ?? 0
        sourceFrames = sound.count - first
        var configuration = SimulatedConfiguration()
        configuration.time = .stepped
        configuration.devices = [
            .microphone("microphone", name: "Microphone", signal: .custom { _ in MappedSound(sound, from: first) })
        ]
        host = SimulatedHost(configuration)
        engine = RecorderEngine(
            TakeConfiguration(path: try order.text("file"), container: pair.container, encoding: pair.encoding),
            runtime: Runtime(
                devices: host,
                media: .system,
                files: disk,
                clock: host.clock,
                callbacks: SerialQueueExecutor(label: "victim")
            ),
            report: { report in
                if case .failed(let failure) = report { FileHandle.standardError.write(Data("\(failure)\n".utf8)) }
            }
        )
    }

    func run() throws {
        if let frames = order.number("parts") {
            engine.options.partLength = .seconds(Double(frames) / pair.sampleRate)
        }
        let board = order.board
        var random = SeededGenerator(seed: UInt64(order.number("seed") ?? 1))
        let pauseAt = order.number("pause") ?? .max
        let stopAt = order.number("stop") ?? .max
        let armAt = order.number("arm") ?? 0
        var isArmed = false
        func armOnce(at frame: Int) {
            if frame < armAt || isArmed { return }
            isArmed = true
            order.arm(disk)
        }
        armOnce(at: 0)
        try engine.record()
        board.phase = .recording
        var heard = 0
        while true {
            armOnce(at: heard)
            let goal = min(pauseAt, stopAt, sourceFrames)
            // Whole milliseconds have whole frames at no rate but 48 kHz: the clock's steps are in nanoseconds.
            let step = min(Int.random(in: 200...1400, using: &random), goal - heard)
            board.heard = heard + step
            host.clock.advance(by: .nanoseconds(Self.time(of: heard + step, pair) - Self.time(of: heard, pair)))
            heard += step
            rest()
            if heard == pauseAt {
                engine.pause()
                board.promised = heard
                board.phase = .paused
                Self.waitForDeath()
            }
            if heard == stopAt { break }
            if heard == sourceFrames { Self.waitForDeath() }
        }
        board.phase = .stopping
        engine.stop()
        board.promised = heard
        // Parts become one file behind the end.
        _ = try engine.joinJob?.wait().get()
        board.phase = .over
    }

    /// The moment, in nanoseconds from the start, at which so many frames are due: rounded up, so that the last one is.
    private static func time(of frame: Int, _ pair: RecordedPair) -> Int64 {
        let rate = Int(pair.sampleRate)
        return Int64((frame * 1_000_000_000 + rate - 1) / rate)
    }

    /// Returns when all other threads sleep: the recorder has nothing left to do.
    private func rest() {
        var quiet = 0
        while quiet < 2 {
            quiet = Self.othersSleep() ? quiet + 1 : 0
            if quiet < 2 { usleep(50) }
        }
    }

    private static func othersSleep() -> Bool {
        let own = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/thread-self")
        let tasks = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task")) ?? []
        return tasks.allSatisfy { task in
            if own?.hasSuffix("/\(task)") == true { return true }
            // pid (name) state …: the name may hold anything but ends at the last bracket (proc(5)).
            guard let stat = try? String(contentsOfFile: "/proc/self/task/\(task)/stat", encoding: .utf8),
                let bracket = stat.lastIndex(of: ")")
            else { return true }
            return stat[bracket...].dropFirst(2).first == "S"
        }
    }

    private static func waitForDeath() -> Never {
        while true { pause() }
    }
}
