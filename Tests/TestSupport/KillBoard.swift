import Foundation
import Glibc

/// A few numbers that a program leaves where they outlive it, however it ends: a file in its memory.
package final class KillBoard: @unchecked Sendable {
    // Unchecked: the words are written by one program and read by another; each is aligned, so no half of one is seen.

    /// How far the program is.
    package enum Phase: Int64, Sendable {
        case starting, recording, paused, stopping, over
    }

    private static let byteCount = 4096
    private let words: UnsafeMutablePointer<Int64>

    /// Makes the file where it is not there.
    package init(_ path: String) throws {
        let descriptor = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else { throw SetupFailure("'\(path)' cannot be opened.") }
        defer { close(descriptor) }
        guard ftruncate(descriptor, off_t(Self.byteCount)) == 0,
            let memory = mmap(nil, Self.byteCount, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0),
            memory != MAP_FAILED
        else { throw SetupFailure("'\(path)' cannot be mapped.") }
        words = memory.assumingMemoryBound(to: Int64.self)
    }

    deinit { munmap(words, Self.byteCount) }

    package var phase: Phase {
        get { Phase(rawValue: words[0]) ?? .starting }
        set { words[0] = newValue.rawValue }
    }

    /// Frames that the recorder was given, those under way included.
    package var heard: Int {
        get { Int(words[1]) }
        set { words[1] = Int64(newValue) }
    }

    /// Frames of which the recorder had said that they are kept.
    package var promised: Int {
        get { Int(words[2]) }
        set { words[2] = Int64(newValue) }
    }
}
