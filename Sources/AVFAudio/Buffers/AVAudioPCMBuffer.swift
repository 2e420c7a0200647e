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
    private let release: () -> Void

    /// A buffer of silence for `frameCapacity` frames with length 0.
    /// - Returns: nil where the format is not linear PCM, or the memory of a channel passes 4 GiB or cannot be had.
    public init?(pcmFormat format: AVAudioFormat, frameCapacity: AVAudioFrameCount) {
        let bytesPerFrame = format.streamDescription.pointee.mBytesPerFrame
        let (bytes, overflow) = frameCapacity.multipliedReportingOverflow(by: bytesPerFrame)
        guard format.isLinearPCM, !overflow else { return nil }
        let count = format.bufferCount
        // Every channel starts on a cache line.
        let spacing = (max(Int(bytes), 1) + 63) & ~63
        guard let memory = aligned_alloc(64, spacing * count) else { return nil }
        memset(memory, 0, spacing * count)
        let starts = (0..<count).map { memory + $0 * spacing }
        self.frameCapacity = frameCapacity
        release = { free(memory) }
        channels = Self.channels(of: format, at: starts)
        let buffers = starts.map {
            AudioBuffer(mNumberChannels: format.channelCount / UInt32(count), mDataByteSize: bytes, mData: $0)
        }
        super.init(format: format, buffers: buffers)
    }

    /// A buffer over memory of the caller, which must live as long as this object. Its byte counts tell the capacity, and
    /// the length at the start.
    /// - Parameters:
    ///   - format: linear PCM, with as many buffers as the list has.
    ///   - bufferList: the memory, one buffer for every channel, or one for all where they are interleaved.
    ///   - deallocator: called once, when this object goes away.
    /// - Returns: nil where the format is not linear PCM, or the list does not fit to it.
    public init?(
        pcmFormat format: AVAudioFormat,
        bufferListNoCopy bufferList: UnsafePointer<AudioBufferList>,
        deallocator: ((UnsafePointer<AudioBufferList>) -> Void)? = nil
    ) {
        let list = UnsafeMutableAudioBufferListPointer(UnsafeMutablePointer(mutating: bufferList))
        let starts = list.compactMap(\.mData)
        guard
            format.isLinearPCM, list.count == format.bufferCount, starts.count == list.count,
            let bytes = list.map(\.mDataByteSize).min()
        else { return nil }
        frameCapacity = bytes / format.streamDescription.pointee.mBytesPerFrame
        release = { deallocator?(bufferList) }
        channels = Self.channels(of: format, at: starts)
        super.init(format: format, buffers: Array(list))
        frameLength = frameCapacity
    }

    deinit {
        channels.deallocate()
        release()
    }

    /// The first sample of every channel, where the buffers of `format` start at `starts`.
    private static func channels(of format: AVAudioFormat, at starts: [UnsafeMutableRawPointer])
        -> UnsafeMutablePointer<UnsafeMutableRawPointer>
    {
        let count = Int(format.channelCount)
        let sampleBytes = Int(format.streamDescription.pointee.mBytesPerFrame) / (count / starts.count)
        let channels = UnsafeMutablePointer<UnsafeMutableRawPointer>.allocate(capacity: count)
        for channel in 0..<count {
            let start = starts.count == 1 ? starts[0] + channel * sampleBytes : starts[channel]
            (channels + channel).initialize(to: start)
        }
        return channels
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

extension AVAudioFormat {
    /// True where frames have a size.
    fileprivate var isLinearPCM: Bool {
        let description = streamDescription.pointee
        return description.mFormatID == kAudioFormatLinearPCM && description.mBytesPerFrame > 0
    }

    /// Buffers of a list in this format: one, or one for every channel.
    fileprivate var bufferCount: Int { isInterleaved ? 1 : Int(channelCount) }
}
