import AVFoundation

/// Settings in every number type that real programs put into them.
enum Settings {
    static let literal: [String: Any] = [
        AVFormatIDKey: kAudioFormatMPEG4AAC,
        AVSampleRateKey: 12000,
        AVNumberOfChannelsKey: 1,
        AVEncoderAudioQualityKey: AVAudioQuality.high.rawValue,
    ]

    static let numbers = [
        AVFormatIDKey: NSNumber(value: kAudioFormatAppleIMA4),
        AVSampleRateKey: NSNumber(value: 44100.0),
        AVNumberOfChannelsKey: NSNumber(value: 2 as Int32),
    ]

    static let mixed: [String: Any] = [
        AVFormatIDKey: UInt32(kAudioFormatLinearPCM),
        AVSampleRateKey: Float(44100.0),
        AVNumberOfChannelsKey: UInt(1),
        AVLinearPCMBitDepthKey: 16 as Int16,
        AVLinearPCMIsBigEndianKey: false,
        AVLinearPCMIsFloatKey: false,
        AVLinearPCMIsNonInterleaved: false,
    ]

    static let integers: [String: Int] = [
        AVFormatIDKey: Int(kAudioFormatAppleLossless),
        AVSampleRateKey: 44_100,
        AVNumberOfChannelsKey: 1,
        AVEncoderAudioQualityKey: AVAudioQuality.max.rawValue,
    ]

    static func voice(bitRate: Int, strategy: String = AVAudioBitRateStrategy_Variable) -> [String: Any] {
        var settings = literal
        settings[AVSampleRateKey] = 16000.0 as Double
        settings[AVEncoderBitRateKey] = bitRate
        settings[AVEncoderBitRateStrategyKey] = strategy
        settings[AVEncoderAudioQualityForVBRKey] = AVAudioQuality.medium.rawValue
        settings[AVSampleRateConverterAudioQualityKey] = AVAudioQuality.low.rawValue
        settings[AVEncoderBitDepthHintKey] = 16
        return settings
    }

    static func describe(_ quality: AVAudioQuality) -> String {
        switch quality {
        case .min: return "min"
        case .low: return "low"
        case .medium: return "medium"
        case .high: return "high"
        case .max: return "max"
        @unknown default: return "unknown"
        }
    }

    static let identifiers: [AudioFormatID] = [
        kAudioFormatLinearPCM, kAudioFormatMPEG4AAC, kAudioFormatAppleLossless, kAudioFormatAppleIMA4, kAudioFormatULaw,
        kAudioFormatALaw, kAudioFormatFLAC, kAudioFormatOpus, kAudioFormatMPEGLayer3, kAudioFormatiLBC, kAudioFormatAC3,
    ]
}
