import AudioCore
import MediaContainers
import Testing
import TestSupport

@Suite(.enabled(if: ExternalTool.areInstalled("flac", "metaflac", "ffmpeg")))
struct FLACTests {
    private static let frames = 50_000

    /// A stream that the reference encoder made, in packets.
    struct Encoded {
        var stream: StreamDescription
        var packets: [EncodedPacket]
        var file: [UInt8]
        var folder: TemporaryFolder
        /// The same as WAV.
        var source: MemoryFile
    }

    static func encoded(_ arguments: [String] = ["-5"], bits: Int = 16, channels: Int = 2) throws -> Encoded {
        let folder = try TemporaryFolder()
        let source = try LivePCMTakes.record(LivePCMTakes.linear(bits), in: .wav, frames: frames, channels: channels)
            .file
        let path = try folder.write(source.bytes, to: "source.wav")
        let result = try ExternalTool.run("flac", arguments + ["-s", "-f", "-o", folder.path("a.flac"), path])
        #expect(result.status == 0, "\(result.messages)")
        let file = try folder.read("a.flac")
        let reader = try LivePCMTakes.media.openReader(MemoryFile(file, isRecording: false))
        let packets = try allPackets(reader)
        return Encoded(stream: reader.stream, packets: packets, file: file, folder: folder, source: source)
    }

    static func allPackets(_ reader: any ContainerReader) throws -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return packets
    }

    private static func write(
        _ encoded: Encoded,
        metadata: MediaMetadata = MediaMetadata(),
        afterCheckpoint: (any ContainerWriter, MemoryFile) throws -> Void = { _, _ in }
    ) throws -> MemoryFile {
        let file = MemoryFile()
        let writer = try LivePCMTakes.media.makeWriter(
            .flac,
            stream: encoded.stream,
            file: file,
            options: WriterOptions(metadata: metadata)
        )
        for packet in encoded.packets {
            try writer.append(packet)
            try writer.checkpoint(synchronize: true)
            try afterCheckpoint(writer, file)
        }
        try writer.finish(validFrames: FrameCount(frames))
        return file
    }

    @Test(arguments: [(16, 2, ["-5"]), (24, 1, ["-8"]), (16, 1, ["-0", "--blocksize=576"]), (8, 2, ["-3"])])
    func framesOfTheReferenceEncoderAreFound(bits: Int, channels: Int, arguments: [String]) throws {
        let encoded = try Self.encoded(arguments, bits: bits, channels: channels)
        let reader = try LivePCMTakes.media.openReader(MemoryFile(encoded.file, isRecording: false))
        #expect(reader.validFrames == FrameCount(Self.frames) && reader.integrity == .complete)
        #expect(reader.stream.channelCount == channels && reader.stream.bitsPerChannel == bits)
        #expect(encoded.packets.reduce(0) { $0 + $1.frames } == Self.frames)
        #expect(
            encoded.file.suffix(encoded.packets.reduce(0) { $0 + $1.bytes.count })
                == encoded.packets.flatMap(\.bytes)[...]
        )
    }

    @Test func whatWeWritePassesTheReferenceDecoder() throws {
        let encoded = try Self.encoded()
        var metadata = MediaMetadata()
        metadata.title = "Öğle arası"
        metadata.markers = [.init(frame: 44_101, name: "one second"), .init(frame: 7, name: "start")]
        let file = try Self.write(encoded, metadata: metadata)
        let path = try encoded.folder.write(file.bytes, to: "b.flac")
        let test = try ExternalTool.run("flac", ["-t", "-s", path])
        #expect(test.status == 0 && !test.messages.contains("ERROR"), "\(test.messages)")
        let total = try ExternalTool.run("metaflac", ["--show-total-samples", path])
        #expect(total.text == "\(Self.frames)\n")
        let ffmpeg = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
        #expect(ffmpeg.messages == "")
        let payload = try LivePCMTakes.payload(try LivePCMTakes.media.openReader(encoded.source))
        #expect(ffmpeg.output == payload)
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.metadata.title == "Öğle arası")
        #expect(reader.metadata.markers == [metadata.markers[1], metadata.markers[0]])
        #expect(reader.validFrames == FrameCount(Self.frames) && reader.integrity == .complete)
        #expect(try Self.allPackets(reader).map(\.bytes) == encoded.packets.map(\.bytes))
    }

    @Test func everyPrefixOfTheWritesPlays() throws {
        let encoded = try Self.encoded(["-5", "--blocksize=4608"])
        var checkpoints: [(operations: Int, frames: Int64)] = []
        let file = try Self.write(encoded) { writer, file in
            checkpoints.append((file.operations.count, writer.checkpointedFrames.value))
        }
        let replay = PrefixReplay(file.operations)
        try replay.forEachPrefix { file, done in
            if done == 0 { return }
            let reader = try LivePCMTakes.media.openReader(file)
            let promised = checkpoints.last { $0.operations <= done }?.frames ?? 0
            let valid = try #require(reader.validFrames).value
            let packets = try Self.allPackets(reader)
            #expect(
                valid >= promised && valid == packets.reduce(0) { $0 + Int64($1.frames) },
                "after \(done) operations"
            )
            #expect(packets.map(\.bytes) == encoded.packets.prefix(packets.count).map(\.bytes))
            if done < replay.count - 3 { #expect(reader.integrity != .complete, "after \(done) operations") }
        }
    }

    @Test func lengthsThatNobodyStated() throws {
        let encoded = try Self.encoded()
        // The total of STREAMINFO: the last 36 bits before the checksum.
        var unknown = encoded.file
        unknown[21] &= 0xF0
        for index in 22..<26 { unknown[index] = 0 }
        let reader = try LivePCMTakes.media.openReader(MemoryFile(unknown))
        #expect(reader.validFrames == FrameCount(Self.frames) && reader.integrity != .complete)

        // A tag behind the audio, a frame that is cut, a part whose frames do not start to count at zero.
        let tag = Array("TAG".utf8) + [UInt8](repeating: 0x20, count: 125)
        let tagged = try LivePCMTakes.media.openReader(MemoryFile(encoded.file + tag))
        #expect(tagged.validFrames == FrameCount(Self.frames) && tagged.integrity == .complete)
        let cut = try LivePCMTakes.media.openReader(MemoryFile(encoded.file.dropLast(100)))
        let last = try #require(encoded.packets.last)
        #expect(cut.validFrames == FrameCount(Self.frames - last.frames) && cut.integrity != .complete)
        let audioStart = encoded.file.count - encoded.packets.reduce(0) { $0 + $1.bytes.count }
        let part = unknown[..<audioStart] + encoded.packets[3...].flatMap(\.bytes)
        let partReader = try LivePCMTakes.media.openReader(MemoryFile(Array(part)))
        #expect(partReader.validFrames == FrameCount(Self.frames - 3 * 4_096))
        #expect(try partReader.seek(toDecodedFrame: 5_000, preroll: 0) == 4_096)
        #expect(try partReader.nextPacket()?.bytes == encoded.packets[4].bytes)
    }

    @Test func seeksToTheBlock() throws {
        let encoded = try Self.encoded(["-0", "--blocksize=256"], bits: 24)
        let reader = try LivePCMTakes.media.openReader(MemoryFile(encoded.file))
        for target in [0, 1, 255, 256, 30_000, 49_999] {
            let found = try reader.seek(toDecodedFrame: FrameCount(target), preroll: 0)
            #expect(found == FrameCount(target / 256 * 256))
            #expect(try reader.nextPacket()?.bytes == encoded.packets[target / 256].bytes)
        }
        #expect(try reader.seek(toDecodedFrame: 30_000, preroll: 3) == FrameCount(30_000 / 256 * 256 - 3 * 256))
        #expect(try reader.seek(toDecodedFrame: FrameCount(Int64.max), preroll: 0) == FrameCount(Self.frames))
        #expect(try reader.nextPacket() == nil)
    }

    @Test func aDamagedFrameKeepsItsPlace() throws {
        let encoded = try Self.encoded()
        let audioStart = encoded.file.count - encoded.packets.reduce(0) { $0 + $1.bytes.count }
        // In the middle of the third frame; then the header of the fourth too.
        var damaged = encoded.file
        let third = audioStart + encoded.packets[0].bytes.count + encoded.packets[1].bytes.count
        damaged[third + encoded.packets[2].bytes.count / 2] ^= 0x55
        damaged[third + encoded.packets[2].bytes.count] ^= 0x55
        let reader = try LivePCMTakes.media.openReader(MemoryFile(damaged))
        #expect(reader.validFrames == FrameCount(Self.frames))
        let packets = try Self.allPackets(reader)
        #expect(packets.reduce(0) { $0 + $1.frames } == Self.frames)
        #expect(packets.suffix(5).map(\.bytes) == encoded.packets.suffix(5).map(\.bytes))
        #expect(packets.filter { $0.bytes.count == 16 }.reduce(0) { $0 + $1.frames } == 2 * 4_096)
    }

    @Test func damagedFilesOpenOrFailInType() throws {
        let folder = try TemporaryFolder()
        let source = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 3_000).file
        let path = try folder.write(source.bytes, to: "source.wav")
        _ = try ExternalTool.run("flac", ["-s", "--blocksize=576", "-o", folder.path("a.flac"), "--no-padding", path])
        var opened = 0
        let original = try folder.read("a.flac")
        DamagedCopies(of: original).forEach(count: 1_000) { bytes, index in
            do throws(AudioFailure) {
                let reader = try LivePCMTakes.media.openReader(MemoryFile(bytes, isRecording: false))
                var packets = 0
                while try reader.nextPacket() != nil { packets += 1 }
                #expect(packets <= bytes.count)
                let found = try reader.seek(toDecodedFrame: FrameCount(Int64.max), preroll: 3)
                #expect(found.value >= 0)
                opened += 1
            } catch {
                #expect(error.code == .malformedMedia, "copy \(index): \(error)")
            }
        }
        #expect(opened > 300)
    }

    @Test func manyFalseHeadersDoNotHoldUp() throws {
        let encoded = try Self.encoded()
        let audioStart = encoded.file.count - encoded.packets.reduce(0) { $0 + $1.bytes.count }
        let header = encoded.packets[1].bytes.prefix(6)
        let file = encoded.file[..<audioStart] + (0..<20_000).flatMap { _ in header }
        let start = ContinuousClock.now
        let reader = try LivePCMTakes.media.openReader(MemoryFile(Array(file)))
        while try reader.nextPacket() != nil {}
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
