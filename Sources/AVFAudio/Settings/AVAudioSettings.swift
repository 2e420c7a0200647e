// Keys and values of the settings of recorders, files and formats. The strings are those of Apple's frameworks, so that
// dictionaries that were stored there can be read here.

// MARK: All formats

/// The kind of audio: an `AudioFormatID` as a number. Default `kAudioFormatMPEG4AAC` for `.m4a`, what the container holds
/// otherwise.
public let AVFormatIDKey = "AVFormatIDKey"
/// Frames per second: a number above 0.
public let AVSampleRateKey = "AVSampleRateKey"
/// The number of channels: an integer from 1.
public let AVNumberOfChannelsKey = "AVNumberOfChannelsKey"
/// The kind of file: an `AudioFileTypeID` as a number. Default by the extension of the URL.
public let AVAudioFileTypeKey = "AVAudioFileTypeKey"
/// The roles of the channels: `Data` with an `AudioChannelLayout`.
public let AVChannelLayoutKey = "AVChannelLayoutKey"

// MARK: Linear PCM

/// Bits of a sample: 8, 16, 24 or 32, or 64 for floating point.
public let AVLinearPCMBitDepthKey = "AVLinearPCMBitDepthKey"
/// Whether samples are big endian: a Boolean.
public let AVLinearPCMIsBigEndianKey = "AVLinearPCMIsBigEndianKey"
/// Whether samples are floating point: a Boolean.
public let AVLinearPCMIsFloatKey = "AVLinearPCMIsFloatKey"
/// Whether every channel has a buffer of its own: a Boolean. Files are always interleaved.
public let AVLinearPCMIsNonInterleaved = "AVLinearPCMIsNonInterleaved"

// MARK: Encoders

/// The quality of the encoder: the raw value of an `AVAudioQuality`.
public let AVEncoderAudioQualityKey = "AVEncoderQualityKey"
/// The quality of the encoder with a variable bit rate: the raw value of an `AVAudioQuality`.
public let AVEncoderAudioQualityForVBRKey = "AVEncoderQualityForVBRKey"
/// Bits per second over all channels: an integer.
public let AVEncoderBitRateKey = "AVEncoderBitRateKey"
/// Bits per second of one channel: an integer.
public let AVEncoderBitRatePerChannelKey = "AVEncoderBitRatePerChannelKey"
/// How the bit rate varies: one of the `AVAudioBitRateStrategy_…` values.
public let AVEncoderBitRateStrategyKey = "AVEncoderBitRateStrategyKey"
/// Bits of the source for lossless encoders: 16, 20, 24 or 32.
public let AVEncoderBitDepthHintKey = "AVEncoderBitDepthHintKey"

// MARK: Sample rate converters

/// The kind of sample rate converter: one of the `AVSampleRateConverterAlgorithm_…` values.
public let AVSampleRateConverterAlgorithmKey = "AVSampleRateConverterAlgorithmKey"
/// The quality of the sample rate converter: the raw value of an `AVAudioQuality`.
public let AVSampleRateConverterAudioQualityKey = "AVSampleRateConverterQualityKey"

/// A constant bit rate.
public let AVAudioBitRateStrategy_Constant = "AVAudioBitRateStrategy_Constant"
/// A bit rate that is met on average.
public let AVAudioBitRateStrategy_LongTermAverage = "AVAudioBitRateStrategy_LongTermAverage"
/// A variable bit rate with a limit.
public let AVAudioBitRateStrategy_VariableConstrained = "AVAudioBitRateStrategy_VariableConstrained"
/// A variable bit rate.
public let AVAudioBitRateStrategy_Variable = "AVAudioBitRateStrategy_Variable"

/// The usual sample rate converter.
public let AVSampleRateConverterAlgorithm_Normal = "AVSampleRateConverterAlgorithm_Normal"
/// The sample rate converter for mastering.
public let AVSampleRateConverterAlgorithm_Mastering = "AVSampleRateConverterAlgorithm_Mastering"
/// The sample rate converter with minimum phase.
public let AVSampleRateConverterAlgorithm_MinimumPhase = "AVSampleRateConverterAlgorithm_MinimumPhase"

/// The quality of encoders and sample rate converters.
public enum AVAudioQuality: Int, Sendable {
    /// The lowest.
    case min = 0
    /// Low.
    case low = 0x20
    /// Medium.
    case medium = 0x40
    /// High.
    case high = 0x60
    /// The highest.
    case max = 0x7F
}
