package import AudioCore
import Foundation
import Synchronization

/// A file in memory: sparse, so that sizes beyond 4 GiB cost nothing, and with a list of everything that was done to it.
package final class MemoryFile: StoredFile {
    package enum Operation: Sendable {
        case write(offset: Int64, bytes: [UInt8])
        case truncate(size: Int64)
        case synchronize
    }

    private struct Content {
        /// Pieces of `pageBytes`; what is missing is zero.
        var pages: [Int64: [UInt8]] = [:]
        var size: Int64 = 0
        var operations: [Operation] = []
        var isRecording: Bool
        var room: Int64 = .max
    }

    private static let pageBytes: Int64 = 16 << 10
    private let content: Mutex<Content>
    package let path: String

    /// - Parameter isRecording: false where the list of operations would only take memory.
    package init(_ bytes: [UInt8] = [], path: String = "/memory/file", isRecording: Bool = true) {
        self.path = path
        content = Mutex(Content(isRecording: isRecording))
        content.withLock { content in
            bytes.withUnsafeBytes { Self.store($0, at: 0, in: &content) }
        }
    }

    /// Everything done so far, in order.
    package var operations: [Operation] { content.withLock { $0.operations } }

    /// Whole content; only for files that are not large.
    package var bytes: [UInt8] {
        content.withLock { content in
            let size = Int(content.size)
            return [UInt8](unsafeUninitializedCapacity: size) { buffer, count in
                count = Self.load(into: UnsafeMutableRawBufferPointer(buffer), at: 0, from: content)
            }
        }
    }

    /// Writes that would make the file longer than `size` fail with `noSpace`, after writing what fits.
    package func limit(to size: Int64) { content.withLock { $0.room = size } }

    package func size() throws(AudioFailure) -> Int64 { content.withLock { $0.size } }

    package func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        if buffer.isEmpty || offset < 0 { return 0 }
        // The pointer does not leave the lock's scope.
        nonisolated(unsafe) let target = buffer
        return content.withLock { Self.load(into: target, at: offset, from: $0) }
    }

    package func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        nonisolated(unsafe) let source = bytes
        let isFull = content.withLock { content in
            let fitting = Int(min(Int64(source.count), max(content.room - offset, 0)))
            let part = UnsafeRawBufferPointer(rebasing: source[0..<fitting])
            if content.isRecording { content.operations.append(.write(offset: offset, bytes: Array(part))) }
            Self.store(part, at: offset, in: &content)
            return fitting < source.count
        }
        if isFull { throw AudioFailure(.noSpace, "No space left.", errno: 28, path: path) }
    }

    package func synchronize() throws(AudioFailure) {
        content.withLock { if $0.isRecording { $0.operations.append(.synchronize) } }
    }

    package func truncate(to size: Int64) throws(AudioFailure) {
        content.withLock { content in
            if content.isRecording { content.operations.append(.truncate(size: size)) }
            if size < content.size { Self.cut(&content, to: size) }
            content.size = size
        }
    }

    package func reserve(upTo size: Int64) throws(AudioFailure) {}
    package func tryLock() throws(AudioFailure) -> Bool { true }
    package func close() {}

    private static func store(_ bytes: UnsafeRawBufferPointer, at offset: Int64, in content: inout Content) {
        var done = 0
        while done < bytes.count {
            let (page, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: pageBytes)
            let count = min(bytes.count - done, Int(pageBytes - start))
            let part = UnsafeRawBufferPointer(rebasing: bytes[done..<done + count])
            done += count
            // Silence takes no memory.
            if content.pages[page] == nil, isZero(part) { continue }
            content.pages[page, default: [UInt8](repeating: 0, count: Int(pageBytes))].withUnsafeMutableBytes {
                $0[Int(start)..<Int(start) + count].copyBytes(from: part)
            }
        }
        if bytes.count > 0 { content.size = max(content.size, offset + Int64(bytes.count)) }
    }

    private static func isZero(_ bytes: UnsafeRawBufferPointer) -> Bool {
        guard let base = bytes.baseAddress, bytes.count > 0, bytes[0] == 0 else { return bytes.isEmpty }
        // Equal to itself one byte on, and zero at the start.
        return memcmp(base, base + 1, bytes.count - 1) == 0
    }

    private static func load(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64, from content: Content) -> Int
    {
        let total = Int(max(0, min(Int64(buffer.count), content.size - offset)))
        var done = 0
        while done < total {
            let (page, start) = (offset + Int64(done)).quotientAndRemainder(dividingBy: pageBytes)
            let count = min(total - done, Int(pageBytes - start))
            let target = UnsafeMutableRawBufferPointer(rebasing: buffer[done..<done + count])
            if let bytes = content.pages[page] {
                target.copyBytes(from: bytes[Int(start)..<Int(start) + count])
            } else {
                target.initializeMemory(as: UInt8.self, repeating: 0)
            }
            done += count
        }
        return total
    }

    private static func cut(_ content: inout Content, to size: Int64) {
        let (last, start) = size.quotientAndRemainder(dividingBy: pageBytes)
        content.pages = content.pages.filter { $0.key <= last }
        if let page = content.pages[last] {
            content.pages[last] = page.prefix(Int(start)) + [UInt8](repeating: 0, count: Int(pageBytes - start))
        }
    }
}
