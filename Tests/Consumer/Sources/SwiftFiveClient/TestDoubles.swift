import AVFoundation

// Apps put protocols before Apple's classes, conform the classes to them, and subclass the classes in their tests.

protocol Recording: AnyObject {
    var isRecording: Bool { get }
    var currentTime: TimeInterval { get }
    var isMeteringEnabled: Bool { get set }
    @discardableResult func record() -> Bool
    @discardableResult func record(forDuration duration: TimeInterval) -> Bool
    func pause()
    func stop()
    func updateMeters()
    func averagePower(forChannel channelNumber: Int) -> Float
}

extension AVAudioRecorder: Recording {}

protocol Playing: AnyObject {
    var isPlaying: Bool { get }
    var duration: TimeInterval { get }
    var currentTime: TimeInterval { get set }
    var volume: Float { get set }
    var numberOfLoops: Int { get set }
    @discardableResult func play() -> Bool
    func pause()
    func stop()
}

extension AVAudioPlayer: Playing {}

protocol SessionProtocol {
    var category: AVAudioSession.Category { get }
    func setCategory(
        _ category: AVAudioSession.Category,
        mode: AVAudioSession.Mode,
        options: AVAudioSession.CategoryOptions
    ) throws
    func setActive(_ active: Bool, options: AVAudioSession.SetActiveOptions) throws
}

extension AVAudioSession: SessionProtocol {}

class SpyRecorder: AVAudioRecorder, @unchecked Sendable {
    var calls: [String] = []
    override var isRecording: Bool { calls.last == "record" }
    override func prepareToRecord() -> Bool {
        calls.append("prepare")
        return true
    }
    override func record() -> Bool {
        calls.append("record")
        return true
    }
    override func stop() { calls.append("stop") }
}

class SpyPlayer: AVAudioPlayer {
    var didPlay = false
    override func play() -> Bool {
        didPlay = true
        return true
    }
}

/// Errors are told apart by Apple's codes.
func explain(_ error: Error) -> String {
    let error = error as NSError
    if error.domain == NSOSStatusErrorDomain, error.code == Int(kAudioFileUnsupportedFileTypeError) { return "type" }
    if error.code == AVAudioSession.ErrorCode.isBusy.rawValue { return "busy" }
    if error.code == AVAudioSession.ErrorCode.insufficientPriority.rawValue { return "priority" }
    return error.localizedDescription
}
