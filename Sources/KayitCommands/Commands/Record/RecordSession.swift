import AVFoundation
import RecordingKit

/// One recording from `record()` to its complete file: answers keys and signals, shows time and level, and tells how it
/// ended.
@MainActor
final class RecordSession {
    private let recorder: AVAudioRecorder
    private let target: RecordTarget
    private let options: RecordOptions
    private let console: Console

    private var meters: RecordMeters
    private var isPaused = false
    /// Why the recording is being stopped; nil while nobody asked.
    private var stopReason: StopReason?
    private var failure: RecordingError?
    private var hasReachedDeadline = false
    /// It was not the user who paused.
    private var isInterrupted = false
    /// Why the last pause could not be ended.
    private var refusal: RecordingError?
    private var lastProgress = 0.0
    private var markerCount = 0
    /// For a message of the recorder that is on its way.
    private var patience: Patience
    /// Since the recorder no longer records without having been asked to.
    private var held: Patience
    /// Since the pause began.
    private var paused: Patience
    /// How the recording ended, while its parts are joined; nil before.
    private var endedWell: Bool?
    /// Where the recording is.
    private var url: URL
    private var delegate: RecorderDelegate?

    private enum StopReason: Equatable {
        case key
        case signal(Int32)
    }

    init(_ recorder: AVAudioRecorder, target: RecordTarget, options: RecordOptions, console: Console) {
        self.recorder = recorder
        self.target = target
        url = target.url
        self.options = options
        self.console = console
        patience = Patience(.seconds(1), tick: console.tick)
        held = Patience(.milliseconds(250), tick: console.tick)
        paused = Patience(.milliseconds(200), tick: console.tick)
        meters = RecordMeters(channelCount: options.channels)
    }

    /// - Parameter delegate: sends what the recorder says into `events`.
    func run(_ events: AsyncStream<RecordEvent>, _ delegate: RecorderDelegate) async -> RecordCommand.Outcome {
        let notices = delegate.passOn(recorder.events)
        // The recorder holds the delegate weakly.
        let interruptions = delegate.passOnInterruptions()
        defer {
            withExtendedLifetime(delegate) { notices.cancel() }
            NotificationCenter.default.removeObserver(interruptions)
        }
        recorder.delegate = delegate
        recorder.isMeteringEnabled = true
        self.delegate = delegate
        let started =
            if let duration = options.duration { recorder.record(forDuration: duration) } else { recorder.record() }
        if started { tellStart() }
        for await event in events {
            switch event {
            case .program(.tick) where !started:
                // The reason comes on the main queue, behind the answer of `record()`.
                patience.countTick()
                if patience.isOver { return startFailed() }
            case .failed(let error):
                note(error ?? RecordingError(.inputOutput, "The recording failed."))
                if !started { return startFailed() }
            case .finished(let successfully):
                if started, let outcome = ended(successfully) { return outcome }
            case .joined(let outcome):
                if let endedWell { return joined(outcome, endedWell) }
            case .recording(let event):
                tell(event)
            case .interruption(.began): if started { interrupted() }
            case .interruption(.ended(let shouldResume)): if started { goOn(shouldResume) }
            case .program(let event):
                if started, let outcome = answer(event) { return outcome }
            }
        }
        return startFailed()
    }

    /// Keeps what went wrong first. A pause that cannot be ended is no failure yet: the device may come back, and what is
    /// recorded is safe.
    private func note(_ error: RecordingError) {
        if isPaused, stopReason == nil {
            refusal = error
            console.remark("\(error.message) What is recorded is safe: Space tries again, q ends.")
        } else {
            failure = failure ?? error
        }
    }

    private func answer(_ event: ProgramEvent) -> RecordCommand.Outcome? {
        switch event {
        case .key(.quit) where endedWell != nil, .signal where endedWell != nil: return leaveParts()
        case .key(.space): togglePause()
        case .key(.quit): stop(.key)
        case .key(.marker): setMarker()
        case .key: break
        case .signal(let number): stop(.signal(number))
        case .tick:
            if endedWell != nil { break }
            if stopReason == nil {
                show()
            } else {
                patience.countTick()
                // The file is complete since `stop()` returned; its message is no reason to hang.
                if patience.isOver { return ended(failure == nil) }
            }
        }
        return nil
    }

    private func stop(_ reason: StopReason) {
        guard stopReason == nil else { return }
        stopReason = reason
        meters.measure(recorder)
        recorder.stop()
    }

    private func setMarker() {
        guard stopReason == nil, recorder.addMarker("Marker \(markerCount + 1)") != nil else { return }
        markerCount += 1
    }

    private func tell(_ event: RecordingEvent) {
        switch event {
        case .marker(let marker):
            var line = RecordLine("marker", seconds: Double(marker.frame) / options.rate)
            line.frame = marker.frame
            line.name = marker.name
            console.record(line)
            console.remark("\(marker.name) at \(TimeText.clock(Double(marker.frame) / options.rate)).")
        case .gap(let gap):
            var line = RecordLine("gap", seconds: Double(gap.start) / options.rate)
            line.frame = gap.start
            line.length = gap.length
            line.reason = gap.reason.rawValue
            console.record(line)
            // The end of an interruption, of which nothing is in the file.
            if gap.length > 0 { console.remark("Missing: \(InfoText.missing(gap, rate: options.rate)).") }
        case .joining(let parts, let count): if parts < count { tellJoining(parts, of: count) }
        default:
            if case .fileMoved(let place) = event { url = place }
            if event == .deadlineReached { hasReachedDeadline = true }
            guard let notice = RecordNotice(event, seconds: recorder.currentTime) else { return }
            console.record(notice)
            console.remark(notice.text)
        }
    }

    private func togglePause() {
        guard stopReason == nil else { return }
        if recorder.isRecording {
            recorder.pause()
            tellPause(true)
        } else if canResume, recorder.record() {
            tellPause(false)
        }
    }

    private func interrupted() {
        guard stopReason == nil, !isPaused else { return }
        isInterrupted = true
        tellPause(true)
        console.remark("Something else has the sound. What is recorded is safe.")
    }

    /// The session says whether to go on; where it does not, whoever sits at the keyboard does. Nobody sits at a script.
    private func goOn(_ shouldResume: Bool) {
        guard isInterrupted, isPaused, stopReason == nil else { return }
        var line = RecordLine("interruption-ended", seconds: recorder.currentTime)
        line.shouldResume = shouldResume
        console.record(line)
        if shouldResume || !console.isInteractive { togglePause() } else { console.remark("Space goes on.") }
    }

    /// Whether the recording is really paused. One that has just ended looks alike until its message comes, and `record()`
    /// would begin a new one in its place. Its time is 0, though; a pause at 0 is told apart by waiting for the message.
    private var canResume: Bool {
        guard isPaused else { return false }
        let seconds = recorder.currentTime
        if let duration = options.duration, seconds > duration - 0.5 / options.rate { return false }
        return seconds > 0 || paused.isOver
    }

    private func tellPause(_ paused: Bool) {
        guard paused != isPaused else { return }
        isPaused = paused
        if !paused { isInterrupted = false }
        self.paused.reset()
        var line = RecordLine(paused ? "paused" : "resumed", seconds: recorder.currentTime)
        if paused, isInterrupted { line.reason = "interrupted" }
        console.record(line)
        if !console.isInteractive {
            console.remark((paused ? "Paused at " : "Going on at ") + TimeText.clock(recorder.currentTime) + ".")
        }
    }

    /// The system may pause, too. A recording that has just ended does not record either: its message is on the way.
    private func noticePause() {
        if isPaused { paused.countTick() }
        if recorder.isRecording || isPaused { held.reset() } else { held.countTick() }
        if held.isOver { tellPause(true) }
    }

    private func show() {
        noticePause()
        guard recorder.isRecording || isPaused else { return }
        meters.measure(recorder)
        let seconds = recorder.currentTime
        draw(state: isPaused ? "PAUSE" : "REC  ", seconds: seconds)
        tellProgress(seconds)
    }

    private func draw(state: String, seconds: Double) {
        console.progress(
            ProgressLine.recording(
                state: state,
                seconds: seconds,
                meters: meters.channels,
                columns: console.columns,
                isUnicode: console.isUnicode
            )
        )
    }

    private func tellProgress(_ seconds: Double) {
        let interval = console.isJSON ? 1.0 : 60.0
        guard seconds >= lastProgress + interval else { return }
        lastProgress = (seconds / interval).rounded(.down) * interval
        var line = RecordLine("progress", seconds: seconds)
        line.averagePower = meters.channels.map(\.average)
        line.peakPower = meters.channels.map(\.heldPeak)
        line.clipped = meters.channels.contains(where: \.hasClipped)
        line.secondsLeft = recorder.secondsLeft
        console.record(line, isProgress: true)
        if !console.isInteractive { console.remark("\(TimeText.short(seconds)) recorded.") }
    }

    private func tellStart() {
        var line = RecordLine("started", seconds: 0)
        line.path = target.url.path
        line.format = options.format.rawValue
        line.sampleRate = options.rate
        line.channelCount = options.channels
        console.record(line)
        console.remark("Recording to '\(target.url.path)'.")
        if console.isInteractive { console.remark("Space pauses and goes on, m sets a marker, q or Ctrl-C stops.") }
    }

    // MARK: Parts

    /// The recording is complete: that is all, unless it has parts to be joined.
    private func ended(_ successfully: Bool) -> RecordCommand.Outcome? {
        if options.split == nil { return finished(successfully) }
        if endedWell == nil { delegate?.awaitJoining(of: recorder) }
        endedWell = endedWell ?? successfully
        return nil
    }

    private func tellJoining(_ parts: Int, of count: Int) {
        console.progress(["JOIN   part \(parts + 1) of \(count)"])
        var line = RecordLine("joining", seconds: recorder.currentTime)
        (line.part, line.parts) = (parts + 1, count)
        console.record(line, isProgress: true)
    }

    private func joined(_ outcome: Result<JoinedRecording?, RecordingError>, _ successfully: Bool)
        -> RecordCommand.Outcome
    {
        switch outcome {
        case .success(let joined):
            if let joined { url = joined.url }
        case .failure(var error):
            error.message += " The recording is complete in '\(partsPath)': 'kayit join' makes one file of it."
            failure = failure ?? error
            return partsLeft()
        }
        return finished(successfully)
    }

    /// Somebody does not want to wait: the parts are safe where they are.
    private func leaveParts() -> RecordCommand.Outcome {
        failure =
            failure
            ?? RecordingError(
                .cancelled,
                "The recording is complete in '\(partsPath)' and was not joined: 'kayit join' makes one file of it."
            )
        return partsLeft()
    }

    private func partsLeft() -> RecordCommand.Outcome {
        console.keepProgress()
        let error = failure ?? RecordingError(.inputOutput, "The parts were not joined.")
        console.fail(error)
        return .init(status: ExitCode(error, .creating), url: nil, signal: signal)
    }

    private var partsPath: String { recorder.partsFolder?.path ?? target.url.path + ".parts" }

    private var signal: Int32? {
        if case .signal(let number) = stopReason { number } else { nil }
    }

    private func startFailed() -> RecordCommand.Outcome {
        target.release()
        var error =
            failure ?? RecordingError(.deviceUnavailable, "The recording did not start, without a reason given.")
        error.message = RecordOptions.explaining(error.message)
        console.fail(error)
        return .init(status: ExitCode(error, .creating))
    }

    private func finished(_ successfully: Bool) -> RecordCommand.Outcome {
        if stopReason == nil, !endsByItself, failure == nil {
            failure = refusal ?? RecordingError(.inputOutput, "The recording ended by itself before it was stopped.")
        } else if !successfully, failure == nil {
            failure = refusal ?? RecordingError(.inputOutput, "The recording could not be completed.")
        }
        tellResult()
        guard let failure else { return .init(status: .success, url: url, signal: signal) }
        console.fail(failure)
        return .init(status: ExitCode(failure, .creating), url: url, signal: signal)
    }

    /// Says what the file holds, by looking into it.
    private func tellResult() {
        do throws(RecordingError) {
            let report = try RecordingReport(contentsOf: url)
            draw(state: "DONE ", seconds: report.duration)
            console.keepProgress()
            var line = RecordLine("finished", seconds: report.duration)
            line.path = url.path
            line.frames = report.frames
            line.format = report.codec
            line.sampleRate = report.sampleRate
            line.channelCount = report.channelCount
            line.complete = report.integrity == .complete
            line.markers = report.markers.count
            line.missingFrames = report.gaps.reduce(0) { $0 + $1.length }
            line.reason = reason
            console.record(line)
            console.result(
                "Recorded \(TimeText.exact(report.duration)) (\(report.frames) frames) to '\(url.path)'."
            )
            for missing in InfoText.missing(report) { console.remark("Missing: \(missing).") }
        } catch {
            failure = failure ?? error
        }
        if meters.heardOnlySilence, failure == nil {
            console.remark(
                "Only silence was heard: 'kayit devices --levels' shows whether a microphone hears anything."
            )
        }
    }

    private var reason: String {
        switch stopReason {
        case .key: "key"
        case .signal: "signal"
        case nil: failure != nil ? "failure" : hasReachedDeadline || options.duration == nil ? "deadline" : "duration"
        }
    }

    private var endsByItself: Bool { options.duration != nil || options.deadline != nil }
}
