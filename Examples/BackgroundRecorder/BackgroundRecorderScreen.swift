import AVFoundation
import RecordingKit

/// A screen that records for hours, in the background too, less the drawing. Calls pause it, and it goes on where the system
/// says that it may; otherwise a button does. It stops by itself at a deadline.
@MainActor
final class BackgroundRecorderScreen: NSObject {
    enum State: Equatable {
        case ready, recording
        /// By a call, an assistant or another program; goes on by itself or by the Resume button.
        case interrupted
        case saving
        case saved(frames: Int64)
    }

    private(set) var state = State.ready
    /// Shown where the system does not say that the recording may go on.
    private(set) var isResumeButtonShown = false
    private(set) var failure: String?
    private(set) var isAllowed: Bool?
    private(set) var recordingsEnded: [Bool] = []
    /// Drawn dimmed, and without the moving level, where power is to be saved.
    private(set) var savesPower = false
    /// What can be made again goes when memory is short.
    private(set) var levels: [Float] = []
    private(set) var recorder: AVAudioRecorder?

    let file: URL
    private let longest: Duration
    private let session = AVAudioSession.sharedInstance()
    /// Tells that the microphone is open while nobody sees this screen.
    private var banner: RecordingStatusNotification?
    private var observers: [any NSObjectProtocol] = []
    private var tasks: [Task<Void, Never>] = []

    /// - Parameter longest: when a recording stops by itself, in the time of day and not of sound.
    init(file: URL, longest: Duration) {
        self.file = file
        self.longest = longest
        super.init()
    }

    // MARK: The screen comes and goes

    func viewDidLoad() {
        observe(AVAudioSession.interruptionNotification) { screen, note in screen.interruption(note.userInfo) }
        savesPower = ProcessInfo.processInfo.isLowPowerModeEnabled
        observe(.NSProcessInfoPowerStateDidChange) { screen, _ in
            screen.savesPower = ProcessInfo.processInfo.isLowPowerModeEnabled
        }
        // What UIKit tells an app on an iPhone: in front or not, and that memory is short.
        let updates = SystemStatus.updates
        tasks.append(
            Task { [weak self] in
                var last: SystemStatus?
                for await status in updates {
                    if let last { self?.changed(from: last, to: status) }
                    last = status
                }
            }
        )
        configureSession()
        session.requestRecordPermission { [weak self] allowed in
            DispatchQueue.main.async { self?.isAllowed = allowed }
        }
    }

    func viewDidDisappear() {
        for observer in observers { NotificationCenter.default.removeObserver(observer) }
        for task in tasks { task.cancel() }
        (observers, tasks, banner) = ([], [], nil)
    }

    private func observe(
        _ name: Notification.Name,
        _ body: @escaping @MainActor (BackgroundRecorderScreen, Notice) -> Void
    ) {
        let token = NotificationCenter.default.addObserver(forName: name, object: nil, queue: .main) {
            [weak self] note in
            let notice = Notice(note)
            MainActor.assumeIsolated { if let self { body(self, notice) } }
        }
        observers.append(token)
    }

    private func changed(from last: SystemStatus, to now: SystemStatus) {
        if now.memoryPressure > last.memoryPressure { levels = [] }
        guard now.appState != last.appState else { return }
        switch now.appState {
        case .background: if let recorder { banner = RecordingStatusNotification(for: recorder) }
        case .foreground: cameToFront()
        case .suspended, .terminated: break
        }
    }

    private func cameToFront() {
        banner?.end()
        banner = nil
        // Without this the route stays the one of before. Not while it records: that would end the recording.
        guard recorder?.isRecording != true else { return }
        do {
            try session.setActive(false)
            if state != .interrupted { configureSession() }
        } catch {
            failure = error.localizedDescription
        }
    }

    private func configureSession() {
        do {
            try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetoothA2DP])
            try session.setActive(true)
        } catch {
            failure = error.localizedDescription
        }
    }

    // MARK: Buttons

    func recordTapped() {
        guard isAllowed == true else { return }
        if state == .recording || state == .interrupted { recorder?.stop() } else { startRecording() }
    }

    private func startRecording() {
        failure = nil
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatMPEG4AAC,
            AVSampleRateKey: 44100,
            AVNumberOfChannelsKey: 1,
            AVEncoderBitRateKey: 96000,
        ]
        do {
            let recorder = try AVAudioRecorder(url: file, settings: settings)
            recorder.delegate = self
            recorder.isMeteringEnabled = true
            recorder.options.partLength = .seconds(300)
            recorder.options.deadline = .after(longest)
            guard recorder.record() else { return failure = failure ?? "Recording did not start." }
            self.recorder = recorder
            state = .recording
        } catch {
            failure = error.localizedDescription
        }
    }

    func resumeTapped() {
        guard isResumeButtonShown else { return }
        goOn()
    }

    /// The clock of the screen.
    func tick() {
        guard let recorder, recorder.isRecording, !savesPower else { return }
        recorder.updateMeters()
        levels.append(recorder.averagePower(forChannel: 0))
    }

    // MARK: Interruptions

    private func interruption(_ info: Notice.Info) {
        guard let type = info.type else { return }
        switch type {
        case .began:
            guard state == .recording else { return }
            recorder?.pause()
            state = .interrupted
            isResumeButtonShown = false
        case .ended:
            guard state == .interrupted else { return }
            if info.options.contains(.shouldResume) { goOn() } else { isResumeButtonShown = true }
        @unknown default: break
        }
    }

    private func goOn() {
        do {
            try session.setActive(true)
            guard recorder?.record() == true else { return isResumeButtonShown = true }
            state = .recording
            isResumeButtonShown = false
        } catch {
            failure = error.localizedDescription
            isResumeButtonShown = true
        }
    }

    /// The deadline, a full disk, or the button: whoever ended it, the person sees one file.
    private func recordingEnded(successfully flag: Bool) {
        recordingsEnded.append(flag)
        isResumeButtonShown = false
        banner?.end()
        banner = nil
        state = .saving
        guard let recorder else { return }
        Task {
            do {
                let joined = try await recorder.joinedRecording()
                state = .saved(frames: joined?.frames ?? 0)
            } catch {
                failure = "\(error)"
                state = .ready
            }
            try? session.setActive(false, options: .notifyOthersOnDeactivation)
        }
    }
}

extension BackgroundRecorderScreen: AVAudioRecorderDelegate {
    nonisolated func audioRecorderDidFinishRecording(_ recorder: AVAudioRecorder, successfully flag: Bool) {
        Task { @MainActor in recordingEnded(successfully: flag) }
    }

    nonisolated func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        let text = error?.localizedDescription
        Task { @MainActor in failure = text ?? failure }
    }
}

/// What of a notification goes to the main actor: values only.
struct Notice: Sendable {
    struct Info: Sendable {
        var type: AVAudioSession.InterruptionType?
        var options: AVAudioSession.InterruptionOptions = []
    }

    let userInfo: Info

    init(_ note: Notification) {
        var info = Info()
        info.type = (note.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt).flatMap {
            AVAudioSession.InterruptionType(rawValue: $0)
        }
        if let options = note.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt {
            info.options = AVAudioSession.InterruptionOptions(rawValue: options)
        }
        userInfo = info
    }
}
