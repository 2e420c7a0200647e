import AudioCore

/// What was written to a file since the disk had it all for certain.
///
/// Linux drops from its cache what it could not bring to the disk, and says so once: from then on the file looks whole and
/// is not. Whatever was written since the last success has to be written again before another try can be believed.
struct UnsynchronizedWrites {
    private enum Change {
        case write([UInt8], at: Int64)
        /// Bytes that came from elsewhere: they are read back.
        case copy(Int64, at: Int64)
        case cut(Int64)
    }

    private var changes: [Change] = []
    /// Bytes that are kept here.
    private(set) var byteCount = 0

    /// Only so far back a header that is written again and again is looked for.
    private static let lookBack = 6

    mutating func note(_ bytes: UnsafeRawBufferPointer, at offset: Int64) {
        // The page with the counts is the same place each time; the last content is what matters.
        for index in changes.indices.suffix(Self.lookBack) {
            if case .write(let old, offset) = changes[index], old.count == bytes.count {
                byteCount -= old.count
                changes.remove(at: index)
                break
            }
        }
        changes.append(.write(Array(bytes), at: offset))
        byteCount += bytes.count
    }

    mutating func noteCopy(_ count: Int64, at offset: Int64) { changes.append(.copy(count, at: offset)) }

    mutating func noteCut(_ size: Int64) { changes.append(.cut(size)) }

    mutating func removeAll() {
        changes.removeAll(keepingCapacity: true)
        byteCount = 0
    }

    /// Makes every change again, in order.
    func repeatAll(on file: any StoredFile) throws(AudioFailure) {
        for change in changes {
            switch change {
            case .write(let bytes, let offset): try file.write(bytes, at: offset)
            case .copy(let count, let offset):
                let end = min(try file.size(), offset + count)
                try file.copyPieces(from: file, sourceOffset: offset, count: max(end - offset, 0), to: offset)
            case .cut(let size): if try file.size() > size { try file.truncate(to: size) }
            }
        }
    }
}
