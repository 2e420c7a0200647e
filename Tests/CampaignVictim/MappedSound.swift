import AudioSimulation
import Glibc
import TestSupport

/// What the microphone hears: a file of 32-bit floats, the same for all victims, that never repeats itself.
final class MappedSound: SimulatedSound {
    /// The file in memory.
    struct Samples: @unchecked Sendable {
        // Unchecked: never written, never unmapped.
        let base: UnsafePointer<Float>
        let count: Int

        init(_ path: String) throws {
            let descriptor = open(path, O_RDONLY | O_CLOEXEC)
            guard descriptor >= 0 else { throw SetupFailure("'\(path)' cannot be opened.") }
            defer { close(descriptor) }
            let size = Int(lseek(descriptor, 0, SEEK_END))
            guard size > 0, let memory = mmap(nil, size, PROT_READ, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
            else { throw SetupFailure("'\(path)' cannot be mapped.") }
            base = UnsafePointer(memory.assumingMemoryBound(to: Float.self))
            count = size / 4
        }
    }

    private let samples: Samples
    private var position: Int

    init(_ samples: Samples, from first: Int) {
        self.samples = samples
        position = min(max(first, 0), samples.count)
    }

    func read(into target: UnsafeMutableRawPointer, frames: Int) -> Int {
        let count = min(frames, samples.count - position)
        target.copyMemory(from: samples.base + position, byteCount: count * 4)
        position += count
        return count
    }
}
