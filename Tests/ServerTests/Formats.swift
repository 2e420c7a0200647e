import AVFAudio

/// The formats that a recorder makes, each with the rates that its codec allows.
enum Format: String, CaseIterable {
    case aac, alac, ima4, pcm, flac, opus

    var container: String {
        switch self {
        case .aac, .alac: "m4a"
        case .ima4: "caf"
        case .pcm: "wav"
        case .flac: "flac"
        case .opus: "opus"
        }
    }

    var formatID: AudioFormatID {
        switch self {
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .pcm: kAudioFormatLinearPCM
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        }
    }

    var rates: [Double] {
        self == .opus ? [8_000, 12_000, 16_000, 48_000] : [8_000, 12_000, 16_000, 22_050, 44_100, 48_000]
    }
}

/// One recording of the suite.
struct FormatCase: Sendable {
    var format: Format
    var rate: Double
    var channels: Int

    var name: String { "\(format.rawValue)-\(Int(rate))-\(channels).\(format.container)" }

    var settings: [String: Any] {
        [AVFormatIDKey: format.formatID, AVSampleRateKey: rate, AVNumberOfChannelsKey: channels]
    }

    static let all: [FormatCase] = Format.allCases.flatMap { format in
        format.rates.flatMap { rate in [1, 2].map { FormatCase(format: format, rate: rate, channels: $0) } }
    }
}
