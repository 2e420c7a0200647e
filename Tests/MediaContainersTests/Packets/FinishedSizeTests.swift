import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// What a finished file carries beside its packets and their table.
@Suite struct FinishedSizeTests {
    struct Length: Sendable, CustomTestStringConvertible {
        var packets: Int
        var meanBytes: Int
        var expected: FrameCount?
        /// The room of the last table of an M4A was not filled yet.
        var hasJustGrown = false
        var testDescription: String { "\(packets) × \(meanBytes) bytes, expected \(expected?.value ?? -1)" }
    }

    /// Just behind every growth, where the most room is unused, and in between; silent and usual packets; expectations
    /// that were right, far too small, far too large, and none.
    static let lengths: [Length] = [
        Length(packets: 0, meanBytes: 60, expected: nil),
        Length(packets: 1, meanBytes: 60, expected: nil),
        Length(packets: 430, meanBytes: 280, expected: nil),
        Length(packets: 430, meanBytes: 280, expected: FrameCount(430 * 1_024)),
        Length(packets: 430, meanBytes: 280, expected: FrameCount(12 * 3_600 * 44_100)),
        Length(packets: 12_400, meanBytes: 12, expected: 0),
        Length(packets: 24_700, meanBytes: 12, expected: 0, hasJustGrown: true),
        Length(packets: 24_700, meanBytes: 200, expected: 0),
        Length(packets: 30_000, meanBytes: 60, expected: nil),
    ]

    @Test(arguments: lengths, [ContainerKind.m4a, .caf])
    func slackIsBelowOnePercentAnd64KiB(_ length: Length, kind: ContainerKind) throws {
        let take = SyntheticTake.aac(packets: length.packets, meanBytes: length.meanBytes)
        let file = MemoryFile(isRecording: false)
        let writer = try #require(
            try ContainerProvider().makeWriter(
                kind,
                stream: take.stream,
                file: file,
                options: WriterOptions(expectedFrames: length.expected)
            )
        )
        for (index, packet) in take.packets.enumerated() {
            try writer.append(packet)
            if index % 100 == 99 { try writer.checkpoint(synchronize: true) }
        }
        let valid = FrameCount(max(0, length.packets - 1) * 1_024)
        try writer.finish(validFrames: valid)

        let audio = take.packets.reduce(0) { $0 + Int64($1.bytes.count) }
        let table = Int64(length.packets) * (kind == .m4a ? 4 : 2)
        let slack = try file.size() - audio - table
        let hole = length.hasJustGrown && kind == .m4a ? table : 0
        #expect(slack <= 65_536 + (audio + table) / 100 + hole)

        let reader = try ForeignTake.open(file)
        #expect(reader.integrity == .complete)
        #expect(reader.validFrames == valid)
        #expect(reader.audioByteCount == audio)
        var count = 0
        while let packet = try reader.nextPacket() {
            try #require(packet.bytes == take.packets[count].bytes)
            count += 1
        }
        #expect(count == length.packets)
    }
}
