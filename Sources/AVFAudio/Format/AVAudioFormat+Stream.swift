package import AudioCore
import CoreAudioTypes
import Foundation

extension AVAudioFormat {
    /// The format of a stream as it is stored.
    package convenience init(of stream: StreamDescription) {
        // More than two channels need a layout.
        let layout = stream.channelCount > 2 ? AVAudioChannelLayout.discrete(channels: stream.channelCount) : nil
        self.init(description: AudioStreamBasicDescription(of: stream), layout: layout)
        if !stream.configuration.isEmpty { magicCookie = Data(stream.configuration) }
    }
}

extension AVAudioChannelLayout {
    /// Channels without roles, in the order of the file.
    static func discrete(channels: Int) -> AVAudioChannelLayout {
        var layout = AudioChannelLayout()
        layout.mChannelLayoutTag = kAudioChannelLayoutTag_DiscreteInOrder | UInt32(clamping: channels)
        return AVAudioChannelLayout(layout: &layout)
    }
}

extension AudioStreamBasicDescription {
    init(of stream: StreamDescription) {
        let channels = UInt32(clamping: stream.channelCount)
        if case .linearPCM(let layout) = stream.codec {
            var flags: AudioFormatFlags = kAudioFormatFlagIsPacked
            if layout.isFloat {
                flags |= kAudioFormatFlagIsFloat
            } else if layout.isSigned {
                flags |= kAudioFormatFlagIsSignedInteger
            }
            if layout.isBigEndian { flags |= kAudioFormatFlagIsBigEndian }
            self = .linearPCM(
                bits: UInt32(clamping: layout.bitsPerSample),
                flags: flags,
                sampleRate: stream.sampleRate,
                channels: channels
            )
            return
        }
        let isLossless = stream.codec == .alac || stream.codec == .flac
        self.init(
            mSampleRate: stream.sampleRate,
            mFormatID: stream.codec.formatID,
            mFormatFlags: isLossless ? Self.losslessFlags(sourceBits: stream.bitsPerChannel) : 0,
            mBytesPerPacket: UInt32(clamping: stream.bytesPerPacket),
            mFramesPerPacket: UInt32(clamping: stream.framesPerPacket),
            mBytesPerFrame: stream.codec == .muLaw || stream.codec == .aLaw ? channels : 0,
            mChannelsPerFrame: channels,
            mBitsPerChannel: stream.codec == .muLaw || stream.codec == .aLaw ? 8 : 0,
            mReserved: 0
        )
    }
}

extension CodecID {
    /// Apple's id for the codec; 0 for one that Apple has no name for.
    var formatID: AudioFormatID {
        switch self {
        case .linearPCM: kAudioFormatLinearPCM
        case .aac: kAudioFormatMPEG4AAC
        case .alac: kAudioFormatAppleLossless
        case .ima4: kAudioFormatAppleIMA4
        case .flac: kAudioFormatFLAC
        case .opus: kAudioFormatOpus
        case .muLaw: kAudioFormatULaw
        case .aLaw: kAudioFormatALaw
        case .foreign("mp3"): kAudioFormatMPEGLayer3
        case .foreign("mp2"): kAudioFormatMPEGLayer2
        case .foreign("mp1"): kAudioFormatMPEGLayer1
        case .foreign("ac3"): kAudioFormatAC3
        case .foreign("eac3"): kAudioFormatEnhancedAC3
        case .foreign("amr_nb"): kAudioFormatAMR
        case .foreign("amr_wb"): kAudioFormatAMR_WB
        case .foreign: 0
        }
    }
}
