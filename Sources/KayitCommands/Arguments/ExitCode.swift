package import RecordingKit

/// How the program ends: the numbers of sysexits.h, so that scripts can tell one failure from another.
package enum ExitCode: Int32, CaseIterable, Sendable {
    case success = 0
    case unexpected = 1
    case usage = 64
    case badData = 65
    case noInput = 66
    case unavailable = 69
    case software = 70
    case cannotCreate = 73
    case inputOutput = 74
    case permission = 77

    /// One line of the help text.
    package var meaning: String {
        switch self {
        case .success: "done; a recording that was stopped by q, Ctrl-C or a signal is done, too"
        case .unexpected: "a simulated scenario did not come out as it must"
        case .usage: "wrong option, or a setting that cannot be met"
        case .badData: "a file is not audio that can be read, or is damaged"
        case .noInput: "a file to be read does not exist"
        case .unavailable: "no sound server, or no such device"
        case .software: "a defect of this program"
        case .cannotCreate: "a file cannot be made, or is there already"
        case .inputOutput: "the disk is full or failed, or a recording ended by itself"
        case .permission: "the microphone, a file or a folder is not allowed"
        }
    }

    /// What a command was about: the same failure has another number for a file that is read and one that is made.
    package enum Purpose: Sendable { case reading, creating, devices }

    package init(_ error: RecordingError, _ purpose: Purpose) {
        switch error.code {
        case .serverUnavailable, .deviceUnavailable: self = .unavailable
        case .permissionDenied, .accessDenied: self = .permission
        case .alreadyExists, .busy: self = .cannotCreate
        case .notFound: self = purpose == .reading ? .noInput : .cannotCreate
        case .malformedMedia: self = .badData
        case .unsupported:
            switch purpose {
            case .reading: self = .badData
            case .creating: self = .usage
            case .devices: self = .unavailable
            }
        case .invalidArgument: self = .usage
        case .noSpace, .inputOutput, .limitReached, .cancelled: self = .inputOutput
        default: self = .software
        }
    }
}
