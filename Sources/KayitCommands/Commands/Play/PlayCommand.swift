import AVFoundation
import RecordingKit

/// `kayit play`.
@MainActor
package struct PlayCommand {
    private let options: PlayOptions
    private let console: Console
    private let environment: [String: String]

    package init(_ options: PlayOptions, _ console: Console, environment: [String: String]) {
        self.options = options
        self.console = console
        self.environment = environment
    }

    /// Plays every file and returns the code to exit with.
    package func run() async -> Int32 {
        let (events, continuation) = AsyncStream.makeStream(of: PlayEvent.self)
        let program = ProgramEvents(console, tick: console.tick) { continuation.yield(.program($0)) }
        defer { program.stop() }
        do {
            let device = try chosenDevice()
            try SoundClaim.takeToPlay()
            defer { SoundClaim.giveBack() }
            let interruptions = Interruption.observe { continuation.yield(.interruption($0)) }
            defer { NotificationCenter.default.removeObserver(interruptions) }
            let opener = PlayerOpener(
                options,
                device: device,
                positions: options.resumes ? PlayPositions(environment) : nil,
                continuation
            )
            return await PlaySession(options, console, opener).run(events)
        } catch {
            return Self.fail(error, nil, console).rawValue
        }
    }

    private func chosenDevice() throws -> AudioDevice? {
        guard let name = options.device else { return nil }
        return try DeviceChoice.find(name, among: AudioDeviceList.current().outputs, kind: "speaker")
    }

    static func fail(_ error: any Error, _ file: String?, _ console: Console) -> ExitCode {
        if let error = error as? UsageError {
            console.fail(error)
            return .usage
        }
        var error = RecordingError(error)
        error.path = error.path ?? file
        console.fail(error)
        return ExitCode(error, .reading)
    }
}

/// Makes players of files, as the options say.
@MainActor
final class PlayerOpener {
    private let options: PlayOptions
    private let device: AudioDevice?
    private let events: AsyncStream<PlayEvent>.Continuation
    /// Where files were left; nil where nobody wants to know.
    let positions: PlayPositions?
    /// The speed of what is opened next.
    var rate: Double
    private var opened = 0

    init(
        _ options: PlayOptions,
        device: AudioDevice?,
        positions: PlayPositions?,
        _ events: AsyncStream<PlayEvent>.Continuation
    ) {
        self.options = options
        self.device = device
        self.positions = positions
        self.events = events
        rate = options.rate
    }

    /// - Parameter index: of the file in the list; all files where they are to be heard at once.
    func open(_ index: Int) throws -> PlayGroup {
        var voices: [PlayGroup.Voice] = []
        for file in options.atOnce ? options.files : [options.files[index]] { voices.append(try open(file)) }
        return PlayGroup(voices, index: index, loops: options.loops)
    }

    private func open(_ file: String) throws -> PlayGroup.Voice {
        let url = try FileArgument.url(file)
        do {
            let player = try AVAudioPlayer(contentsOf: url)
            let duration = player.duration
            if options.from > duration {
                throw UsageError(
                    "--from \(fixed(options.from, digits: 1)) lies behind the end of '\(file)',"
                        + " which has \(fixed(duration, digits: 1)) seconds."
                )
            }
            player.volume = Float(options.volume)
            player.pan = Float(options.pan)
            player.numberOfLoops = options.loops
            player.isMeteringEnabled = true
            if rate != 1 {
                player.enableRate = true
                player.rate = Float(rate)
            }
            if let device { player.currentDevice = device.id }
            let from = positions?.position(of: url) ?? options.from
            if from > 0 { player.currentTime = min(from, duration) }
            opened += 1
            let delegate = PlayerDelegate(opened, events)
            player.delegate = delegate
            return PlayGroup.Voice(
                file: file,
                url: url,
                player: player,
                duration: duration,
                number: opened,
                delegate: delegate
            )
        } catch let error as UsageError {
            throw error
        } catch {
            // Of several, it must be said which one.
            var failure = RecordingError(error)
            failure.path = failure.path ?? file
            throw failure
        }
    }
}
