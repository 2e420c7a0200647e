import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// Fields that were set on purpose to what hurts most.
@Suite struct HostileFieldTests {
    private func caf(_ take: SyntheticTake) throws -> [UInt8] { try file(take, .caf) }

    private func file(_ take: SyntheticTake, _ kind: ContainerKind) throws -> [UInt8] {
        let file = MemoryFile(isRecording: false)
        let options = WriterOptions(expectedFrames: 0)
        let writer = try #require(
            try ContainerProvider().makeWriter(kind, stream: take.stream, file: file, options: options)
        )
        for packet in take.packets { try writer.append(packet) }
        try writer.finish(validFrames: 100)
        return file.bytes
    }

    private func find(_ name: String, in bytes: [UInt8]) throws -> Int {
        let code = Array(name.utf8)
        return try #require(bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == code })
    }

    private func patched(_ bytes: [UInt8], behind name: String, at offset: Int, _ value: [UInt8]) throws -> [UInt8] {
        var copy = bytes
        let start = try find(name, in: bytes) + 4 + offset
        copy.replaceSubrange(start..<start + value.count, with: value)
        return copy
    }

    private static let huge: [UInt8] = [0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]
    private static let negative: [UInt8] = [0x80, 0, 0, 0, 0, 0, 0, 0]

    @Test(arguments: ["desc", "chan", "kuki", "pakt", "data", "info", "free"])
    func aCAFChunkOfAnyLengthIsSurvived(name: String) throws {
        let take = SyntheticTake.alac(packets: 5)
        let file = MemoryFile(isRecording: false)
        var options = WriterOptions()
        options.metadata.title = "T"
        let writer = try #require(
            try ContainerProvider().makeWriter(.caf, stream: take.stream, file: file, options: options)
        )
        for packet in take.packets { try writer.append(packet) }
        try writer.checkpoint(synchronize: false)
        for length in [Self.huge, Self.negative, [UInt8](repeating: 0xFF, count: 8), [UInt8](repeating: 0, count: 8)] {
            HostileFileTests.useUp(try patched(file.bytes, behind: name, at: 0, length))
        }
    }

    @Test(arguments: [0, UInt64(0x7FF8 << 48), 0x7FF0 << 48, 0xC0E5_8880 << 32, 1])
    func aCAFRateThatIsNoneIsMalformed(bits: UInt64) throws {
        let rate = (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * $0)) }
        let bytes = try patched(try caf(.pcm(packets: 3)), behind: "desc", at: 8, rate)
        #expect { try ForeignTake.open(MemoryFile(bytes)) } throws: { ($0 as? AudioFailure)?.code == .malformedMedia }
    }

    @Test(arguments: [8 + 12, 8 + 16, 8 + 20, 8 + 24, 8 + 28]) func aCAFDescriptionOfAnyNumbersIsSurvived(at: Int)
        throws
    {
        for take in [SyntheticTake.pcm(packets: 3), .ima4(packets: 3), .aac(packets: 3)] {
            for value: [UInt8] in [[0, 0, 0, 0], [0x80, 0, 0, 0], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 3]] {
                HostileFileTests.useUp(try patched(try caf(take), behind: "desc", at: at, value))
            }
        }
    }

    @Test func aCAFLayoutOfTwoBillionDescriptionsIsPassedOver() throws {
        let bytes = try patched(try caf(.pcm(packets: 3)), behind: "chan", at: 8 + 8, [0x80, 0, 0, 0])
        #expect(try ForeignTake.open(MemoryFile(bytes)).validFrames == 100)
    }

    @Test func aCAFTableOfMorePacketsThanBytesEndsWhereItEnds() throws {
        let bytes = try patched(try caf(.aac(packets: 9)), behind: "pakt", at: 8, Self.huge)
        let reader = try ForeignTake.open(MemoryFile(bytes))
        #expect(try reader.allPackets().count == 9)
        #expect(reader.integrity != .complete)
    }

    @Test(arguments: ["stsz", "stts", "stsc", "co64", "elst", "stsd", "mdhd", "mvhd", "sbgp", "ilst", "esds", "ftyp"])
    func anM4ATableOfAnyNumbersIsSurvived(name: String) throws {
        let bytes = try file(.aac(packets: 9), .m4a)
        for offset in stride(from: -4, to: 28, by: 4) where offset != 0 || name == "ilst" {
            for value: [UInt8] in [[0, 0, 0, 0], [0x7F, 0xFF, 0xFF, 0xFF], [0xFF, 0xFF, 0xFF, 0xFF], [0, 0, 0, 1]] {
                // −4 … −1 is the name itself; its length lies in front of it.
                let place = offset == -4 ? -8 : offset
                HostileFileTests.useUp(try patched(bytes, behind: name, at: place, value))
            }
        }
    }

    @Test func anALACSetUpOfNonsenseIsMalformed() throws {
        let cookie = SyntheticTake.alacCookie
        for (place, value): (Int, [UInt8]) in [
            (0, [0x80, 0, 0, 0]), (0, [0, 0, 0, 0]), (4, [9]), (5, [0]), (5, [17]), (9, [0]), (9, [255]),
        ] {
            var damaged = cookie
            damaged.replaceSubrange(place..<place + value.count, with: value)
            #expect(throws: AudioFailure.self) { try ALACCookie.plain(from: damaged) }
        }
        for length in 0..<24 {
            #expect(throws: AudioFailure.self) { try ALACCookie.plain(from: Array(cookie[..<length])) }
        }
    }

    @Test func chunksThatOverlapDoNotMakeAFileEndless() throws {
        // 60 000 chunks of one packet, all at the same place.
        var table = ByteWriter()
        let count: UInt32 = 60_000
        table.fullBox("stts") { box in
            for field in [1, count, 1_024] { box.big(field) }
        }
        table.fullBox("stsc") { box in
            for field: UInt32 in [1, 1, 1, 1] { box.big(field) }
        }
        table.fullBox("stsz") { box in
            for field in [0, count] { box.big(field) }
            for _ in 0..<count { box.big(UInt32(100_000)) }
        }
        table.fullBox("stco") { box in
            box.big(count)
            for _ in 0..<count { box.big(UInt32(0)) }
        }
        var window = try SourceWindow(MemoryFile(table.bytes, isRecording: false))
        let boxes = try MP4Box.all(&window, from: 0, to: window.size)
        let samples = try MP4SampleTable(boxes, fixedFrames: nil, &window)
        #expect(samples.byteCount <= window.size)
    }
}
