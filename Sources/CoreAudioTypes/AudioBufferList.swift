/// Samples in memory that belongs to someone else.
public struct AudioBuffer: BitwiseCopyable {
    /// Interleaved channels in the buffer.
    public var mNumberChannels: UInt32
    /// Bytes at `mData`.
    public var mDataByteSize: UInt32
    /// The samples.
    public var mData: UnsafeMutableRawPointer?

    /// An empty buffer.
    public init() { self.init(mNumberChannels: 0, mDataByteSize: 0, mData: nil) }

    /// A buffer from its fields. Nothing is copied.
    public init(mNumberChannels: UInt32, mDataByteSize: UInt32, mData: UnsafeMutableRawPointer?) {
        self.mNumberChannels = mNumberChannels
        self.mDataByteSize = mDataByteSize
        self.mData = mData
    }
}

/// A list of buffers of any length: more may lie in memory behind `mBuffers`. One buffer for interleaved samples, one per
/// channel for others.
///
/// Only lists of one buffer can be copied as values. `UnsafeMutableAudioBufferListPointer` in `CoreAudio` reaches the rest.
public struct AudioBufferList: BitwiseCopyable {
    /// Buffers in the list.
    public var mNumberBuffers: UInt32
    /// The first buffer.
    public var mBuffers: AudioBuffer

    /// An empty list.
    public init() { self.init(mNumberBuffers: 0, mBuffers: AudioBuffer()) }

    /// A list from its fields.
    public init(mNumberBuffers: UInt32, mBuffers: AudioBuffer) {
        self.mNumberBuffers = mNumberBuffers
        self.mBuffers = mBuffers
    }
}
