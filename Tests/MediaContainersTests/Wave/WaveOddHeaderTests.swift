import AudioCore
import MediaContainers
import Testing
import TestSupport

/// Headers of other programs that break the rules, and of programs that died.
@Suite struct WaveOddHeaderTests {
    private static let frames = 1_000
    /// 16 bits, mono.
    private static let audio = (0..<2 * frames).map { UInt8(truncatingIfNeeded: $0 * 31 + 1) }

    private static func little(_ value: UInt32) -> [UInt8] {
        (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }

    private static func chunk(_ id: String, _ body: [UInt8], size: UInt32? = nil, isPadded: Bool = true) -> [UInt8] {
        Array(id.utf8) + little(size ?? UInt32(body.count)) + body + (isPadded && body.count % 2 == 1 ? [0] : [])
    }

    private static func format(tag: UInt8 = 1, bits: UInt8 = 16, channels: UInt8 = 1, extra: [UInt8] = []) -> [UInt8] {
        let align = channels * (bits / 8)
        let body: [UInt8] =
            [tag, 0, channels, 0] + little(44_100) + little(44_100 * UInt32(align)) + [align, 0, bits, 0]
        return chunk("fmt ", body + extra)
    }

    private static func file(_ chunks: [UInt8]..., riff: UInt32? = nil, kind: String = "RIFF") -> MemoryFile {
        let body = chunks.flatMap { $0 }
        let size = riff ?? UInt32(body.count + 4)
        return MemoryFile(Array(kind.utf8) + little(size) + Array("WAVE".utf8) + body, isRecording: false)
    }

    private func expect(
        _ file: MemoryFile,
        frames: Int = WaveOddHeaderTests.frames,
        isComplete: Bool,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        let reader = try #require(
            try ContainerProvider().openReader(file, hint: nil),
            sourceLocation: sourceLocation
        )
        #expect(reader.validFrames == FrameCount(frames), sourceLocation: sourceLocation)
        let expected = Array(Self.audio.prefix(2 * frames))
        #expect(try LivePCMTakes.payload(reader) == expected, sourceLocation: sourceLocation)
        #expect((reader.integrity == .complete) == isComplete, sourceLocation: sourceLocation)
    }

    @Test(arguments: [0, 0xFFFF_FFFF, 0x7FFF_FFFF, 0xFFFF_FFDB]) func sizesThatWereNeverWritten(size: UInt32) throws {
        try expect(Self.file(Self.format(), Self.chunk("data", Self.audio, size: size), riff: 36), isComplete: false)
        try expect(
            Self.file(
                Self.chunk("JUNK", [UInt8](repeating: 0, count: 4_044)),
                Self.format(),
                Self.chunk("data", Self.audio, size: size),
                riff: 4_088
            ),
            isComplete: false
        )
    }

    @Test func aFileThatIsCut() throws {
        let whole = Self.file(Self.format(), Self.chunk("data", Self.audio)).bytes
        try expect(MemoryFile(whole.dropLast(1)), frames: 999, isComplete: false)
        try expect(MemoryFile(whole.dropLast(801)), frames: 599, isComplete: false)
    }

    @Test func aHeaderOlderThanTheAudio() throws {
        let long = (0..<5).flatMap { _ in Self.audio }
        let file = Self.file(Self.format(), Self.chunk("data", long, size: 2_000), riff: 2_036)
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == 5_000 && reader.integrity != .complete)
    }

    @Test func theFormsSizeDoesNotMatter() throws {
        for riff: UInt32 in [0, 2_028, 0xFFFF_FFFF, 1] {
            try expect(Self.file(Self.format(), Self.chunk("data", Self.audio), riff: riff), isComplete: true)
        }
    }

    @Test(arguments: [1, 2, 4, 7]) func strayBytes(count: Int) throws {
        try expect(
            Self.file(Self.format(), Self.chunk("data", Self.audio), [UInt8](repeating: 0xAB, count: count)),
            isComplete: true
        )
    }

    @Test func anOldTagAtTheEndIsNoAudio() throws {
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        try expect(Self.file(Self.format(), Self.chunk("data", Self.audio), tag), isComplete: true)
    }

    @Test func longFormatChunks() throws {
        let long = [UInt8](repeating: 0, count: 24)
        try expect(Self.file(Self.format(extra: long), Self.chunk("data", Self.audio)), isComplete: true)
        let float = Self.file(Self.format(tag: 3, bits: 32, extra: long), Self.chunk("data", Self.audio))
        let reader = try LivePCMTakes.media.openReader(float)
        #expect(reader.validFrames == 500)
        #expect(
            reader.stream.codec == .linearPCM(LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: false))
        )
    }

    @Test(arguments: [true, false]) func oddChunksWithAndWithoutPadding(isPadded: Bool) throws {
        let odd = Self.chunk("bext", [UInt8](repeating: 7, count: 605), isPadded: isPadded)
        try expect(Self.file(odd, Self.format(), Self.chunk("data", Self.audio)), isComplete: true)
        try expect(Self.file(Self.format(), odd, Self.chunk("data", Self.audio), odd), isComplete: true)
        // Audio of an odd length in front of another chunk.
        let bytes = Self.file(
            Self.format(bits: 8),
            Self.chunk("data", Array(Self.audio.prefix(999)), isPadded: isPadded),
            Self.chunk("LIST", Array("INFO".utf8) + Self.chunk("INAM", Array("name".utf8)))
        )
        let reader = try LivePCMTakes.media.openReader(bytes)
        #expect(reader.validFrames == 999 && reader.metadata.title == "name" && reader.integrity == .complete)
    }

    @Test func severalDataChunksAreOneRecording() throws {
        let (first, second) = (Array(Self.audio.prefix(601)), Array(Self.audio.dropFirst(601)))
        try expect(
            Self.file(Self.format(), Self.chunk("data", first), Self.chunk("note", [1]), Self.chunk("data", second)),
            isComplete: true
        )
        try expect(Self.file(Self.format(), Self.chunk("data", []), Self.chunk("data", Self.audio)), isComplete: true)
    }

    @Test func extensible() throws {
        let guid: [UInt8] = [1, 0, 0, 0, 0, 0, 0x10, 0, 0x80, 0, 0, 0xAA, 0, 0x38, 0x9B, 0x71]
        let extra: [UInt8] = [22, 0, 12, 0, 4, 0, 0, 0] + guid
        let body = Self.format(tag: 0xFE, extra: extra)
        var chunk = body
        chunk[9] = 0xFF
        let file = Self.file(chunk, Self.chunk("data", Self.audio))
        try expect(file, isComplete: true)
        #expect(try LivePCMTakes.media.openReader(file).stream.bitsPerChannel == 12)
    }

    @Test func codecsOfOthersAreLeftToOthers() throws {
        for tag: UInt8 in [2, 0x11, 0x50, 0x55, 0x31] {
            let file = Self.file(Self.format(tag: tag, bits: 8), Self.chunk("data", Self.audio))
            #expect(try ContainerProvider().openReader(file, hint: .wav) == nil)
        }
    }

    @Test func whatHasNoAudioIsTyped() throws {
        for file in [
            Self.file(Self.format()), Self.file(Self.chunk("data", Self.audio)), Self.file(),
            Self.file(Self.chunk("fmt ", [1, 0]), Self.chunk("data", Self.audio)),
            Self.file(Self.format(channels: 0), Self.chunk("data", Self.audio)),
        ] {
            #expect {
                _ = try ContainerProvider().openReader(file, hint: nil)
            } throws: { ($0 as? AudioFailure)?.code == .malformedMedia }
        }
    }
}
