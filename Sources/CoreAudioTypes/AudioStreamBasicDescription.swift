/// The kind of audio in a stream, as four characters.
public typealias AudioFormatID = UInt32

/// Flags that belong to one kind of audio.
public typealias AudioFormatFlags = UInt32

/// Any sample rate; only in lists of what is supported, never in a format.
public let kAudioStreamAnyRate: Float64 = 0

/// The format of a stream whose channels are all alike. 0 in a field means unknown, or not applicable.
///
/// A frame is one sample of every channel. For non-interleaved linear PCM the fields per frame and packet describe one
/// channel. A packet of linear PCM is one frame; a packet of a compressed format is the smallest piece that decodes.
public struct AudioStreamBasicDescription: Sendable, BitwiseCopyable {
    /// Frames per second.
    public var mSampleRate: Float64
    /// The kind of audio.
    public var mFormatID: AudioFormatID
    /// Flags of that kind.
    public var mFormatFlags: AudioFormatFlags
    /// Bytes in a packet, 0 where packets differ.
    public var mBytesPerPacket: UInt32
    /// Frames in a packet, 0 where packets differ.
    public var mFramesPerPacket: UInt32
    /// Bytes in a frame, 0 for compressed formats.
    public var mBytesPerFrame: UInt32
    /// Channels in a frame.
    public var mChannelsPerFrame: UInt32
    /// Bits of one sample, 0 for compressed formats.
    public var mBitsPerChannel: UInt32
    /// Pads the structure to a multiple of 8 bytes; 0.
    public var mReserved: UInt32

    /// All fields 0.
    public init() {
        self.init(
            mSampleRate: 0,
            mFormatID: 0,
            mFormatFlags: 0,
            mBytesPerPacket: 0,
            mFramesPerPacket: 0,
            mBytesPerFrame: 0,
            mChannelsPerFrame: 0,
            mBitsPerChannel: 0,
            mReserved: 0
        )
    }

    /// A description from its fields.
    public init(
        mSampleRate: Float64,
        mFormatID: AudioFormatID,
        mFormatFlags: AudioFormatFlags,
        mBytesPerPacket: UInt32,
        mFramesPerPacket: UInt32,
        mBytesPerFrame: UInt32,
        mChannelsPerFrame: UInt32,
        mBitsPerChannel: UInt32,
        mReserved: UInt32
    ) {
        self.mSampleRate = mSampleRate
        self.mFormatID = mFormatID
        self.mFormatFlags = mFormatFlags
        self.mBytesPerPacket = mBytesPerPacket
        self.mFramesPerPacket = mFramesPerPacket
        self.mBytesPerFrame = mBytesPerFrame
        self.mChannelsPerFrame = mChannelsPerFrame
        self.mBitsPerChannel = mBitsPerChannel
        self.mReserved = mReserved
    }
}

/// Where a packet lies in a buffer, for formats whose packets differ.
public struct AudioStreamPacketDescription: Sendable, BitwiseCopyable {
    /// Bytes from the start of the buffer to the packet.
    public var mStartOffset: Int64
    /// Frames in the packet, 0 where the format says how many.
    public var mVariableFramesInPacket: UInt32
    /// Bytes in the packet.
    public var mDataByteSize: UInt32

    /// All fields 0.
    public init() { self.init(mStartOffset: 0, mVariableFramesInPacket: 0, mDataByteSize: 0) }

    /// A description from its fields.
    public init(mStartOffset: Int64, mVariableFramesInPacket: UInt32, mDataByteSize: UInt32) {
        self.mStartOffset = mStartOffset
        self.mVariableFramesInPacket = mVariableFramesInPacket
        self.mDataByteSize = mDataByteSize
    }
}

/// A format with its channel layout.
public struct AudioFormatListItem: Sendable, BitwiseCopyable {
    /// The format.
    public var mASBD: AudioStreamBasicDescription
    /// The layout of its channels.
    public var mChannelLayoutTag: AudioChannelLayoutTag

    /// All fields 0.
    public init() { self.init(mASBD: AudioStreamBasicDescription(), mChannelLayoutTag: 0) }

    /// An item from its fields.
    public init(mASBD: AudioStreamBasicDescription, mChannelLayoutTag: AudioChannelLayoutTag) {
        self.mASBD = mASBD
        self.mChannelLayoutTag = mChannelLayoutTag
    }
}

/// A codec of the system, by its component codes.
public struct AudioClassDescription: Sendable, BitwiseCopyable {
    /// Type of the codec component.
    public var mType: OSType
    /// Its subtype: the format.
    public var mSubType: OSType
    /// Its manufacturer.
    public var mManufacturer: OSType

    /// All fields 0.
    public init() { self.init(mType: 0, mSubType: 0, mManufacturer: 0) }

    /// A description from its fields.
    public init(mType: OSType, mSubType: OSType, mManufacturer: OSType) {
        self.mType = mType
        self.mSubType = mSubType
        self.mManufacturer = mManufacturer
    }
}

/// A continuous range of values.
public struct AudioValueRange: Sendable, BitwiseCopyable {
    /// The smallest value.
    public var mMinimum: Float64
    /// The largest value.
    public var mMaximum: Float64

    /// Both 0.
    public init() { self.init(mMinimum: 0, mMaximum: 0) }

    /// A range from its ends.
    public init(mMinimum: Float64, mMaximum: Float64) {
        self.mMinimum = mMinimum
        self.mMaximum = mMaximum
    }
}

/// The kinds of MPEG-4 audio, ISO/IEC 14496-3 table 1.1.
public enum MPEG4ObjectID: Int, Sendable {
    /// AAC Main.
    case aac_Main = 1
    /// AAC Low Complexity.
    case AAC_LC = 2
    /// AAC with scalable sample rate.
    case AAC_SSR = 3
    /// AAC with long-term prediction.
    case AAC_LTP = 4
    /// AAC with spectral band replication.
    case AAC_SBR = 5
    /// AAC Scalable.
    case aac_Scalable = 6
    /// TwinVQ.
    case twinVQ = 7
    /// CELP.
    case CELP = 8
    /// HVXC.
    case HVXC = 9
}
