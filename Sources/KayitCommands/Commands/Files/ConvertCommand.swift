import Foundation
import RecordingKit
import Synchronization

/// `kayit convert`.
@MainActor
package struct ConvertCommand {
    static let format = OptionSyntax(
        "format",
        "f",
        value: "aac|alac|ima4|pcm|flac|opus",
        "the codec (what the ending usually holds)"
    )
    static let rate = OptionSyntax("rate", "r", value: "HZ", "frames per second (those of IN)")
    static let channels = OptionSyntax("channels", "c", value: "1|2", "mono or stereo (those of IN)")
    static let bitDepth = OptionSyntax("bit-depth", nil, value: "N", "bits of a sample: pcm, alac, flac (those of IN)")
    static let force = MadeFile.force()

    package static let syntax = CommandSyntax(
        name: "convert",
        summary: "make a file of another format of a recording",
        operands: "IN OUT",
        operandCount: 2...2,
        options: [format, rate, channels, RecordOptions.bitRate, RecordOptions.quality, bitDepth, force],
        notes: [
            """
            The ending of OUT chooses the container: .m4a .caf .wav .aif .aiff .aifc .flac .opus. OUT has
            exactly the frames of IN (at another rate, as many as that is), its tags, markers and date, and
            appears only when it is complete and was verified. IN is never changed.
            """,
            """
            q and Ctrl-C give up and leave nothing. What was killed is done again by the next 'kayit recover'
            of the folder.
            """,
        ],
        examples: [
            ("kayit convert talk.wav talk.m4a", "PCM to AAC"),
            ("kayit convert --format alac talk.wav small.m4a", "PCM to Apple Lossless: nothing is lost"),
            ("kayit convert --rate 16000 --channels 1 talk.flac for-machines.wav", "what programs for speech want"),
        ]
    )

    private let source: String
    private let target: String
    private let options: RecordOptions.Encoding
    private let replacing: Bool
    private let console: Console

    package init(_ arguments: ParsedArguments, _ console: Console) throws(UsageError) {
        source = arguments.operands[0]
        target = arguments.operands[1]
        options = try RecordOptions.Encoding(
            format: arguments.choice(Self.format),
            rate: arguments.number(Self.rate, in: 1...1_000_000, unit: " Hz"),
            channels: arguments.integer(Self.channels, in: 1...2, unit: ""),
            bitRate: arguments.integer(RecordOptions.bitRate, in: 1...10_000_000, unit: " bit/s"),
            quality: arguments.choice(RecordOptions.quality),
            bitDepth: arguments.integer(Self.bitDepth, in: 1...64, unit: " bits")
        )
        replacing = arguments.has(Self.force)
        self.console = console
    }

    private enum Event: Sendable {
        case program(ProgramEvent)
        case progress(Double)
        case ended(Result<ConvertedRecording, RecordingError>)
    }

    /// Converts and returns the code to exit with.
    package func run() async throws(UsageError) -> Int32 {
        let (from, to) = (try FileArgument.url(source), try FileArgument.url(target))
        let (events, continuation) = AsyncStream.makeStream(of: Event.self)
        let program = ProgramEvents(console, tick: .milliseconds(200)) { continuation.yield(.program($0)) }
        defer { program.stop() }
        let isGivenUp = GivingUp()
        let (options, replacing) = (options, replacing)
        // Work that blocks has a thread of its own.
        Thread.detachNewThread {
            let result = Result { () throws(RecordingError) in
                try ConvertedRecording(
                    converting: from,
                    into: to,
                    settings: options.settings,
                    replacing: replacing,
                    progress: { done in
                        continuation.yield(.progress(done))
                        return !isGivenUp.flag.load(ordering: .relaxed)
                    }
                )
            }
            continuation.yield(.ended(result))
        }
        var signal: Int32?
        var done = 0.0
        for await event in events {
            switch event {
            case .progress(let part): done = part
            case .program(.tick): show(done)
            case .program(.key(.quit)): isGivenUp.flag.store(true, ordering: .relaxed)
            case .program(.key): break
            case .program(.signal(let number)):
                signal = number
                isGivenUp.flag.store(true, ordering: .relaxed)
            case .ended(.success(let converted)):
                return MadeFile(converted, path: target).tell(console).rawValue
            case .ended(.failure(let error)):
                let code = MadeFile.fail(error, error.path == from.path ? .reading : .creating, console)
                if error.code == .cancelled, let signal { return 128 + signal }
                return code.rawValue
            }
        }
        return ExitCode.software.rawValue
    }

    /// Set by the main actor, looked at by the thread that works.
    private final class GivingUp: Sendable {
        let flag = Atomic<Bool>(false)
    }

    private func show(_ done: Double) {
        console.record(ProgressRecord(path: target, done: done), isProgress: true)
        console.progress(
            ProgressLine.working(state: "CONVERT", done: done, columns: console.columns, isUnicode: console.isUnicode)
        )
    }
}

/// What `convert --json` prints while it works.
private struct ProgressRecord: Encodable {
    var event = "progress"
    var path: String
    var done: Double
}
