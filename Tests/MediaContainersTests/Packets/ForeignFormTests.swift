import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// Files as other programs and other years wrote them.
@Suite struct ForeignFormTests {
    struct Source: Sendable, CustomTestStringConvertible {
        var testDescription: String
        var arguments: [String]
        var name: String
        var codec: CodecID
        var rate = 44_100.0
        var priming: FrameCount = 0
        /// 1.0123 s at the rate; what FFmpeg itself rounds up is stated here.
        var valid: Int64 = 44_642
    }

    static let sources: [Source] = [
        Source(
            testDescription: "AAC, index behind, milliseconds",
            arguments: ["-c:a", "aac"],
            name: "a.m4a",
            codec: .aac,
            priming: 1_024
        ),
        Source(
            testDescription: "AAC, index in front",
            arguments: ["-c:a", "aac", "-movflags", "faststart"],
            name: "a.mp4",
            codec: .aac,
            priming: 1_024
        ),
        Source(
            testDescription: "AAC in QuickTime",
            arguments: ["-c:a", "aac"],
            name: "a.mov",
            codec: .aac,
            priming: 1_024
        ),
        Source(testDescription: "ALAC in M4A", arguments: ["-c:a", "alac"], name: "a.m4a", codec: .alac),
        Source(testDescription: "ALAC in QuickTime", arguments: ["-c:a", "alac"], name: "a.mov", codec: .alac),
        Source(testDescription: "ALAC in CAF", arguments: ["-c:a", "alac"], name: "a.caf", codec: .alac),
        Source(
            testDescription: "FLAC in MP4",
            arguments: ["-c:a", "flac", "-strict", "-2"],
            name: "a.mp4",
            codec: .flac
        ),
        Source(
            testDescription: "Opus in MP4",
            arguments: ["-c:a", "libopus", "-ar", "48000"],
            name: "a.mp4",
            codec: .opus,
            rate: 48_000,
            priming: 312,
            valid: 48_590
        ),
        Source(
            testDescription: "IMA4 in CAF, which rounds up to 64",
            arguments: ["-c:a", "adpcm_ima_qt"],
            name: "a.caf",
            codec: .ima4,
            valid: 44_672
        ),
        Source(testDescription: "µ-law in CAF", arguments: ["-c:a", "pcm_mulaw"], name: "a.caf", codec: .muLaw),
        Source(testDescription: "A-law in CAF", arguments: ["-c:a", "pcm_alaw"], name: "a.caf", codec: .aLaw),
    ]

    @Test(arguments: sources) func lengthAndTrimsAreExact(_ source: Source) throws {
        let (bytes, reader) = try ForeignTake.encode(source.arguments, seconds: 1.0123, to: source.name)
        #expect(reader.stream.codec == source.codec)
        #expect(reader.stream.sampleRate == source.rate)
        #expect(reader.stream.primingFrames == source.priming)
        #expect(abs((reader.validFrames?.value ?? -9) - source.valid) <= 1)
        #expect(reader.integrity == .complete)
        let frames = try reader.allPackets().reduce(0) { $0 + $1.frames }
        #expect(frames >= Int(source.priming.value + source.valid) - 1)
        // The bytes are the ones that FFmpeg reads too.
        let again = try FFmpegOpinion(bytes, name: source.name)
        #expect(!again.samples.isEmpty)
    }

    @Test func whatIsNotOursIsLeftToOthers() throws {
        for arguments in [["-c:a", "aac", "-movflags", "empty_moov"], ["-c:a", "libmp3lame"], ["-c:a", "ac3"]] {
            #expect { try ForeignTake.encode(arguments, seconds: 0.5, to: "a.mp4") } throws: {
                ($0 as? AudioFailure)?.code == .unsupported
            }
        }
    }

    @Test func iTunesTrimsStandInForAnEditList() throws {
        let take = SyntheticTake.aac(packets: 10)
        let file = MemoryFile()
        let writer = try MP4Writer(stream: take.stream, file: file, options: WriterOptions())
        for packet in take.packets { try writer.append(packet) }
        try writer.finish(validFrames: 9_000)
        var bytes = file.bytes
        let name = try #require(bytes.indices.dropLast(3).first { Array(bytes[$0..<$0 + 4]) == Array("elst".utf8) })
        bytes.replaceSubrange(name..<name + 4, with: "skip".utf8)
        let reader = try ForeignTake.open(MemoryFile(bytes))
        #expect(reader.stream.primingFrames == 1_024)
        #expect(reader.validFrames == 9_000)
    }

    @Test func theSetUpOfALACIsFoundInEveryForm() throws {
        let plain = SyntheticTake.alacCookie
        let atom: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + plain
        let old: [UInt8] = [0, 0, 0, 12] + Array("frma".utf8) + Array("alac".utf8) + atom
        let layout = [UInt8](repeating: 0, count: 24)
        for form in [plain, plain + layout, atom, old, old + [0, 0, 0, 8, 0, 0, 0, 0]] {
            #expect(try ALACCookie.plain(from: form) == plain)
        }
    }

    @Test func theSetUpOfAACIsFoundInEveryForm() throws {
        let config: [UInt8] = [0x12, 0x08]
        let descriptor = ESDescriptor.bytes(audioSpecificConfig: config, bitRate: 96_000)
        for cookie in [config, descriptor, [0, 0, 0, 0] + descriptor] {
            var file = Array("caff".utf8) + [0, 1, 0, 0]
            file += CAFChunk.bytes("desc", try CAFFormat(SyntheticTake.aac(packets: 0).stream).bytes)
            file += CAFChunk.bytes("kuki", cookie)
            file += CAFChunk.bytes("data", [0, 0, 0, 0, 7, 7, 7, 8, 8])
            let counts = CAFPacketTableHeader(
                packetCount: 2,
                validFrames: 1_000,
                primingFrames: 1_024,
                remainderFrames: 24
            )
            file += CAFChunk.bytes("pakt", counts.bytes + [3, 2])
            let reader = try ForeignTake.open(MemoryFile(file))
            #expect(reader.stream.configuration == config)
            #expect(reader.validFrames == 1_000)
            #expect(try reader.allPackets().map(\.bytes) == [[7, 7, 7], [8, 8]])
        }
    }

    @Test func compactPacketSizesAreRead() throws {
        for (bits, packed) in [(4, [0x35, 0x70] as [UInt8]), (8, [3, 5, 7]), (16, [0, 3, 0, 5, 0, 7])] {
            var table = ByteWriter()
            table.fullBox("stts") { box in
                for field: UInt32 in [2, 2, 100, 1, 40] { box.big(field) }
            }
            table.fullBox("stsc") { box in
                for field: UInt32 in [2, 1, 2, 1, 2, 1, 1] { box.big(field) }
            }
            table.fullBox("stz2") { box in
                box.big(UInt32(bits))
                box.big(UInt32(3))
                box.raw(packed)
            }
            table.fullBox("stco") { box in
                for field: UInt32 in [2, 50, 20] { box.big(field) }
            }
            var window = try SourceWindow(MemoryFile(table.bytes, isRecording: false))
            let boxes = try MP4Box.all(&window, from: 0, to: window.size)
            let samples = try MP4SampleTable(boxes, fixedFrames: nil, &window)
            #expect(samples.count == 3 && samples.decodedFrames == 240 && samples.framesPerPacket == 100)
            #expect((0..<3).map { samples.sizes[$0] } == [3, 5, 7])
            #expect((0..<3).map { samples.offset(of: $0) } == [50, 53, 20])
            #expect([0, 99, 100, 199, 200, 239, 240].map { samples.packet(at: $0) } == [0, 0, 1, 1, 2, 2, 3])
        }
    }

    @Test func aCAFWhoseLengthWasNeverWrittenIsReadToItsEnd() throws {
        for take in [SyntheticTake.pcm(packets: 10), .alac(packets: 10)] {
            let file = MemoryFile()
            let writer = try #require(
                try ContainerProvider().makeWriter(.caf, stream: take.stream, file: file, options: WriterOptions())
            )
            for packet in take.packets { try writer.append(packet) }
            try writer.checkpoint(synchronize: false)
            var bytes = file.bytes
            let data = try #require(bytes.indices.dropLast(3).last { Array(bytes[$0..<$0 + 4]) == Array("data".utf8) })
            bytes.replaceSubrange(data + 4..<data + 12, with: [UInt8](repeating: 0xFF, count: 8))
            let reader = try ForeignTake.open(MemoryFile(bytes))
            #expect(reader.validFrames == writer.checkpointedFrames)
            #expect(reader.integrity != .complete)
            #expect(try reader.allPackets().flatMap(\.bytes) == take.packets.flatMap(\.bytes))
        }
    }
}
