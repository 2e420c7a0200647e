import AudioCore
import MediaContainers
import TestSupport
import Testing

/// A note is in the file from the checkpoint on that follows it, whatever happens to the process, the power or the bytes.
@Suite struct NoteDurabilityTests {
    private struct Recording {
        var take: NoteTake
        /// After each checkpoint: operations done, notes given, frames kept.
        var checkpoints: [(operations: Int, notes: Int, frames: FrameCount, bytes: Int)] = []
        let notes = Notes.some(24, spacing: 1_500)

        init(_ format: NoteTake.Format, synchronize: Bool) throws {
            take = try NoteTake(format, options: WriterOptions(noteRoom: WriterOptions.recordingNoteRoom))
            try take.writer.checkpoint(synchronize: true)
            checkpoints.append((take.file.operations.count, 0, 0, 0))
            for (index, note) in notes.enumerated() {
                try take.append(upTo: 0.9 * Double(index) / Double(notes.count))
                try take.writer.note(note)
                if index % 3 != 2 { continue }
                try take.writer.checkpoint(synchronize: synchronize)
                checkpoints.append(
                    (take.file.operations.count, index + 1, take.writer.checkpointedFrames, take.appendedBytes)
                )
            }
            try take.finish()
        }

        /// - Parameter isTorn: what was not synchronised may be on the disk in part.
        func verify(_ image: MemoryFile, after operations: Int, isTorn: Bool) throws {
            guard let kept = checkpoints.last(where: { $0.operations <= operations }) else { return }
            let reader = try take.open(image, kept: isTorn ? kept.bytes : nil)
            let valid = try #require(reader.validFrames)
            // Of FLAC the end of a frame is known by the next one only.
            let unsure = isTorn && take.format.codec == .flac ? take.stream.framesPerPacket : 0
            #expect(valid + FrameCount(unsure) >= kept.frames, "after \(operations) operations")
            let found = Set(reader.metadata.notes)
            let isThere = found.isSuperset(of: notes.prefix(kept.notes)) && found.isSubset(of: notes)
            #expect(isThere, "after \(operations) operations")
            #expect(reader.metadata.omittedNotes == 0, "after \(operations) operations")
        }
    }

    @Test(arguments: NoteTake.Format.all, [false, true])
    func killedAfterAnyWrite(format: NoteTake.Format, synchronize: Bool) throws {
        let recording = try Recording(format, synchronize: synchronize)
        try PrefixReplay(recording.take.file.operations).forEachPrefix { image, operations in
            try recording.verify(image, after: operations, isTorn: false)
        }
    }

    /// Of the writes since the last synchronisation any may be on the disk, any not, and any in part: by whole sectors.
    @Test(arguments: NoteTake.Format.all)
    func powerCut(format: NoteTake.Format) throws {
        let recording = try Recording(format, synchronize: true)
        var random = SeededGenerator(seed: 17)
        let disk = MemoryFile(isRecording: false)
        var waiting: [MemoryFile.Operation] = []
        var synchronized = 0
        for (index, operation) in recording.take.file.operations.enumerated() {
            guard case .synchronize = operation else {
                waiting.append(operation)
                continue
            }
            if synchronized > 0, !waiting.isEmpty {
                for _ in 0..<6 {
                    let image = MemoryFile(disk.bytes, isRecording: false)
                    for one in waiting { try Self.cut(one, image, &random) }
                    try recording.verify(image, after: synchronized, isTorn: true)
                }
            }
            for one in waiting { try Self.apply(one, to: disk) }
            waiting = []
            synchronized = index + 1
        }
    }

    private static func apply(_ operation: MemoryFile.Operation, to file: MemoryFile) throws {
        switch operation {
        case .write(let offset, let bytes): try file.write(bytes, at: offset)
        case .truncate(let size): try file.truncate(to: size)
        case .synchronize: break
        }
    }

    private static func cut(_ operation: MemoryFile.Operation, _ image: MemoryFile, _ random: inout SeededGenerator)
        throws
    {
        guard case .write(let offset, let bytes) = operation, Bool.random(using: &random) else {
            if Bool.random(using: &random) { try apply(operation, to: image) }
            return
        }
        var place = offset
        while place < offset + Int64(bytes.count) {
            let end = min((place / 512 + 1) * 512, offset + Int64(bytes.count))
            if Bool.random(using: &random) {
                try image.write(Array(bytes[Int(place - offset)..<Int(end - offset)]), at: place)
            }
            place = end
        }
    }

    /// Bytes that changed in the room of the notes cost those notes at most, never the audio.
    @Test(arguments: NoteTake.Format.all.filter { $0.container != .oggOpus })
    func aDamagedEntryCostsItselfOnly(format: NoteTake.Format) throws {
        let recording = try Recording(format, synchronize: false)
        let bytes = recording.take.file.bytes
        let target = Array("Marker 11".utf8)
        // Behind the head of an entry: the name is in the chunks for others, too.
        func isEntry(_ place: Int) -> Bool {
            guard bytes[place] == target[0], bytes[place - 13] == 0x6B, bytes[place - 12] == 0x6E else { return false }
            return bytes[place..<place + 9].elementsEqual(target)
        }
        let place = try #require((13..<bytes.count - 9).first(where: isEntry))
        for damage in [place - 14, place - 10, place, place + 5] {
            var damaged = bytes
            damaged[damage] ^= 0x55
            let reader = try recording.take.open(MemoryFile(damaged, isRecording: false))
            #expect(reader.validFrames == FrameCount(recording.take.frames))
            let found = Set(reader.metadata.notes)
            let lost = Set(recording.notes).subtracting(found)
            #expect(lost.count == 1 && found.count == recording.notes.count - 1)
        }
    }
}
