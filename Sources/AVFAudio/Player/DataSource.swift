import AudioCore
import Foundation

/// A sound file that lies in memory.
final class DataSource: ByteSource {
    private let data: Data

    init(_ data: Data) { self.data = data }

    func size() throws(AudioFailure) -> Int64 { Int64(data.count) }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        guard offset >= 0, offset < Int64(data.count) else { return 0 }
        let start = data.startIndex + Int(offset)
        let count = min(buffer.count, data.endIndex - start)
        data.copyBytes(to: buffer, from: start..<start + count)
        return count
    }
}
