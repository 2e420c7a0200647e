import AVFAudio
import AudioCore
import Foundation
import Testing

/// What client code writes to replace the session in its own tests: Apple's signatures, one by one. That this file
/// compiles is the test of the signatures.
private protocol AudioSessionProtocol: AnyObject {
    var availableCategories: [AVAudioSession.Category] { get }
    func setCategory(_ category: AVAudioSession.Category) throws
    func setCategory(_ category: AVAudioSession.Category, options: AVAudioSession.CategoryOptions) throws
    func setCategory(
        _ category: AVAudioSession.Category,
        mode: AVAudioSession.Mode,
        options: AVAudioSession.CategoryOptions
    ) throws
    func setCategory(
        _ category: AVAudioSession.Category,
        mode: AVAudioSession.Mode,
        policy: AVAudioSession.RouteSharingPolicy,
        options: AVAudioSession.CategoryOptions
    ) throws
    var category: AVAudioSession.Category { get }
    var categoryOptions: AVAudioSession.CategoryOptions { get }
    var routeSharingPolicy: AVAudioSession.RouteSharingPolicy { get }
    var availableModes: [AVAudioSession.Mode] { get }
    func setMode(_ mode: AVAudioSession.Mode) throws
    var mode: AVAudioSession.Mode { get }
    func setActive(_ active: Bool) throws
    func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions) throws
    var recordPermission: AVAudioSession.RecordPermission { get }
    func requestRecordPermission(_ response: @escaping (Bool) -> Void)
    func setAllowHapticsAndSystemSoundsDuringRecording(_ inValue: Bool) throws
    var allowHapticsAndSystemSoundsDuringRecording: Bool { get }
    func overrideOutputAudioPort(_ portOverride: AVAudioSession.PortOverride) throws
    func setPreferredInput(_ inPort: AVAudioSessionPortDescription?) throws
    var preferredInput: AVAudioSessionPortDescription? { get }
    func setPreferredSampleRate(_ sampleRate: Double) throws
    var preferredSampleRate: Double { get }
    func setPreferredIOBufferDuration(_ duration: TimeInterval) throws
    var preferredIOBufferDuration: TimeInterval { get }
    func setPreferredInputNumberOfChannels(_ count: Int) throws
    var preferredInputNumberOfChannels: Int { get }
    func setPreferredOutputNumberOfChannels(_ count: Int) throws
    var preferredOutputNumberOfChannels: Int { get }
    var maximumInputNumberOfChannels: Int { get }
    var maximumOutputNumberOfChannels: Int { get }
    func setInputGain(_ gain: Float) throws
    var inputGain: Float { get }
    var isInputGainSettable: Bool { get }
    var isInputAvailable: Bool { get }
    var inputDataSources: [AVAudioSessionDataSourceDescription]? { get }
    var inputDataSource: AVAudioSessionDataSourceDescription? { get }
    func setInputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws
    var outputDataSources: [AVAudioSessionDataSourceDescription]? { get }
    var outputDataSource: AVAudioSessionDataSourceDescription? { get }
    func setOutputDataSource(_ dataSource: AVAudioSessionDataSourceDescription?) throws
    var sampleRate: Double { get }
    var inputNumberOfChannels: Int { get }
    var outputNumberOfChannels: Int { get }
    var inputLatency: TimeInterval { get }
    var outputLatency: TimeInterval { get }
    var ioBufferDuration: TimeInterval { get }
    var outputVolume: Float { get }
    var availableInputs: [AVAudioSessionPortDescription]? { get }
    var currentRoute: AVAudioSessionRouteDescription { get }
}

extension AVAudioSession: AudioSessionProtocol {}

/// A subclass as client code writes it.
private final class CountingSession: AVAudioSession, @unchecked Sendable {
    // Unchecked: one test on one thread.
    var calls: [String] = []

    override func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions = []) throws {
        calls.append("setActive \(active) \(options.rawValue)")
        try super.setActive(active, options: options)
    }

    override var outputVolume: Float { 0.75 }
}

@Suite struct SessionWitnessTests {
    @Test func theSessionStandsForAClientsProtocol() throws {
        let session: any AudioSessionProtocol = SessionStage().session
        try session.setCategory(.playAndRecord, mode: .default, options: [.defaultToSpeaker, .allowBluetoothA2DP])
        try session.setActive(true)
        #expect(session.category == .playAndRecord)
        #expect(session.categoryOptions == [.defaultToSpeaker, .allowBluetoothA2DP])
    }

    @Test func subclassesOverrideWhatTheyLike() throws {
        let stage = SessionStage()
        let session = CountingSession(runtime: stage.session.core.runtimeSource())
        try session.setActive(true)
        try session.setActive(false, options: .notifyOthersOnDeactivation)
        #expect(session.calls == ["setActive true 0", "setActive false 1"])
        #expect(session.outputVolume == 0.75)
    }

    @Test func thereIsOneSession() {
        let session = AVAudioSession.sharedInstance()
        #expect(session === AVAudioSession.sharedInstance())
        #expect(AVAudioApplication.shared === AVAudioApplication.shared)
        // Another instance is another face of the same state.
        #expect(AVAudioSession().core === session.core)
    }

    /// Both forms of Apple's request exist with their types; calling them would ask the machine's own sound server.
    @Test func theApplicationAsksInBothForms() {
        let asynchronous: () async -> Bool = AVAudioApplication.requestRecordPermission
        let withHandler: (@escaping @Sendable (Bool) -> Void) -> Void =
            AVAudioApplication.requestRecordPermission(completionHandler:)
        _ = (asynchronous, withHandler)
    }
}
