internal import CoreAudio
public import CoreAudioTypes
public import Foundation

/// Audio in memory with its format. One thread at a time.
open class AVAudioBuffer: NSObject, NSCopying, NSMutableCopying {
    /// The format of the audio.
    public let format: AVAudioFormat

    /// Two lists over the same memory: their byte counts tell the length and the capacity.
    let lengthList: UnsafeMutableAudioBufferListPointer
    let capacityList: UnsafeMutableAudioBufferListPointer

    /// The buffers; their byte counts tell what is valid now. Lives as long as this object.
    public var audioBufferList: UnsafePointer<AudioBufferList> { lengthList.unsafePointer }

    /// The buffers; their byte counts tell the capacity. Lives as long as this object.
    public var mutableAudioBufferList: UnsafeMutablePointer<AudioBufferList> { capacityList.unsafeMutablePointer }

    /// - Parameter buffers: 1 or more; their memory stays with the subclass.
    init(format: AVAudioFormat, buffers: [AudioBuffer]) {
        self.format = format
        lengthList = AudioBufferList.allocate(maximumBuffers: buffers.count)
        capacityList = AudioBufferList.allocate(maximumBuffers: buffers.count)
        for (index, buffer) in buffers.enumerated() {
            capacityList[index] = buffer
            lengthList[index] = buffer
            lengthList[index].mDataByteSize = 0
        }
        super.init()
    }

    deinit {
        free(lengthList.unsafeMutablePointer)
        free(capacityList.unsafeMutablePointer)
    }

    /// A copy with memory of its own. Subclasses say how.
    open func copy(with zone: NSZone? = nil) -> Any { self }

    /// The same as `copy(with:)`.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { copy(with: zone) }
}
