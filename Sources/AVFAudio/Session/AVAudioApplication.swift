public import Foundation

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
