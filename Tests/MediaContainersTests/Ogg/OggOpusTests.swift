import AudioCore
import MediaContainers
import Testing
import TestSupport

@Suite(.enabled(if: ExternalTool.areInstalled("opusenc", "opusdec", "opusinfo", "ffmpeg")))
struct OggOpusTests {
    /// At 48 kHz.
    private static let frames = 100_000

    struct Encoded {
        var stream: StreamDescription
        var packets: [EncodedPacket]
        var file: [UInt8]
        var folder: TemporaryFolder
    }

    static func encoded(_ arguments: [String] = [], frames: Int = frames, channels: Int = 2) throws -> Encoded {
        let folder = try TemporaryFolder()
        let source = try LivePCMTakes.record(
            LivePCMTakes.linear(16),
            in: .wav,
            frames: frames,
            rate: 48_000,
            channels: channels
        ).file
        let path = try folder.write(source.bytes, to: "source.wav")
        let result = try ExternalTool.run("opusenc", ["--quiet"] + arguments + [path, folder.path("a.opus")])
        #expect(result.status == 0, "\(result.messages)")
        let file = try folder.read("a.opus")
        let reader = try LivePCMTakes.media.openReader(MemoryFile(file, isRecording: false))
        return Encoded(stream: reader.stream, packets: try allPackets(reader), file: file, folder: folder)
    }

    static func allPackets(_ reader: any ContainerReader) throws -> [EncodedPacket] {
        var packets: [EncodedPacket] = []
        while let packet = try reader.nextPacket() { packets.append(packet) }
        return packets
    }

    private static func write(
        _ encoded: Encoded,
        frames: Int = frames,
        metadata: MediaMetadata = MediaMetadata(),
        packetsPerCheckpoint: Int = 5,
        afterCheckpoint: (any ContainerWriter, MemoryFile) throws -> Void = { _, _ in }
    ) throws -> MemoryFile {
        let file = MemoryFile()
        let writer = try LivePCMTakes.media.makeWriter(
            .oggOpus,
            stream: encoded.stream,
            file: file,
            options: WriterOptions(metadata: metadata)
        )
        for (index, packet) in encoded.packets.enumerated() {
            try writer.append(packet)
            if index % packetsPerCheckpoint == packetsPerCheckpoint - 1 {
                try writer.checkpoint(synchronize: true)
                try afterCheckpoint(writer, file)
            }
        }
        try writer.finish(validFrames: FrameCount(frames))
        return file
    }

    @Test(arguments: [(1, ["--framesize", "20"]), (2, ["--framesize", "60"]), (2, ["--framesize", "2.5"])])
    func packetsOfTheReferenceEncoderAreFound(channels: Int, arguments: [String]) throws {
        let encoded = try Self.encoded(arguments, channels: channels)
        let reader = try LivePCMTakes.media.openReader(MemoryFile(encoded.file))
        #expect(reader.container == .oggOpus && reader.stream.codec == .opus)
        #expect(reader.stream.channelCount == channels && reader.stream.sampleRate == 48_000)
        #expect(reader.validFrames == FrameCount(Self.frames) && reader.integrity == .complete)
        #expect(reader.stream.primingFrames == 312)
        let total = encoded.packets.reduce(0) { $0 + $1.frames }
        #expect(total >= Self.frames + 312 && total < Self.frames + 312 + 2 * 2_880)
    }

    @Test func whatWeWriteIsReadByOthers() throws {
        let encoded = try Self.encoded()
        var metadata = MediaMetadata()
        metadata.title = "Öğle arası"
        metadata.comment = String(repeating: "long ", count: 20_000)
        metadata.markers = [.init(frame: 48_001, name: "a second")]
        let file = try Self.write(encoded, metadata: metadata)
        let path = try encoded.folder.write(file.bytes, to: "b.opus")
        let info = try ExternalTool.run("opusinfo", [path])
        #expect(
            info.status == 0 && !info.text.contains("WARNING") && !info.messages.contains("WARNING"),
            "\(info.text)"
        )
        #expect(info.text.contains("Playback length: 0m:02.083s"), "\(info.text)")

        let ours = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
        let original = encoded.folder.path("a.opus")
        let theirs = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", original, "-f", "s16le", "-"])
        #expect(ours.messages == "" && ours.output.count == Self.frames * 4 && ours.output == theirs.output)
        let decoded = try ExternalTool.run("opusdec", ["--quiet", path, encoded.folder.path("b.wav")])
        #expect(decoded.status == 0)
        let wav = try LivePCMTakes.media.openReader(MemoryFile(try encoded.folder.read("b.wav")))
        #expect(wav.validFrames == FrameCount(Self.frames))

        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.metadata.title == "Öğle arası" && reader.metadata.markers == metadata.markers)
        #expect(reader.validFrames == FrameCount(Self.frames) && reader.integrity == .complete)
        #expect(try Self.allPackets(reader).map(\.bytes) == encoded.packets.map(\.bytes))
    }

    /// The padding of an encoder that gives whole packets of silence at the end.
    @Test(arguments: [0, 100, 959, 47_000, 99_999]) func theEndIsTrimmed(frames: Int) throws {
        let encoded = try Self.encoded()
        let enough = (frames + 312 + 959) / 960
        var shortened = encoded
        shortened.packets = Array(encoded.packets.prefix(enough + 3))
        let file = try Self.write(shortened, frames: frames, packetsPerCheckpoint: 1)
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == FrameCount(frames) && reader.integrity == .complete)
        let path = try encoded.folder.write(file.bytes, to: "b.opus")
        let ffmpeg = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
        if frames > 0 { #expect(ffmpeg.output.count == frames * 4) }
        let info = try ExternalTool.run("opusinfo", [path])
        #expect(info.status == 0 && !info.messages.contains("WARNING"), "\(info.messages)")
    }

    @Test func pagesAreShort() throws {
        let encoded = try Self.encoded()
        let file = try Self.write(encoded, packetsPerCheckpoint: 1_000)
        let pages = file.bytes.indices.filter { file.bytes[$0...].starts(with: Array("OggS".utf8)) }
        // Two pages of headers, then pages of 10 packets of 20 ms.
        #expect(pages.count == 2 + (encoded.packets.count + 9) / 10)
    }

    @Test func everyPrefixOfTheWritesPlays() throws {
        let encoded = try Self.encoded(frames: 40_000)
        var checkpoints: [(operations: Int, frames: Int64)] = []
        let file = try Self.write(encoded, frames: 40_000, packetsPerCheckpoint: 3) { writer, file in
            checkpoints.append((file.operations.count, writer.checkpointedFrames.value))
        }
        let replay = PrefixReplay(file.operations)
        try replay.forEachPrefix { file, done in
            if done == 0 { return }
            let reader = try LivePCMTakes.media.openReader(file)
            // The last checkpoint counts the encoder's padding, which finishing takes off.
            let promised = min(checkpoints.last { $0.operations <= done }?.frames ?? 0, 40_000)
            let valid = try #require(reader.validFrames).value
            #expect(valid >= promised, "after \(done) operations")
            let packets = try Self.allPackets(reader)
            #expect(packets.map(\.bytes) == encoded.packets.prefix(packets.count).map(\.bytes))
            if done < replay.count - 2 { #expect(reader.integrity != .complete, "after \(done) operations") }
        }
        // Cut anywhere: whole pages remain.
        let bytes = file.bytes
        for size in stride(from: 300, to: bytes.count, by: 411) {
            let reader = try LivePCMTakes.media.openReader(MemoryFile(Array(bytes.prefix(size)), isRecording: false))
            let packets = try Self.allPackets(reader)
            #expect(packets.map(\.bytes) == encoded.packets.prefix(packets.count).map(\.bytes))
            let decoded = packets.reduce(0) { $0 + $1.frames }
            #expect(reader.validFrames == FrameCount(max(decoded - 312, 0)))
        }
    }

    @Test func seeksToThePacket() throws {
        let encoded = try Self.encoded()
        let file = try Self.write(encoded)
        for source in [file, MemoryFile(encoded.file)] {
            let reader = try LivePCMTakes.media.openReader(source)
            for target in [0, 1, 959, 960, 40_000, 50_000, 99_000, 100_311] {
                for preroll in [0, 4] {
                    let found = try reader.seek(toDecodedFrame: FrameCount(target), preroll: preroll)
                    let packet = max(target - preroll * 960, 0) / 960
                    #expect(found == FrameCount(packet * 960))
                    #expect(try Self.allPackets(reader).map(\.bytes) == encoded.packets[packet...].map(\.bytes))
                }
            }
        }
    }

    @Test func aLongFileIsSoughtByHalves() throws {
        let encoded = try Self.encoded()
        var long = encoded
        long.packets = (0..<60).flatMap { _ in encoded.packets }
        let total = long.packets.count * 960
        let file = try Self.write(long, frames: total - 312, packetsPerCheckpoint: 7)
        let reader = try LivePCMTakes.media.openReader(file)
        #expect(reader.validFrames == FrameCount(total - 312))
        for target in stride(from: 0, to: total, by: 456_789) {
            #expect(try reader.seek(toDecodedFrame: FrameCount(target), preroll: 0) == FrameCount(target / 960 * 960))
            #expect(try reader.nextPacket()?.bytes == long.packets[target / 960].bytes)
        }
    }

    @Test func aLostPageKeepsItsPlace() throws {
        let encoded = try Self.encoded()
        var bytes = try Self.write(encoded, packetsPerCheckpoint: 5).bytes
        let pages = bytes.indices.filter { bytes[$0...].starts(with: Array("OggS".utf8)) }
        bytes[pages[6] + 100] ^= 0xFF
        let reader = try LivePCMTakes.media.openReader(MemoryFile(bytes))
        let packets = try Self.allPackets(reader)
        #expect(packets.count == encoded.packets.count - 5 + 1)
        #expect(packets.reduce(0) { $0 + $1.frames } == encoded.packets.reduce(0) { $0 + $1.frames })
        #expect(packets.contains { $0.frames == 5 * 960 && $0.bytes.count == 2 })
    }

    @Test func theFirstOfChainedStreamsIsRead() throws {
        let (first, second) = (try Self.encoded(frames: 30_000), try Self.encoded(frames: 400_000))
        for chain in [first.file + second.file, second.file + first.file] {
            let reader = try LivePCMTakes.media.openReader(MemoryFile(chain))
            let expected = chain.count > 0 && chain.starts(with: first.file) ? 30_000 : 400_000
            #expect(reader.validFrames == FrameCount(expected) && reader.integrity == .complete)
        }
    }

    @Test func otherCodecsInOggAreLeftToOthers() throws {
        let encoded = try Self.encoded()
        let path = encoded.folder.path("v.ogg")
        _ = try ExternalTool.run(
            "ffmpeg",
            ["-v", "error", "-i", encoded.folder.path("source.wav"), "-c:a", "flac", path]
        )
        #expect(try ContainerProvider().openReader(MemoryFile(try encoded.folder.read("v.ogg")), hint: .oggOpus) == nil)
    }

    @Test func damagedFilesOpenOrFailInType() throws {
        let encoded = try Self.encoded(frames: 9_600, channels: 1)
        let file = try Self.write(encoded, frames: 9_600)
        var opened = 0
        DamagedCopies(of: file.bytes).forEach(count: 1_000) { bytes, index in
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
}
