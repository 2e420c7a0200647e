/// Interleaved samples with a fixed capacity. Owned and used by one thread at a time.
package final class PCMBuffer {
    package let format: PCMFormat
    /// Frames that fit.
    package let capacity: Int
    /// Frames that are valid, 0 … `capacity`.
    package private(set) var frameLength: Int = 0
    /// `capacity * format.bytesPerFrame` bytes, aligned to 16.
    package let bytes: UnsafeMutableRawPointer

    package init(format: PCMFormat, capacity: Int) {
        precondition(capacity >= 0 && format.channelCount > 0)
        self.format = format
        self.capacity = capacity
        bytes = .allocate(byteCount: max(capacity * format.bytesPerFrame, 16), alignment: 16)
    }

    deinit { bytes.deallocate() }

    package var byteLength: Int { frameLength * format.bytesPerFrame }

    package var room: Int { capacity - frameLength }

    package func setFrameLength(_ frames: Int) {
        precondition(frames >= 0 && frames <= capacity)
        frameLength = frames
    }

    /// Removes the first `frames` frames (0 … `frameLength`).
    package func removeFirst(_ frames: Int) {
        precondition(frames >= 0 && frames <= frameLength)
        let stride = format.bytesPerFrame
        if frames < frameLength {
            bytes.copyMemory(from: bytes + frames * stride, byteCount: (frameLength - frames) * stride)
        }
        frameLength -= frames
    }

    /// The samples as `type`, which must be the Swift type of `format.sampleType`; all of the capacity.
    package func samples<Sample>(as type: Sample.Type) -> UnsafeMutableBufferPointer<Sample> {
        precondition(MemoryLayout<Sample>.stride == format.sampleType.byteCount)
        return UnsafeMutableBufferPointer(
            start: bytes.assumingMemoryBound(to: type),
            count: capacity * format.channelCount
        )
    }
}
