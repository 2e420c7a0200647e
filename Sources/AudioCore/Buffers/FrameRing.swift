import Synchronization

/// A ring of interleaved 32-bit float frames between one producer thread and one consumer thread, without locks.
///
/// Positions run freely and never wrap in practice (2^63 frames); the index is the position masked by a capacity that is
/// a power of two. The producer publishes with release, the consumer acquires, and the other way round for the room.
package final class FrameRing: @unchecked Sendable {
    // Unchecked: `storage` is shared by two threads. The part between `readPosition` and `writePosition` belongs to the
    // consumer, the rest to the producer; the two atomics hand it over.
    private let storage: UnsafeMutableRawPointer
    private let writePosition = Atomic<Int>(0)
    private let readPosition = Atomic<Int>(0)
    private let mask: Int
    private let bytesPerFrame: Int

    package let channelCount: Int
    /// Frames that fit: the asked capacity rounded up to a power of two.
    package let capacity: Int

    package init(minimumCapacity: Int, channelCount: Int) {
        precondition(minimumCapacity > 0 && channelCount > 0)
        var capacity = 1
        while capacity < minimumCapacity { capacity <<= 1 }
        self.capacity = capacity
        self.channelCount = channelCount
        mask = capacity - 1
        bytesPerFrame = channelCount * MemoryLayout<Float>.stride
        storage = .allocate(byteCount: capacity * bytesPerFrame, alignment: 64)
    }

    deinit { storage.deallocate() }

    /// Frames ready to be read. Either thread; grows behind the consumer's back, never shrinks.
    package var count: Int {
        @_noLocks @_noAllocation
        get { writePosition.load(ordering: .acquiring) - readPosition.load(ordering: .acquiring) }
    }

    /// Copies up to `frames` frames in and returns how many fitted. Producer thread only.
    @_noLocks @_noAllocation
    package func write(_ samples: UnsafeRawPointer, frames: Int) -> Int {
        let write = writePosition.load(ordering: .relaxed)
        let room = capacity - (write - readPosition.load(ordering: .acquiring))
        let accepted = frames < room ? frames : room
        if accepted <= 0 { return 0 }
        let start = write & mask
        let first = accepted < capacity - start ? accepted : capacity - start
        (storage + start * bytesPerFrame).copyMemory(from: samples, byteCount: first * bytesPerFrame)
        if first < accepted {
            storage.copyMemory(
                from: samples + first * bytesPerFrame,
                byteCount: (accepted - first) * bytesPerFrame
            )
        }
        writePosition.store(write + accepted, ordering: .releasing)
        return accepted
    }

    /// Copies up to `frames` frames out and returns how many there were. Consumer thread only.
    @_noLocks @_noAllocation
    package func read(into samples: UnsafeMutableRawPointer, frames: Int) -> Int {
        let read = readPosition.load(ordering: .relaxed)
        let available = writePosition.load(ordering: .acquiring) - read
        let taken = frames < available ? frames : available
        if taken <= 0 { return 0 }
        let start = read & mask
        let first = taken < capacity - start ? taken : capacity - start
        samples.copyMemory(from: storage + start * bytesPerFrame, byteCount: first * bytesPerFrame)
        if first < taken {
            (samples + first * bytesPerFrame).copyMemory(from: storage, byteCount: (taken - first) * bytesPerFrame)
        }
        readPosition.store(read + taken, ordering: .releasing)
        return taken
    }
}
