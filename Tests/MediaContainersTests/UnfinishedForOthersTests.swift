import AudioCore
import MediaContainers
import Testing
import TestSupport

/// The file of a process that was killed, as it lies there, in other people's readers.
@Suite(.enabled(if: ExternalTool.areInstalled("ffmpeg", "sox", "sndfile-info", "flac", "opusenc", "opusinfo")))
struct UnfinishedForOthersTests {
    /// Where the process is killed: behind the checkpoint that kept so many frames.
    private static let kept = 6_000

    private func killed(_ codec: EncodingRequest.Codec, _ container: ContainerKind) throws -> [UInt8] {
        var bytes: [UInt8] = []
        _ = try LivePCMTakes.record(codec, in: container, frames: 9_000, piece: 500) { writer, file in
            if writer.checkpointedFrames.value == Int64(Self.kept) { bytes = file.bytes }
        }
        return bytes
    }

    private func ffmpegFrames(_ path: String) throws -> Int {
        let result = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s16le", "-"])
        #expect(result.messages == "", "\(path)")
        return result.output.count / 2
    }

    @Test func waveAndAIFF() throws {
        let folder = try TemporaryFolder()
        let takes: [(EncodingRequest.Codec, ContainerKind)] = [
            (LivePCMTakes.linear(16), .wav), (LivePCMTakes.linear(24), .wav),
            (LivePCMTakes.linear(16, isBigEndian: true), .aiff), (LivePCMTakes.linear(16), .aifc),
        ]
        for (codec, container) in takes {
            let bytes = try killed(codec, container)
            let path = try folder.write(bytes, to: "killed.\(container.name)")
            #expect(try ffmpegFrames(path) == Self.kept)
            #expect(try ExternalTool.run("sndfile-info", [path]).text.contains("Frames      : \(Self.kept)"))
            #expect(try ExternalTool.run("sox", ["--i", "-s", path]).text == "\(Self.kept)\n")
            let reader = try LivePCMTakes.media.openReader(MemoryFile(bytes))
            #expect(reader.validFrames == FrameCount(Self.kept) && reader.integrity != .complete)
        }
    }

    @Test func flac() throws {
        let encoded = try FLACTests.encoded(["-5", "--blocksize=1152"], channels: 1)
        let file = MemoryFile()
        let writer = try LivePCMTakes.media.makeWriter(.flac, stream: encoded.stream, file: file)
        for packet in encoded.packets.prefix(20) { try writer.append(packet) }
        try writer.checkpoint(synchronize: false)
        let path = try encoded.folder.write(file.bytes, to: "killed.flac")
        #expect(try ffmpegFrames(path) == 20 * 1_152)
        let test = try ExternalTool.run("flac", ["-t", "-s", path])
        #expect(test.status == 0, "\(test.messages)")
    }

    @Test func opus() throws {
        let encoded = try OggOpusTests.encoded(channels: 1)
        let file = MemoryFile()
        let writer = try LivePCMTakes.media.makeWriter(.oggOpus, stream: encoded.stream, file: file)
        for packet in encoded.packets.prefix(33) { try writer.append(packet) }
        try writer.checkpoint(synchronize: false)
        let path = try encoded.folder.write(file.bytes, to: "killed.opus")
        #expect(writer.checkpointedFrames.value == 33 * 960 - 312)
        #expect(try ffmpegFrames(path) == 33 * 960 - 312)
        #expect(try ExternalTool.run("opusinfo", [path]).text.contains("Playback length: 0m:00.653s"))
    }
}
