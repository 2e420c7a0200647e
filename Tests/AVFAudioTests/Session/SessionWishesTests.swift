import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Apple's signatures of the members that came after iOS 13, one by one, and what they do here.
private protocol LaterSessionProtocol: AnyObject {
    var isOtherAudioPlaying: Bool { get }
    var secondaryAudioShouldBeSilencedHint: Bool { get }
    var promptStyle: AVAudioSession.PromptStyle { get }
    var prefersNoInterruptionsFromSystemAlerts: Bool { get }
    func setPrefersNoInterruptionsFromSystemAlerts(_ inValue: Bool) throws
    var prefersInterruptionOnRouteDisconnect: Bool { get }
    func setPrefersInterruptionOnRouteDisconnect(_ inValue: Bool) throws
    func setAggregatedIOPreference(_ inIOType: AVAudioSession.IOType) throws
    var preferredInputOrientation: AVAudioSession.StereoOrientation { get }
    func setPreferredInputOrientation(_ orientation: AVAudioSession.StereoOrientation) throws
    var inputOrientation: AVAudioSession.StereoOrientation { get }
    var supportsMultichannelContent: Bool { get }
    func setSupportsMultichannelContent(_ inValue: Bool) throws
    var renderingMode: AVAudioSession.RenderingMode { get }
    var supportedOutputChannelLayouts: [AVAudioChannelLayout] { get }
    var isEchoCancelledInputAvailable: Bool { get }
    var isEchoCancelledInputEnabled: Bool { get }
    var prefersEchoCancelledInput: Bool { get }
    func setPrefersEchoCancelledInput(_ value: Bool) throws
    var isMicrophoneInjectionAvailable: Bool { get }
    var preferredMicrophoneInjectionMode: AVAudioSession.MicrophoneInjectionMode { get }
    func setPreferredMicrophoneInjectionMode(_ inValue: AVAudioSession.MicrophoneInjectionMode) throws
    var isOutputMuted: Bool { get }
    func setOutputMuted(_ muted: Bool) throws
}

extension AVAudioSession: LaterSessionProtocol {}

@Suite struct SessionWishesTests {
    @Test func wishesAreKept() throws {
        let session = SessionStage().session
        #expect(!session.prefersNoInterruptionsFromSystemAlerts)
        try session.setPrefersNoInterruptionsFromSystemAlerts(true)
        #expect(session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.prefersInterruptionOnRouteDisconnect)
        try session.setPrefersInterruptionOnRouteDisconnect(false)
        #expect(!session.prefersInterruptionOnRouteDisconnect)
        #expect(session.prefersNoInterruptionsFromSystemAlerts)
        #expect(session.preferredInputOrientation == .none)
        try session.setPreferredInputOrientation(.landscapeLeft)
        #expect(session.preferredInputOrientation == .landscapeLeft)
        #expect(session.inputOrientation == .none)
        try session.setSupportsMultichannelContent(true)
        #expect(session.supportsMultichannelContent)
        try session.setAggregatedIOPreference(.aggregated)
        #expect(session.supportedOutputChannelLayouts.isEmpty)
    }

    @Test func whatIsNotThereIsRefused() throws {
        let session = SessionStage().session
        #expect(!session.isEchoCancelledInputAvailable && !session.isEchoCancelledInputEnabled)
        #expect(code { try session.setPrefersEchoCancelledInput(true) } == .resourceNotAvailable)
        try session.setPrefersEchoCancelledInput(false)
        #expect(!session.prefersEchoCancelledInput)
        #expect(!session.isMicrophoneInjectionAvailable)
        #expect(code { try session.setPreferredMicrophoneInjectionMode(.spokenAudio) } == .resourceNotAvailable)
        try session.setPreferredMicrophoneInjectionMode(.none)
        #expect(session.preferredMicrophoneInjectionMode == .none)
    }

    @Test func alarmsMayBeKeptAway() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.record)
        try stage.session.setActive(true)
        try stage.session.setPrefersNoInterruptionsFromSystemAlerts(true)
        stage.arbiter.tell(.began(.alarm))
        #expect(stage.session.core.isActive)
        stage.arbiter.tell(.began(.call))
        #expect(!stage.session.core.isActive)
        #expect(stage.session.promptStyle == .none)
    }

    @Test func renderingAndPrompts() throws {
        let stage = SessionStage()
        try stage.session.setCategory(.playback)
        try stage.session.setActive(true)
        #expect(stage.session.renderingMode == .notApplicable)
        let client = FakeClient(.playback)
        let activity = try stage.session.core.begin(client)
        #expect(stage.session.renderingMode == .monoStereo)
        activity.end()
        #expect(stage.session.promptStyle == .normal)
        stage.arbiter.tell(.othersChanged(OtherAudio(isPlaying: true, isPrimary: true)))
        #expect(stage.session.promptStyle == .short)
    }

    /// A muted input records silence from the next frame on, and says so once.
    @Test func systemSoundsAreHeldBackWhileTheProgramRecords() throws {
        let bench = try RecordingBench()
        let settings: [String: Any] = [
            AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1,
        ]
        let recorder = try bench.recorder("take.wav", settings)
        #expect(recorder.record())
        #expect(!bench.session.holdsBackSystemSounds, "no category was chosen, as on macOS")
        recorder.stop()
        try bench.audioSession.setCategory(.playAndRecord)
        #expect(!bench.session.holdsBackSystemSounds)
        #expect(recorder.record())
        #expect(bench.session.holdsBackSystemSounds)
        try bench.audioSession.setAllowHapticsAndSystemSoundsDuringRecording(true)
        #expect(!bench.session.holdsBackSystemSounds)
        try bench.audioSession.setAllowHapticsAndSystemSoundsDuringRecording(false)
        recorder.pause()
        #expect(!bench.session.holdsBackSystemSounds)
        #expect(recorder.record())
        #expect(bench.session.holdsBackSystemSounds)
        recorder.stop()
        #expect(!bench.session.holdsBackSystemSounds)
    }

    @Test func mutedInput() throws {
        let bench = try RecordingBench()
        let application = AVAudioApplication(core: bench.session)
        let heard = Recorded<Int>()
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioApplication.inputMuteStateChangeNotification,
            object: application,
            queue: nil
        ) { heard.append($0.userInfo?[AVAudioApplication.muteStateKey] as? Int ?? -1) }
        defer { NotificationCenter.default.removeObserver(token) }
        let recorder = try bench.recorder(
            "take.wav",
            [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1]
        )
        let sound = RecordingBench.sine(1_000, rate: 8_000)
        #expect(recorder.record())
        bench.host.capture?.hear(sound)
        try application.setInputMuted(true)
        try application.setInputMuted(true)
        #expect(application.isInputMuted)
        bench.host.capture?.hear(sound)
        try application.setInputMuted(false)
        bench.host.capture?.hear(sound)
        recorder.stop()
        bench.settle()
        #expect(heard.all == [1, 0])
        let file = try AVAudioFile(forReading: bench.scratch.file("take.wav"))
        let format = file.processingFormat
        let buffer = try #require(AVAudioPCMBuffer(pcmFormat: format, frameCapacity: 3_000))
        try file.read(into: buffer)
        #expect(buffer.frameLength == 3_000)
        let samples = try #require(buffer.floatChannelData)[0]
        let peaks = (0..<3).map { part in (0..<1_000).map { abs(samples[part * 1_000 + $0]) }.max() ?? -1 }
        #expect(peaks[0] > 0.09 && peaks[2] > 0.09)
        #expect(peaks[1] == 0)
    }

    /// Muted before it starts, and a handler that may refuse.
    @Test func mutedBeforeTheStart() throws {
        let bench = try RecordingBench()
        let application = AVAudioApplication(core: bench.session)
        let asked = Recorded<Bool>()
        try application.setInputMuteStateChangeHandler { isMuted in
            asked.append(isMuted)
            return isMuted
        }
        try application.setInputMuted(true)
        #expect(code { try application.setInputMuted(false) } == .unspecified)
        #expect(application.isInputMuted)
        #expect(asked.all == [true, false])
        let recorder = try bench.recorder(
            "take.wav",
            [AVFormatIDKey: kAudioFormatLinearPCM, AVSampleRateKey: 8_000, AVNumberOfChannelsKey: 1]
        )
        recorder.isMeteringEnabled = true
        #expect(recorder.record())
        bench.host.capture?.hear(RecordingBench.sine(2_000, rate: 8_000))
        recorder.updateMeters()
        #expect(recorder.peakPower(forChannel: 0) == -160)
        recorder.stop()
    }

    @Test func mutedOutput() throws {
        let stage = SessionStage()
        let heard = Recorded<Int>()
        let token = NotificationCenter.default.addObserver(
            forName: AVAudioSession.outputMuteStateChangeNotification,
            object: stage.session,
            queue: nil
        ) { heard.append($0.userInfo?[AVAudioSession.muteStateKey] as? Int ?? -1) }
        defer { NotificationCenter.default.removeObserver(token) }
        try stage.session.setOutputMuted(true)
        try stage.session.setOutputMuted(true)
        #expect(stage.session.isOutputMuted)
        try stage.session.setOutputMuted(false)
        stage.settle()
        #expect(heard.all == [1, 0])
    }
}

/// Bluetooth devices are taken where the options allow it, and nowhere else.
@Suite struct SessionBluetoothTests {
    private static let headset = DeviceDescription.usbMicrophone.with {
        $0.id = "headset-in"
        $0.port = .bluetooth
        $0.isDefault = true
    }
    private static let earphones = DeviceDescription.headphones.with {
        $0.id = "headset-out"
        $0.port = .bluetooth
    }
    /// The headset is the default in both directions.
    private static let devices: [DeviceDescription] = [
        .microphone.with { $0.isDefault = false }, .speaker.with { $0.isDefault = false }, headset, earphones,
    ]

    private func plans(
        _ category: AVAudioSession.Category,
        _ options: AVAudioSession.CategoryOptions = []
    ) throws -> (route: [String], pins: [String?]) {
        let stage = SessionStage(Self.devices)
        try stage.session.setCategory(category, options: options)
        stage.settle()
        let route = stage.session.currentRoute
        let core = stage.session.core
        return (
            (route.inputs + route.outputs).map(\.uid),
            [core.streamPlan(for: .recording).deviceID, core.streamPlan(for: .playback).deviceID]
        )
    }

    /// A pin of nil follows the default, which is the headset.
    @Test func optionsDecide() throws {
        #expect(try plans(.playback).route == ["headset-out"])
        #expect(try plans(.playback).pins[1] == nil)
        let neither = try plans(.playAndRecord)
        #expect(neither.route == ["mic", "speaker"])
        #expect(neither.pins == ["mic", "speaker"])
        let music = try plans(.playAndRecord, .allowBluetoothA2DP)
        #expect(music.route == ["mic", "headset-out"])
        #expect(music.pins == ["mic", nil])
        let speech = try plans(.playAndRecord, .allowBluetoothHFP)
        #expect(speech.route == ["headset-in", "headset-out"])
        #expect(speech.pins == [nil, nil])
        #expect(try plans(.record).route == ["mic"])
        #expect(try plans(.record, .allowBluetoothHFP).route == ["headset-in"])
    }

    /// Without a category nothing is kept from a program.
    @Test func withoutACategory() {
        let session = SessionStage(Self.devices).session
        #expect(session.core.streamPlan(for: .recording).deviceID == nil)
        #expect(session.availableInputs?.map(\.uid) == ["mic", "headset-in"])
    }

    /// What the options forbid cannot be chosen either.
    @Test func forbiddenInputsCannotBeChosen() throws {
        let session = SessionStage(Self.devices).session
        let headset = try #require(session.availableInputs?.last)
        try session.setCategory(.record)
        #expect(session.availableInputs?.map(\.uid) == ["mic"])
        #expect(code { try session.setPreferredInput(headset) } == .badParam)
        try session.setCategory(.record, options: .allowBluetoothHFP)
        try session.setPreferredInput(headset)
        #expect(session.preferredInput?.uid == "headset-in")
    }
}
