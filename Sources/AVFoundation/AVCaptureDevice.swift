import AVFAudio
public import Foundation

/// Whether the program may use a kind of device.
@nonexhaustive
public enum AVAuthorizationStatus: Int, Sendable {
    /// Nobody has asked yet.
    case notDetermined = 0
    /// There is no such thing here, whatever the user says.
    case restricted = 1
    /// Refused.
    case denied = 2
    /// Allowed.
    case authorized = 3
}

/// The right to use microphones: the third door to it beside `AVAudioSession` and `AVAudioApplication`. Devices themselves are
/// not offered by this class.
open class AVCaptureDevice: NSObject {
    /// Apple makes no device this way either.
    @available(*, unavailable, message: "Devices are not offered by this class")
    public override init() { super.init() }

    /// Whether the program may record, for `.audio`; as `AVAudioSession.recordPermission`. `.restricted` for every other kind:
    /// only sound is captured here.
    open class func authorizationStatus(for mediaType: AVMediaType) -> AVAuthorizationStatus {
        guard mediaType == .audio else { return .restricted }
        return switch SessionCore.shared.permission() {
        case .undetermined: .notDetermined
        case .denied: .denied
        case .granted: .authorized
        }
    }

    /// Asks whether the program may record, for `.audio`, and gives the answer later on the main queue; as
    /// `AVAudioSession.requestRecordPermission(_:)`. False for every other kind.
    open class func requestAccess(
        for mediaType: AVMediaType,
        completionHandler handler: @escaping @Sendable (Bool) -> Void
    ) {
        if mediaType == .audio { return SessionCore.shared.requestPermission(handler) }
        SessionCore.shared.answerLater { handler(false) }
    }

    /// Asks whether the program may record, for `.audio`. False for every other kind.
    open class func requestAccess(for mediaType: AVMediaType) async -> Bool {
        await withCheckedContinuation { continuation in
            requestAccess(for: mediaType) { continuation.resume(returning: $0) }
        }
    }
}
