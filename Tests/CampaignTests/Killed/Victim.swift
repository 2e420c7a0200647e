import Foundation
import Glibc
import TestSupport

/// The moment at which a recorder is killed.
enum KillMoment: Sendable {
    /// So many seconds after the recording began.
    case recording(Double)
    /// So many seconds after the start of the program, which is to replace an older file.
    case starting(Double)
    /// Recording for so many seconds, then asked to stop, then so many seconds.
    case stopping(Double, Double)
    /// Recording for so many seconds, then paused, then so many seconds.
    case paused(Double, Double)

    init(using random: inout SeededGenerator) {
        switch Int.random(in: 0..<20, using: &random) {
        case 0..<10: self = .recording(.random(in: 0.3...2, using: &random))
        case 10..<13: self = .recording(.random(in: 0...0.3, using: &random))
        case 13..<15: self = .starting(.random(in: 0...0.6, using: &random))
        case 15..<18: self = .stopping(.random(in: 0.2...1, using: &random), .random(in: 0...0.03, using: &random))
        default: self = .paused(.random(in: 0.2...1, using: &random), .random(in: 0...0.3, using: &random))
        }
    }
}

/// What is left of a recorder that was killed.
struct Remains: Sendable {
    var folder: TemporaryFolder
    var format: KillFormat
    var moment: KillMoment
    /// When the file of the recording was first seen under its name; nil where it never was.
    var begun: Double?
    /// Until when the recorder was to keep what sounded.
    var end: Double
    /// Seconds that its threads waited for a processor in the last of its life: what a busy machine takes from it.
    var processorWait = 0.0
    /// Whether the power failed: others may then refuse a file whose head was written before the rest.
    var isCut = false
    /// Frames at the end that a power cut may have left unwritten.
    var unsureFrames = 0
}

/// Runs `kayit record` against the server of a room and kills it.
struct Victim: Sendable {
    static let old = [UInt8]("An older recording.".utf8)

    var format: KillFormat
    var moment: KillMoment
    var environment: [String: String]

    init(_ format: KillFormat, _ moment: KillMoment, in room: Room) {
        self.format = format
        self.moment = moment
        environment = ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": room.server.address, "LC_ALL": "C.UTF-8"]
    }

    /// Returns when the program is gone.
    func die() throws -> Remains {
        let folder = try TemporaryFolder()
        var remains = Remains(folder: folder, format: format, moment: moment, begun: nil, end: 0)
        var arguments = ["record", format.file, "--device", "room.monitor"] + format.options
        let path = folder.path(format.file)
        if case .paused(let seconds, let pause) = moment {
            let kayit = try KayitOnTerminal(arguments, in: folder, environment: environment)
            remains.begun = try begin(path) { kayit.screen }
            remains.processorWait = watch(kayit.process, for: seconds)
            remains.end = Witness.now
            kayit.type(" ")
            guard kayit.shows("PAUSE") else { throw SetupFailure("It does not pause: \(kayit.screen)") }
            Thread.sleep(forTimeInterval: pause)
            kayit.process.kill()
            return remains
        }
        if case .starting = moment {
            arguments.append("--force")
            _ = try folder.write(Self.old, to: format.file)
        }
        let kayit = try RunningKayit(arguments, in: folder, environment: environment)
        switch moment {
        case .recording(let seconds), .stopping(let seconds, _):
            remains.begun = try begin(path) { kayit.errors }
            remains.processorWait = watch(kayit.process, for: seconds)
        case .starting(let seconds):
            let death = Witness.now + seconds
            while Witness.now < death {
                if remains.begun == nil, Self.size(path) != Self.old.count { remains.begun = Witness.now }
                usleep(1000)
            }
            remains.processorWait = kayit.process.processorWait
        case .paused:
            break
        }
        remains.end = Witness.now
        if case .stopping(_, let wait) = moment {
            kayit.process.signal(SIGINT)
            Thread.sleep(forTimeInterval: wait)
        }
        kayit.process.kill()
        return remains
    }

    /// Lets it go on for a time.
    ///
    /// - Returns: how long it waited for a processor in the last half second of that, or since its start.
    private func watch(_ process: ChildProcess, for seconds: Double) -> Double {
        Thread.sleep(forTimeInterval: max(seconds - 0.5, 0))
        let before = seconds < 0.5 ? 0 : process.processorWait
        Thread.sleep(forTimeInterval: min(seconds, 0.5))
        return process.processorWait - before
    }

    /// Waits until the file of the recording has its name.
    private func begin(_ path: String, _ words: () -> String) throws -> Double {
        let patience = Witness.now + 15
        while Self.size(path) == 0 {
            guard Witness.now < patience else { throw SetupFailure("It does not begin: \(words())") }
            usleep(1000)
        }
        return Witness.now
    }

    /// 0 where there is no file.
    private static func size(_ path: String) -> Int {
        var status = stat()
        return stat(path, &status) == 0 ? Int(status.st_size) : 0
    }
}
