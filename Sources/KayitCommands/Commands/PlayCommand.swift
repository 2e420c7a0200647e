import AVFoundation
import RecordingKit

/// `kayit play`.
@MainActor
package struct PlayCommand {
    private let options: PlayOptions
    private let console: Console

    package init(_ options: PlayOptions, _ console: Console) {
        self.options = options
        self.console = console
    }

    /// Plays every file and returns the code to exit with.
    package func run() async -> Int32 {
        let (events, continuation) = AsyncStream.makeStream(of: PlayEvent.self)
        let program = ProgramEvents(console, tick: console.tick) { continuation.yield(.program($0)) }
        defer { program.stop() }
        let delegate = PlayerDelegate(continuation)

        var status = ExitCode.success
        do {
            let device = try chosenDevice()
            let session = AVAudioSession.sharedInstance()
            try session.setCategory(.playback)
            try session.setActive(true)
            for file in options.files {
                do {
                    let player = try open(file, device)
                    let playback = Playback(player, file: file, console: console)
                    switch await playback.run(events, delegate) {
                    case .ended: break
                    case .failed(let error): throw error
                    case .quit: return status.rawValue
                    case .signal(let number): return 128 + number
                    }
                } catch {
                    let failure = fail(error, file)
                    if status == .success { status = failure }
                    // Without a server or a device, the next file sounds no better.
                    if failure == .unavailable { break }
                }
            }
        } catch {
            status = fail(error, nil)
        }
        return status.rawValue
    }

    private func chosenDevice() throws -> AudioDevice? {
        guard let name = options.device else { return nil }
        return try DeviceChoice.find(name, among: AudioDeviceList.current().outputs, kind: "speaker")
    }

    private func open(_ file: String, _ device: AudioDevice?) throws -> AVAudioPlayer {
        let player = try AVAudioPlayer(contentsOf: FileArgument.url(file))
        if options.from > player.duration {
            throw UsageError(
                "--from \(fixed(options.from, digits: 1)) lies behind the end of '\(file)',"
                    + " which has \(fixed(player.duration, digits: 1)) seconds."
            )
        }
        player.volume = Float(options.volume)
        player.pan = Float(options.pan)
        player.numberOfLoops = options.loops
        if let device { player.currentDevice = device.id }
        if options.from > 0 { player.currentTime = options.from }
        return player
    }

    private func fail(_ error: any Error, _ file: String?) -> ExitCode {
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
