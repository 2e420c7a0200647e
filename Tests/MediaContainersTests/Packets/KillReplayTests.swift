import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// The promise of the whole project: whatever is on the disk after any write has everything up to the last checkpoint.
@Suite struct KillReplayTests {
    /// One recording with small tables, so that they are outgrown several times.
    struct Recording {
        var take: SyntheticTake
        var file = MemoryFile()
        /// After each checkpoint: operations done, packets and frames kept.
        var checkpoints: [(operations: Int, packets: Int, frames: FrameCount)] = []

        init(
            _ take: SyntheticTake,
            synchronize: Bool,
            perCheckpoint: Int,
            isFinished: Bool,
            writer make: (StreamDescription, MemoryFile) throws -> any ContainerWriter
        ) throws {
            self.take = take
            let writer = try make(take.stream, file)
            var done = 0
            while done < take.packets.count {
                let upTo = min(take.packets.count, done + perCheckpoint)
                for packet in take.packets[done..<upTo] { try writer.append(packet) }
                done = upTo
                try writer.checkpoint(synchronize: synchronize)
                checkpoints.append((file.operations.count, done, writer.checkpointedFrames))
            }
            if isFinished { try writer.finish(validFrames: writer.checkpointedFrames) }
        }

        /// Opens what is there and compares it with what must be there after `operations` operations.
        func verify(_ image: any ByteSource, after operations: Int) throws {
            guard let kept = checkpoints.last(where: { $0.operations <= operations }) else { return }
            let reader = try ForeignTake.open(image)
            let valid = try #require(reader.validFrames)
            #expect(valid >= kept.frames)
            #expect(reader.stream.primingFrames == take.stream.primingFrames)
            try compare(reader, kept: kept.packets)
        }

        private func compare(_ reader: any ContainerReader, kept: Int) throws {
            var count = 0
            // A run of PCM is cut differently when it is read, so those are compared as one.
            var run: [UInt8] = []
            while let packet = try reader.nextPacket() {
                if take.stream.bytesPerPacket > 0 {
                    run += packet.bytes
                } else {
                    try #require(count < take.packets.count)
                    #expect(packet.bytes == take.packets[count].bytes)
                    count += 1
                }
            }
            if take.stream.bytesPerPacket > 0 {
                count = run.count / take.packets[0].bytes.count
                try #require(count <= take.packets.count)
                #expect(run == take.packets.prefix(count).flatMap(\.bytes))
            }
            #expect(count >= kept)
        }
    }

    typealias Maker = @Sendable (StreamDescription, MemoryFile) throws -> any ContainerWriter

    /// Without slack that may be kept, `finish` moves packets whenever there is room for one.
    static func m4a(capacity: Int64, keptSlack: Int64) -> Maker {
        {
            try MP4Writer(
                stream: $0,
                file: $1,
                options: WriterOptions(expectedFrames: 0),
                leastCapacity: capacity,
                keptSlack: keptSlack
            )
        }
    }

    static let caf: Maker = { stream, file in
        let format = try CAFFormat(stream)
        if format.bytesPerPacket > 0 {
            return try CAFConstantWriter(stream: stream, format: format, file: file, options: WriterOptions())
        }
        return try CAFTableWriter(
            stream: stream,
            format: format,
            file: file,
            options: WriterOptions(),
            frontCapacity: 50
        )
    }

    struct Case: CustomTestStringConvertible, Sendable {
        var testDescription: String
        var take: @Sendable () -> SyntheticTake
        var writer: Maker
    }

    static let cases = [
        Case(
            testDescription: "AAC in M4A, outgrowing its table",
            take: { .aac(packets: 160) },
            writer: m4a(capacity: 20, keptSlack: 60 << 10)
        ),
        Case(
            testDescription: "AAC in M4A, ending while the room of an old table is filled",
            take: { .aac(packets: 170, meanBytes: 400) },
            writer: m4a(capacity: 20, keptSlack: -1 << 20)
        ),
        Case(
            testDescription: "AAC in M4A, packed behind a table that took the place of others",
            take: { .aac(packets: 160, meanBytes: 400) },
            writer: m4a(capacity: 20, keptSlack: -1 << 20)
        ),
        Case(
            testDescription: "AAC in M4A, packed behind a table in front",
            take: { .aac(packets: 160, meanBytes: 400) },
            writer: m4a(capacity: 2_000, keptSlack: -1 << 20)
        ),
        Case(
            testDescription: "ALAC in M4A with a short last packet",
            take: { .alac(packets: 160, lastFrames: 999) },
            writer: m4a(capacity: 20, keptSlack: 60 << 10)
        ),
        Case(testDescription: "AAC in CAF", take: { .aac(packets: 160) }, writer: caf),
        Case(testDescription: "ALAC in CAF", take: { .alac(packets: 160) }, writer: caf),
        Case(testDescription: "IMA4 in CAF", take: { .ima4(packets: 160) }, writer: caf),
        Case(testDescription: "PCM in CAF", take: { .pcm(packets: 160) }, writer: caf),
    ]

    @Test(arguments: cases, [false, true])
    func everyPrefixOfTheWritesIsAFile(_ kind: Case, synchronize: Bool) throws {
        let recording = try Recording(
            kind.take(),
            synchronize: synchronize,
            perCheckpoint: 7,
            isFinished: true,
            writer: kind.writer
        )
        try PrefixReplay(recording.file.operations).forEachPrefix { image, operations in
            try recording.verify(image, after: operations)
        }
    }

    /// Whatever moment of `finish` the process dies in: what the encoder added to fill its last packets is not heard.
    @Test(arguments: cases.filter { !$0.testDescription.contains("short last packet") })
    func paddingIsNeverPartOfTheRecording(_ kind: Case) throws {
        let take = kind.take()
        let file = MemoryFile()
        let writer = try kind.writer(take.stream, file)
        for packet in take.packets { try writer.append(packet) }
        let frames = take.packets.reduce(0) { $0 + Int64($1.frames) } - take.stream.primingFrames.value
        let valid = FrameCount(frames - Int64(take.stream.framesPerPacket) / 2)
        try writer.finish(validFrames: valid)
        try PrefixReplay(file.operations).forEachPrefix { image, operations in
            guard operations > 0, try image.size() > 0, let reader = try? ForeignTake.open(image) else { return }
            let read = try #require(reader.validFrames)
            #expect(read <= valid, "after \(operations) operations")
            if operations == file.operations.count { #expect(read == valid) }
        }
    }

    /// A power cut: of the writes since the last synchronisation, any may be on the disk and any may not.
    @Test(arguments: cases)
    func anyChoiceOfUnsynchronizedWritesIsAFile(_ kind: Case) throws {
        let recording = try Recording(
            kind.take(),
            synchronize: true,
            perCheckpoint: 7,
            isFinished: true,
            writer: kind.writer
        )
        var random = SeededGenerator(seed: 5)
        let operations = recording.file.operations
        let disk = MemoryFile(isRecording: false)
        var waiting: [MemoryFile.Operation] = []
        var synchronized = 0
        for (index, operation) in operations.enumerated() {
            guard case .synchronize = operation else {
                waiting.append(operation)
                continue
            }
            if synchronized > 0, !waiting.isEmpty {
                for _ in 0..<3 {
                    let image = MemoryFile(disk.bytes, isRecording: false)
                    for one in waiting where Bool.random(using: &random) { try apply(one, to: image) }
                    try recording.verify(image, after: synchronized)
                }
            }
            for one in waiting { try apply(one, to: disk) }
            waiting = []
            synchronized = index + 1
        }
        #expect(synchronized == operations.count, "The last thing that a writer does is to synchronise.")
    }

    private func apply(_ operation: MemoryFile.Operation, to file: MemoryFile) throws {
        switch operation {
        case .write(let offset, let bytes): try file.write(bytes, at: offset)
        case .truncate(let size): try file.truncate(to: size)
        case .synchronize: break
        }
    }
}
