package import AudioCore
package import CoreAudioTypes

extension AudioStreamBasicDescription {
    /// Linear PCM in the machine's byte order. `otherFormat` is taken as 32-bit floating point.
    package static func linearPCM(
        _ format: AVAudioCommonFormat,
        sampleRate: Double,
        channels: UInt32,
        interleaved: Bool
    ) -> Self {
        let bits: UInt32 =
            switch format {
            case .pcmFormatInt16: 16
            case .otherFormat, .pcmFormatFloat32, .pcmFormatInt32: 32
            case .pcmFormatFloat64: 64
            }
        let kind: AudioFormatFlags =
            switch format {
            case .pcmFormatInt16, .pcmFormatInt32: kAudioFormatFlagIsSignedInteger
            case .otherFormat, .pcmFormatFloat32, .pcmFormatFloat64: kAudioFormatFlagIsFloat
            }
        let layout = interleaved ? 0 : kAudioFormatFlagIsNonInterleaved
        return linearPCM(
            bits: bits,
            flags: kind | kAudioFormatFlagsNativeEndian | kAudioFormatFlagIsPacked | layout,
            sampleRate: sampleRate,
            channels: channels
        )
    }

    /// Packed linear PCM of `bits` (a multiple of 8) with `flags`.
    package static func linearPCM(bits: UInt32, flags: AudioFormatFlags, sampleRate: Double, channels: UInt32) -> Self {
        let samples = flags & kAudioFormatFlagIsNonInterleaved == 0 ? channels : 1
        // Saturating: a description from outside may hold any number.
        let (bytes, overflow) = (bits / 8).multipliedReportingOverflow(by: samples)
        let bytesPerFrame = overflow ? UInt32.max : bytes
        return AudioStreamBasicDescription(
            mSampleRate: sampleRate,
            mFormatID: kAudioFormatLinearPCM,
            mFormatFlags: flags,
            mBytesPerPacket: bytesPerFrame,
            mFramesPerPacket: 1,
            mBytesPerFrame: bytesPerFrame,
            mChannelsPerFrame: channels,
            mBitsPerChannel: bits,
            mReserved: 0
        )
    }

    /// Which of the common formats this is.
    package var commonFormat: AVAudioCommonFormat {
        guard
            mFormatID == kAudioFormatLinearPCM,
            mFormatFlags & kAudioFormatFlagIsBigEndian == kAudioFormatFlagsNativeEndian,
            mFormatFlags & kLinearPCMFormatFlagsSampleFractionMask == 0,
            isImplicitlyPacked
        else { return .otherFormat }
        if mFormatFlags & kAudioFormatFlagIsFloat != 0 {
            switch mBitsPerChannel {
            case 32: return .pcmFormatFloat32
            case 64: return .pcmFormatFloat64
            default: return .otherFormat
            }
        }
        guard mFormatFlags & kAudioFormatFlagIsSignedInteger != 0 else { return .otherFormat }
        switch mBitsPerChannel {
        case 16: return .pcmFormatInt16
        case 32: return .pcmFormatInt32
        default: return .otherFormat
        }
    }

    /// True where the samples take all bytes of a frame, whatever the flag says.
    var isImplicitlyPacked: Bool {
        let samples = mFormatFlags & kAudioFormatFlagIsNonInterleaved == 0 ? UInt64(mChannelsPerFrame) : 1
        return UInt64(mBitsPerChannel) / 8 * samples == UInt64(mBytesPerFrame) && mBitsPerChannel % 8 == 0
    }

    /// The four characters of the format, `?` for what cannot be shown.
    var formatName: String {
        var name = ""
        for shift: UInt32 in [24, 16, 8, 0] {
            let byte = UInt8(truncatingIfNeeded: mFormatID >> shift)
            name.unicodeScalars.append((0x20...0x7E).contains(byte) ? Unicode.Scalar(byte) : "?")
        }
        return name
    }

    /// Bits of the source from the flags of Apple Lossless and FLAC; nil where they do not tell.
    static func sourceBits(ofLosslessFlags flags: AudioFormatFlags) -> Int? {
        switch flags {
        case kAppleLosslessFormatFlag_16BitSourceData: 16
        case kAppleLosslessFormatFlag_20BitSourceData: 20
        case kAppleLosslessFormatFlag_24BitSourceData: 24
        case kAppleLosslessFormatFlag_32BitSourceData: 32
        default: nil
        }
    }

    /// The flags of Apple Lossless and FLAC from the bits of the source.
    static func losslessFlags(sourceBits: Int) -> AudioFormatFlags {
        switch sourceBits {
        case ...16: kAppleLosslessFormatFlag_16BitSourceData
        case 17...20: kAppleLosslessFormatFlag_20BitSourceData
        case 21...24: kAppleLosslessFormatFlag_24BitSourceData
        default: kAppleLosslessFormatFlag_32BitSourceData
        }
    }
}

extension AVAudioCommonFormat {
    /// The format's samples as codecs and devices know them; nil for `otherFormat`.
    package var sampleType: SampleType? {
        switch self {
        case .otherFormat: nil
        case .pcmFormatFloat32: .float32
        case .pcmFormatFloat64: .float64
        case .pcmFormatInt16: .int16
        case .pcmFormatInt32: .int32
        }
    }
}
