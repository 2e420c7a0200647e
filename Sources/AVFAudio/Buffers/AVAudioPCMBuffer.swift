internal import CoreAudio
public import CoreAudioTypes
public import Foundation

/// Linear PCM in memory. One thread at a time.
open class AVAudioPCMBuffer: AVAudioBuffer {
    /// Frames that fit.
    public let frameCapacity: AVAudioFrameCount

    /// Frames that are valid, 0 … `frameCapacity`; a larger number is a mistake of the program and stops it.
    public var frameLength: AVAudioFrameCount {
        get { validFrames }
        set {
            precondition(newValue <= frameCapacity, "frameLength is larger than frameCapacity")
            validFrames = newValue
            let bytes = newValue * format.streamDescription.pointee.mBytesPerFrame
            for index in lengthList.indices { lengthList[index].mDataByteSize = bytes }
        }
    }

    private var validFrames: AVAudioFrameCount = 0

    /// Samples from one sample of a channel to its next: 1, or the number of channels where they are interleaved.
    public var stride: Int { format.isInterleaved ? Int(format.channelCount) : 1 }

    /// The first sample of every channel.
    private let channels: UnsafeMutablePointer<UnsafeMutableRawPointer>
    private let channelCount: Int
    private let release: () -> Void

    /// A buffer of silence for `frameCapacity` frames with length 0.
    /// - Returns: nil where the format is not linear PCM, or the memory of a channel passes 4 GiB or cannot be had.
    public convenience init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let description = format.streamDescription.pointee
        guard description.mFormatID == kAudioFormatLinearPCM, description.mBytesPerFrame > 0 else { return nil }
        let (bytes, overflow) = frameCapacity.multipliedReportingOverflow(by: description.mBytesPerFrame)
        guard !overflow else { return nil }
        let count = format.isInterleaved ? 1 : Int(format.channelCount)
        // Every channel starts on a cache line.
        let spacing = (max(Int(bytes), 1) + 63) & ~63
        guard let memory = aligned_alloc(64, spacing * count) else { return nil }
        memset(memory, 0, spacing * count)
        let buffers = (0..<count).map { channel in
            AudioBuffer(
                mNumberChannels: format.isInterleaved ? format.channelCount : 1,
                mDataByteSize: bytes,
                mData: memory + channel * spacing
            )
        }
        self.init(format: format, buffers: buffers, frameCapacity: frameCapacity, frameLength: 0) { free(memory) }
    }

    /// A buffer over memory of the caller, which must live as long as this object. Its byte counts tell the capacity, and
    /// the length at the start.
    /// - Parameters:
    ///   - format: how the samples lie there.
    ///   - bufferList: one buffer, or one for each channel where the format is not interleaved.
    ///   - deallocator: called once, when this object goes away.
    /// - Returns: nil where the format is not linear PCM, or the list does not fit to it.
    public convenience init?(
        pcmFormat format: AVAudioFormat,
        bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let description = format.streamDescription.pointee
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let count = format.isInterleaved ? 1 : Int(format.channelCount)
        guard
            description.mFormatID == kAudioFormatLinearPCM, description.mBytesPerFrame > 0, list.count == count,
            list.allSatisfy({ $0.mData != nil }),
            let bytes = list.map(\.mDataByteSize).min()
        else { return nil }
        let frames = bytes / description.mBytesPerFrame
        self.init(format: format, buffers: Array(list), frameCapacity: frames, frameLength: frames) {
            deallocator?(bufferList)
        }
    }

    private init(
        format: AVAudioFormat,
        buffers: [AudioBuffer],
        frameCapacity: AVAudioFrameCount,
        frameLength: AVAudioFrameCount,
        release: @escaping () -> Void
    ) {
        self.frameCapacity = frameCapacity
        self.release = release
        channelCount = Int(format.channelCount)
        channels = .allocate(capacity: max(channelCount, 1))
        let description = format.streamDescription.pointee
        let sampleBytes = Int(description.mBytesPerFrame) / (format.isInterleaved ? max(channelCount, 1) : 1)
        for channel in 0..<channelCount {
            let buffer = buffers[format.isInterleaved ? 0 : channel]
            let offset = format.isInterleaved ? channel * sampleBytes : 0
            guard let start = buffer.mData else { preconditionFailure("a buffer without memory") }
            (channels + channel).initialize(to: start + offset)
        }
        super.init(format: format, buffers: buffers)
        self.frameLength = frameLength
    }

    deinit {
        channels.deallocate()
        release()
    }

    /// The samples of every channel, `stride` apart, where they are 32-bit floating point; otherwise nil.
    public var floatChannelData: UnsafePointer<UnsafeMutablePointer<Float>>? {
        format.commonFormat == .pcmFormatFloat32 ? channelData(of: Float.self) : nil
    }

    /// The samples of every channel, `stride` apart, where they are 16-bit integers; otherwise nil.
    public var int16ChannelData: UnsafePointer<UnsafeMutablePointer<Int16>>? {
        format.commonFormat == .pcmFormatInt16 ? channelData(of: Int16.self) : nil
    }

    /// The samples of every channel, `stride` apart, where they are 32-bit integers; otherwise nil.
    public var int32ChannelData: UnsafePointer<UnsafeMutablePointer<Int32>>? {
        format.commonFormat == .pcmFormatInt32 ? channelData(of: Int32.self) : nil
    }

    private func channelData<Sample>(of type: Sample.Type) -> UnsafePointer<UnsafeMutablePointer<Sample>> {
        UnsafeRawPointer(channels).assumingMemoryBound(to: UnsafeMutablePointer<Sample>.self)
    }

    /// A buffer of the same capacity, length and samples, with memory of its own.
    open override func copy(with zone: NSZone? = nil) -> Any {
        guard let copy = AVAudioPCMBuffer(pcmFormat: format, frameCapacity: frameCapacity) else {
            preconditionFailure("no memory for a copy of the buffer")
        }
        copy.frameLength = frameLength
        for index in lengthList.indices {
            guard let from = lengthList[index].mData, let to = copy.lengthList[index].mData else { continue }
            to.copyMemory(from: from, byteCount: Int(lengthList[index].mDataByteSize))
        }
        return copy
    }
}
