package import AudioCore
internal import AudioToolbox
package import Foundation

/// The domains in which Apple's audio classes report.
package enum AppleErrorDomain: Sendable {
    /// `AVAudioRecorder`, `AVAudioPlayer`, `AVAudioSession`.
    case osStatus
    /// `AVAudioFile` and the engine's classes.
    case avfaudio

    package var name: String {
        switch self {
        case .osStatus: NSOSStatusErrorDomain
        case .avfaudio: "com.apple.coreaudio.avfaudio"
        }
    }
}

extension AudioFailure {
    /// This failure as the recorder, the player and the session of Apple's systems report it.
    package var appleError: NSError { appleError(in: .osStatus) }

    /// This failure in Apple's domain and code, with what failed, why, what helps, and the system's error beneath it.
    package func appleError(in domain: AppleErrorDomain) -> NSError {
        let row = refusal.map(Self.row(of:)) ?? (argument == nil ? Self.row(of: code) : Self.settings)
        var userInfo: [String: Any] = [
            NSLocalizedDescriptionKey: message,
            NSLocalizedFailureReasonErrorKey: row.reason,
        ]
        if let help = row.help { userInfo[NSLocalizedRecoverySuggestionErrorKey] = help }
        if let path { userInfo[NSFilePathErrorKey] = path }
        if let errno {
            userInfo[NSUnderlyingErrorKey] = NSError(domain: NSPOSIXErrorDomain, code: Int(errno))
        }
        return NSError(domain: domain.name, code: Int(row.status), userInfo: userInfo)
    }

    /// The one table from our failures to Apple's codes. Four-character codes of the session are those of
    /// `AVAudioSession.ErrorCode`; −34, −36, −48 and −128 are the file manager's (MacErrors.h).
    private static func row(of code: Code) -> (status: OSStatus, reason: String, help: String?) {
        switch code {
        case .serverUnavailable:
            (
                fourCharacters("msrv"), "The sound server does not answer.",
                "Start PulseAudio or PipeWire, then try again."
            )
        case .deviceUnavailable:
            (fourCharacters("!res"), "The audio device is not there.", "Connect the device, or choose another.")
        case .permissionDenied:
            (
                fourCharacters("!rec"), "Access to the device is refused.",
                "Allow access to the microphone, then try again."
            )
        case .notFound:
            (kAudioFileFileNotFoundError, "The file or folder does not exist.", nil)
        case .alreadyExists:
            (-48, "A file of that name is already there.", "Choose another name, or remove the file first.")
        case .accessDenied:
            (
                kAudio_FilePermissionError, "The file system refuses access.",
                "Check the permissions of the file and folder."
            )
        case .noSpace:
            (-34, "There is no space left.", "Free some space, then go on.")
        case .inputOutput:
            (-36, "The device or the file system reported an error.", nil)
        case .unsupported:
            (kAudioFileUnsupportedDataFormatError, "This kind of audio is not supported.", nil)
        case .invalidArgument:
            (kAudio_ParamError, "An argument is outside of what is allowed.", nil)
        case .malformedMedia:
            (kAudioFileInvalidFileError, "The file is damaged, or not of the kind it says.", nil)
        case .limitReached:
            (kAudioFileUnspecifiedError, "A limit of time, memory or size was reached.", nil)
        case .cancelled:
            (-128, "The operation was cancelled.", nil)
        case .busy:
            (fourCharacters("!act"), "The object is doing something that excludes this.", "Stop what is running first.")
        case .internal:
            (kAudioFileUnspecifiedError, "An unexpected state was reached.", nil)
        }
    }

    /// What the session refuses with.
    private static func row(of refusal: SessionRefusal) -> (status: OSStatus, reason: String, help: String?) {
        let status: OSStatus =
            switch refusal {
            case .insufficientPriority: fourCharacters("!pri")
            case .cannotInterruptOthers: fourCharacters("!int")
            case .siriIsRecording: fourCharacters("siri")
            case .cannotStartPlaying: fourCharacters("!pla")
            case .cannotStartRecording: fourCharacters("!rec")
            }
        return (status, refusal.message, nil)
    }

    /// A value of the settings that cannot be met: the recorder of iOS answers 'fmt?' to all of them.
    private static let settings: (status: OSStatus, reason: String, help: String?) = (
        kAudioFileUnsupportedDataFormatError, "The settings ask for what cannot be made.", nil
    )

    private static func fourCharacters(_ text: StaticString) -> OSStatus {
        text.withUTF8Buffer { bytes in bytes.reduce(0) { $0 << 8 | OSStatus($1) } }
    }
}
