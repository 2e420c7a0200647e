import AudioCore
import Foundation
import Testing

/// A folder of its own for one test, gone with it.
final class Scratch: Sendable {
    let path: String

    init() throws {
        path = NSTemporaryDirectory() + "kayit-ffmpeg-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    /// Runs a command line in the folder, by the shell. Its output goes nowhere.
    func run(_ command: String) throws {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", command]
        process.currentDirectoryURL = URL(fileURLWithPath: path)
        process.standardInput = FileHandle.nullDevice
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        #expect(process.terminationStatus == 0, "\(command)")
    }

    func bytes(_ name: String) throws -> [UInt8] {
        try Array(Data(contentsOf: URL(fileURLWithPath: "\(path)/\(name)")))
    }

    /// The bytes that `command` writes to `name` in a folder of its own.
    static func make(_ name: String, _ command: String) throws -> Bytes {
        let scratch = try Scratch()
        try scratch.run(command)
        return Bytes(try scratch.bytes(name))
    }
}

/// Bytes in memory as a source.
final class Bytes: ByteSource {
    let content: [UInt8]

    init(_ content: [UInt8]) { self.content = content }

    func size() throws(AudioFailure) -> Int64 { Int64(content.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        guard offset >= 0, offset < content.count else { return 0 }
        let count = min(buffer.count, content.count - Int(offset))
        content[Int(offset)..<(Int(offset) + count)].withUnsafeBytes { buffer.copyMemory(from: $0) }
        return count
    }
}

extension FrameReader {
    /// All that is left, or at least `limit` bytes of it, as it lies in memory.
    func readAll(limit: Int = .max) throws -> [UInt8] {
        let buffer = PCMBuffer(format: format, capacity: 16_384)
        var bytes: [UInt8] = []
        while bytes.count < limit {
            buffer.setFrameLength(0)
            guard try read(into: buffer) > 0 else { break }
            bytes += UnsafeRawBufferPointer(start: buffer.bytes, count: buffer.byteLength)
        }
        return bytes
    }

    /// The first channel of `count` frames of `bytes`, from frame `first` on.
    func channel(of bytes: [UInt8], from first: Int = 0, count: Int) -> [Double] {
        let buffer = PCMBuffer(format: format, capacity: count)
        let stride = format.bytesPerFrame
        bytes[(first * stride)..<((first + count) * stride)].withUnsafeBytes {
            buffer.bytes.copyMemory(from: $0.baseAddress ?? UnsafeRawPointer(buffer.bytes), byteCount: $0.count)
        }
        buffer.setFrameLength(count)
        let values = Signal.values(buffer)
        return stride == format.sampleType.byteCount
            ? values : (0..<count).map { values[$0 * format.channelCount] }
    }
}
