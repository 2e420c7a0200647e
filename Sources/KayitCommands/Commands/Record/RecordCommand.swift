package import AVFoundation
import RecordingKit

/// `kayit record`.
@MainActor
package struct RecordCommand {
    private let options: RecordOptions
    private let console: Console
    private let environment: [String: String]

    package init(_ options: RecordOptions, _ console: Console, environment: [String: String]) {
        self.options = options
        self.console = console
        self.environment = environment
    }

    /// What was recorded, for commands that go on with it.
    package struct Outcome: Sendable {
        package var status: ExitCode
        package var url: URL?
        /// The signal that stopped it.
        package var signal: Int32?
    }

    /// Records until it is stopped, reports, and returns how it went.
    package func run() async -> Outcome {
        // First of all, so that a signal from now on completes the file instead of ending the process.
        let (events, continuation) = AsyncStream.makeStream(of: RecordEvent.self)
        let program = ProgramEvents(console, tick: console.tick) { continuation.yield(.program($0)) }
        defer { program.stop() }

        var target: RecordTarget?
        defer { SoundClaim.giveBack() }
        do {
            let device = try chosenDevice()
            // Whoever records what others play must not silence them: then there is no session.
            if device?.isMonitor != true {
                try SoundClaim.take(toRecordMixing: options.mixes)
            }
            if let device { try select(device, .sharedInstance()) }

            let chosen = try RecordTarget.choose(options, date: Date(), environment: environment)
            target = chosen
            let recorder = try AVAudioRecorder(url: chosen.url, settings: options.settings)
            let recovery = QuietRecovery.start(beside: chosen.url, environment: environment, console)
            defer { recovery?.stop() }
            recorder.options.partLength = options.split.map { .seconds($0) }
            recorder.options.keepsParts = options.keepsParts
            recorder.options.microphoneLoss = options.microphoneLoss
            recorder.options.channelSelection = options.channelSelection
            recorder.options.durability = options.isLongLife ? .longLife : .standard
            recorder.options.rescueFolders = try RecordTarget.rescueFolders(options.rescue, environment)
            recorder.options.deadline = options.deadline
            let notification = options.notifies ? RecordingStatusNotification(for: recorder) : nil
            defer { notification?.end() }
            let recording = RecordSession(recorder, target: chosen, options: options, console: console)
            return await recording.run(events, RecorderDelegate(continuation))
        } catch {
            target?.release()
            return failure(error)
        }
    }

    /// The device that was named; nil follows the default.
    private func chosenDevice() throws -> AudioDevice? {
        let inputs = try AudioDeviceList.current().inputs
        if let name = options.device { return try DeviceChoice.find(name, among: inputs, kind: "microphone") }
        // A sound server without a microphone offers what its speakers play as the default.
        guard inputs.contains(where: { !$0.isMonitor }) else {
            throw RecordingError(
                .deviceUnavailable,
                "There is no microphone."
                    + (inputs.isEmpty ? "" : " '--device \(inputs[0].id)' records what the speaker plays.")
            )
        }
        return nil
    }

    private func select(_ device: AudioDevice, _ session: AVAudioSession) throws {
        guard let port = session.availableInputs?.first(where: { $0.uid == device.id }) else {
            throw RecordingError(.deviceUnavailable, "'\(device.name)' cannot be recorded from.")
        }
        try session.setPreferredInput(port)
    }

    private func failure(_ error: any Error) -> Outcome {
        if let error = error as? UsageError {
            console.fail(error)
            return Outcome(status: .usage)
        }
        var error = RecordingError(error)
        error.message = RecordOptions.explaining(error.message)
        console.fail(error)
        return Outcome(status: ExitCode(error, .creating))
    }
}
