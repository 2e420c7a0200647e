import AVFoundation
import Foundation

/// The recorder of an app: it is interrupted, and goes on when it is told that it should, or when a person says so.
@MainActor
public final class VoiceMemo {
    /// What its screen shows.
    public enum Screen: Equatable { case idle, recording, interrupted, saved }

    /// What is shown now.
    public private(set) var screen = Screen.idle
    /// Where it records.
    public let file: URL
    private var recorder: AVAudioRecorder?
    private var observer: (any NSObjectProtocol)?

    /// A recorder to a file; nothing is opened yet.
    public init(file: URL) {
        self.file = file
        observer = NotificationCenter.default.addObserver(
            forName: AVAudioSession.interruptionNotification,
            object: AVAudioSession.sharedInstance(),
            queue: nil
        ) { [weak self] notification in
            // Values that may leave the notification; it comes on the main queue.
            let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt ?? 0
            let options = notification.userInfo?[AVAudioSessionInterruptionOptionKey] as? UInt ?? 0
            MainActor.assumeIsolated { self?.interrupted(type, options) }
        }
    }

    /// The app lets go of it.
    public func close() {
        if let observer { NotificationCenter.default.removeObserver(observer) }
        observer = nil
    }

    /// Starts, or goes on.
    /// - Throws: what the session or the recorder throws.
    public func pressRecord() throws {
        let session = AVAudioSession.sharedInstance()
        try session.setCategory(.playAndRecord)
        try session.setActive(true)
        let recorder =
            try self.recorder
            ?? AVAudioRecorder(
                url: file,
                settings: [
                    AVFormatIDKey: kAudioFormatAppleLossless, AVSampleRateKey: 44_100, AVNumberOfChannelsKey: 1,
                ]
            )
        self.recorder = recorder
        if recorder.record() { screen = .recording }
    }

    /// Ends the recording.
    public func pressStop() {
        recorder?.stop()
        recorder = nil
        screen = .saved
    }

    private func interrupted(_ type: UInt, _ options: UInt) {
        switch AVAudioSession.InterruptionType(rawValue: type) {
        case .began where screen == .recording: screen = .interrupted
        case .ended where screen == .interrupted:
            if AVAudioSession.InterruptionOptions(rawValue: options).contains(.shouldResume) { try? pressRecord() }
        default: break
        }
    }
}
