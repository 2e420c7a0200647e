import AVFoundation

extension RecordOptions {
    /// The settings of `AVAudioRecorder` that the options stand for.
    package var settings: [String: Any] {
        var settings: [String: Any] = [
            AVFormatIDKey: formatID,
            AVSampleRateKey: rate,
            AVNumberOfChannelsKey: channels,
        ]
        if let bitRate { settings[AVEncoderBitRateKey] = bitRate }
        if let quality { settings[AVEncoderAudioQualityKey] = quality.value.rawValue }
        if format == .pcm {
            settings[AVLinearPCMBitDepthKey] = bitDepth ?? 16
            settings[AVLinearPCMIsFloatKey] = false
            settings[AVLinearPCMIsBigEndianKey] = fileExtension.hasPrefix("aif")
            settings[AVLinearPCMIsNonInterleaved] = false
        } else if let bitDepth {
            settings[AVEncoderBitDepthHintKey] = bitDepth
        }
        return settings
    }

    private var formatID: AudioFormatID {
        switch format {
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .pcm: kAudioFormatLinearPCM
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        }
    }

    /// Settings that cannot be met are reported by the recorder in the names of its keys; here stands which option set
    /// each.
    package static func explaining(_ message: String) -> String {
        let options = [
            (AVFormatIDKey, format), (AVSampleRateKey, rate), (AVNumberOfChannelsKey, channels),
            (AVEncoderBitRateKey, bitRate), (AVEncoderAudioQualityKey, quality), (AVLinearPCMBitDepthKey, bitDepth),
            (AVEncoderBitDepthHintKey, bitDepth),
        ]
        let concerned = options.filter { message.contains($0.0) }.map { "--" + $0.1.name }
        return concerned.isEmpty ? message : message + " (\(concerned.joined(separator: ", ")))"
    }
}

extension RecordOptions.Quality {
    fileprivate var value: AVAudioQuality {
        switch self {
        case .min: .min
        case .low: .low
        case .medium: .medium
        case .high: .high
        case .max: .max
        }
    }
}
