public import Foundation
import Synchronization

/// A program's handler, which any thread may call that mutes.
private struct InputMuteHandler: @unchecked Sendable {
    // Unchecked: Apple's signature asks for no `Sendable`; it is called on the thread of the program's own call.
    let body: (Bool) -> Bool
}

/// What concerns the audio of the whole program: the right to record.
open class AVAudioApplication: NSObject, @unchecked Sendable {
    // Unchecked because the class is open: it has no state but the session's core, whose lock guards it.
    private let core: SessionCore

    private static let instance = AVAudioApplication(core: .shared)

    /// The program.
    open class var shared: AVAudioApplication { instance }

    package init(core: SessionCore) {
        self.core = core
        super.init()
    }

    // swift-format-ignore: TypeNamesShouldBeCapitalized
    /// Whether the program may record. Apple's name for the type begins with a small letter.
    @nonexhaustive
    public enum recordPermission: Int, Sendable {
        /// Nobody has asked yet: 'undt'.
        case undetermined = 0x756E_6474
        /// Refused: 'deny'.
        case denied = 0x6465_6E79
        /// Allowed: 'grnt'.
        case granted = 0x6772_6E74
    }

    /// Whether the program may put speech into another program's input.
    @nonexhaustive
    public enum MicrophoneInjectionPermission: Int, Sendable {
        /// The user has switched the service off: 'srds'.
        case serviceDisabled = 0x7372_6473
        /// Nobody has asked yet: 'undt'.
        case undetermined = 0x756E_6474
        /// Refused: 'deny'.
        case denied = 0x6465_6E79
        /// Allowed: 'grnt'.
        case granted = 0x6772_6E74
    }

    /// The program's input was muted or unmuted.
    public static let inputMuteStateChangeNotification = NSNotification.Name(
        "AVAudioApplicationInputMuteStateChangeNotification"
    )

    /// Of `inputMuteStateChangeNotification`: an `NSNumber`, 1 for muted.
    public static let muteStateKey = "AVAudioApplicationMuteStateKey"

    // MARK: Mute

    private let handler = Mutex<InputMuteHandler?>(nil)

    /// Whether what the program records is silence. False until set; a microphone that is switched off in the mixer is another
    /// thing.
    open var isInputMuted: Bool { core.isInputMuted }

    /// Makes all recorders of the program record silence, also those that start later, or what they hear again.
    ///
    /// A handler is asked first. `inputMuteStateChangeNotification` tells of the change, on the main queue.
    /// - Throws: `AVAudioSession.ErrorCode.unspecified` where the handler answers false; nothing changes then.
    open func setInputMuted(_ muted: Bool) throws {
        if core.isInputMuted == muted { return }
        if let handler = handler.withLock({ $0 }), !handler.body(muted) {
            throw SessionError.make(.unspecified, "Muting the input failed", "The program's handler refused.")
        }
        let number = NSNumber(value: muted ? 1 : 0)
        core.setInputMuted(muted) { [self] in
            NotificationCenter.default.post(
                name: Self.inputMuteStateChangeNotification,
                object: self,
                userInfo: [Self.muteStateKey: number]
            )
        }
    }

    /// Asked before the input is muted or unmuted, on the thread of the call; nil for nobody. It answers whether the program
    /// has done its part.
    open func setInputMuteStateChangeHandler(_ inputMuteHandler: ((Bool) -> Bool)?) throws {
        let wrapped = inputMuteHandler.map { InputMuteHandler(body: $0) }
        handler.withLock { $0 = wrapped }
    }

    // MARK: Permission

    /// `.serviceDisabled`: speech cannot be put into another program's input.
    open var microphoneInjectionPermission: AVAudioApplication.MicrophoneInjectionPermission { .serviceDisabled }

    /// Answers `.serviceDisabled`, on the main queue: there is nothing to ask for.
    open class func requestMicrophoneInjectionPermission(
        completionHandler response: @escaping @Sendable (AVAudioApplication.MicrophoneInjectionPermission) -> Void
    ) {
        shared.core.answerLater { response(.serviceDisabled) }
    }

    /// Answers `.serviceDisabled`: there is nothing to ask for.
    open class func requestMicrophoneInjectionPermission() async
        -> AVAudioApplication.MicrophoneInjectionPermission
    { .serviceDisabled }

    /// Whether the program may record, as far as it has been asked; as `AVAudioSession.recordPermission`.
    open var recordPermission: AVAudioApplication.recordPermission {
        switch core.permission() {
        case .undetermined: .undetermined
        case .denied: .denied
        case .granted: .granted
        }
    }

    /// Asks whether the program may record, and gives the answer later on the main queue; as
    /// `AVAudioSession.requestRecordPermission(_:)`.
    @preconcurrency
    open class func requestRecordPermission(completionHandler response: @escaping @Sendable (Bool) -> Void) {
        shared.core.requestPermission(response)
    }

    /// Asks whether the program may record; as `AVAudioSession.requestRecordPermission(_:)`.
    open class func requestRecordPermission() async -> Bool {
        await withCheckedContinuation { continuation in
            shared.core.requestPermission { continuation.resume(returning: $0) }
        }
    }
}
