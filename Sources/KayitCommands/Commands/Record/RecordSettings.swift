import AVFoundation

extension RecordOptions {
    /// What was asked of an encoder; nil leaves it to where the settings go.
    package struct Encoding: Sendable {
        var format: Format?
        var rate: Double?
        var channels: Int?
        var bitRate: Int?
        var quality: Quality?
        var bitDepth: Int?

        /// The keys of AVAudioSettings that the options stand for.
        package var settings: [String: Any] {
            var settings: [String: Any] = [:]
            settings[AVFormatIDKey] = format?.id
            settings[AVSampleRateKey] = rate
            settings[AVNumberOfChannelsKey] = channels
            settings[AVEncoderBitRateKey] = bitRate
            settings[AVEncoderAudioQualityKey] = quality?.value.rawValue
            if let bitDepth {
                // Each codec looks at its own key.
                settings[AVLinearPCMBitDepthKey] = bitDepth
                settings[AVLinearPCMIsFloatKey] = false
                settings[AVEncoderBitDepthHintKey] = bitDepth
            }
            return settings
        }
    }

    /// The settings of `AVAudioRecorder` that the options stand for.
    package var settings: [String: Any] {
        var settings: [String: Any] = [
            AVFormatIDKey: format.id,
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

extension RecordOptions.Format {
    fileprivate var id: AudioFormatID {
        switch self {
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .pcm: kAudioFormatLinearPCM
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        }
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
