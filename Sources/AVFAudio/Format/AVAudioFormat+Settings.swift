import AudioCore
import CoreAudioTypes
import Foundation

extension AVAudioFormat {
    /// A format from the keys of AVAudioSettings; those of encoders do not count.
    ///
    /// `AVFormatIDKey`, `AVSampleRateKey` and `AVNumberOfChannelsKey` must be there. Linear PCM is taken as signed 16-bit
    /// little-endian interleaved integers where its keys are missing.
    /// - Returns: nil where a value is missing, of another type or impossible; for more than 2 channels without a layout, and
    ///   for a layout of another number.
    public convenience init?(settings: [String: Any]) {
        let reader = SettingsReader(settings: settings)
        guard
            let format = try? reader.integer(AVFormatIDKey).map({ AudioFormatID(truncatingIfNeeded: $0) }),
            let rate = try? reader.number(AVSampleRateKey),
            let channels = try? reader.integer(AVNumberOfChannelsKey).flatMap({ UInt32(exactly: $0) }),
            let layout = try? Optional.some(reader.channelLayout())
        else { return nil }
        let description =
            format == kAudioFormatLinearPCM
            ? Self.linearPCM(reader, sampleRate: rate, channels: channels)
            : Self.compressed(format, reader, sampleRate: rate, channels: channels)
        guard var description else { return nil }
        self.init(streamDescription: &description, channelLayout: layout)
    }

    private static func linearPCM(
        _ reader: SettingsReader,
        sampleRate: Double,
        channels: UInt32
    ) -> AudioStreamBasicDescription? {
        guard
            let isFloat = try? reader.flag(AVLinearPCMIsFloatKey) ?? false,
            let isBigEndian = try? reader.flag(AVLinearPCMIsBigEndianKey) ?? false,
            let isNonInterleaved = try? reader.flag(AVLinearPCMIsNonInterleaved) ?? false,
            let bits = try? reader.integer(AVLinearPCMBitDepthKey) ?? (isFloat ? 32 : 16),
            isFloat ? [32, 64].contains(bits) : [8, 16, 24, 32].contains(bits)
        else { return nil }
        var flags = kAudioFormatFlagIsPacked
        flags |= isFloat ? kAudioFormatFlagIsFloat : kAudioFormatFlagIsSignedInteger
        if isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
        if isNonInterleaved { flags |= kAudioFormatFlagIsNonInterleaved }
        return .linearPCM(bits: UInt32(bits), flags: flags, sampleRate: sampleRate, channels: channels)
    }

    private static func compressed(
        _ format: AudioFormatID,
        _ reader: SettingsReader,
        sampleRate: Double,
        channels: UInt32
    ) -> AudioStreamBasicDescription? {
        var description = AudioStreamBasicDescription()
        description.mSampleRate = sampleRate
        description.mFormatID = format
        description.mChannelsPerFrame = channels
        switch format {
        case kAudioFormatMPEG4AAC: description.mFramesPerPacket = 1024
        case kAudioFormatAppleIMA4:
            description.mFramesPerPacket = 64
            description.mBytesPerPacket = channels.multipliedReportingOverflow(by: 34).partialValue
        case kAudioFormatULaw, kAudioFormatALaw:
            description.mFramesPerPacket = 1
            description.mBytesPerPacket = channels
            description.mBytesPerFrame = channels
            description.mBitsPerChannel = 8
        case kAudioFormatAppleLossless, kAudioFormatFLAC:
            guard let bits = try? reader.integer(AVEncoderBitDepthHintKey) ?? 16 else { return nil }
            description.mFormatFlags = AudioStreamBasicDescription.losslessFlags(sourceBits: bits)
            description.mFramesPerPacket = 4096
        default: break
        }
        return description
    }
}
