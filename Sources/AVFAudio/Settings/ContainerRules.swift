import AudioCore
import AudioToolbox

/// Which file holds what: the one table of recorders and files.
enum ContainerRules {
    /// The formats that a container takes, and the one that is made where a program names none.
    static func formats(of container: ContainerKind) -> (allowed: [AudioFormatID], usual: AudioFormatID) {
        switch container {
        case .m4a: ([kAudioFormatMPEG4AAC, kAudioFormatAppleLossless], kAudioFormatMPEG4AAC)
        case .caf:
            (
                [
                    kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4,
                    kAudioFormatULaw, kAudioFormatALaw,
                ], kAudioFormatLinearPCM
            )
        case .wav: ([kAudioFormatLinearPCM, kAudioFormatULaw, kAudioFormatALaw], kAudioFormatLinearPCM)
        case .aiff: ([kAudioFormatLinearPCM], kAudioFormatLinearPCM)
        case .aifc:
            (
                [kAudioFormatLinearPCM, kAudioFormatAppleIMA4, kAudioFormatULaw, kAudioFormatALaw],
                kAudioFormatLinearPCM
            )
        case .flac: ([kAudioFormatFLAC], kAudioFormatFLAC)
        case .oggOpus: ([kAudioFormatOpus], kAudioFormatOpus)
        case .foreign: ([], kAudioFormatLinearPCM)
        }
    }

    /// The container that an `AudioFileTypeID` names; nil for one that is not written.
    static func container(fileType: AudioFileTypeID) -> ContainerKind? {
        switch fileType {
        case kAudioFileM4AType, kAudioFileMPEG4Type: .m4a
        case kAudioFileCAFType: .caf
        case kAudioFileWAVEType, kAudioFileRF64Type: .wav
        case kAudioFileAIFFType: .aiff
        case kAudioFileAIFCType: .aifc
        case kAudioFileFLACType: .flac
        default: nil
        }
    }

    /// What people call a format.
    static func name(_ format: AudioFormatID) -> String {
        switch format {
        case kAudioFormatLinearPCM: "linear PCM"
        case kAudioFormatMPEG4AAC: "AAC"
        case kAudioFormatAppleLossless: "Apple Lossless"
        case kAudioFormatAppleIMA4: "IMA4"
        case kAudioFormatULaw: "µ-law"
        case kAudioFormatALaw: "A-law"
        case kAudioFormatFLAC: "FLAC"
        case kAudioFormatOpus: "Opus"
        default: "'\(fourCharacters(format))'"
        }
    }

    static func fourCharacters(_ code: UInt32) -> String {
        let bytes = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: code >> UInt32($0)) }
        guard bytes.allSatisfy({ (0x20...0x7E).contains($0) }) else { return String(code) }
        return String(decoding: bytes, as: UTF8.self)
    }
}
