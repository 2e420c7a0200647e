import AudioCore
import MediaContainers
import Testing
import TestSupport

/// Other programs read what we write and we read what they write: the same frames, the same bits.
@Suite(.enabled(if: ExternalTool.areInstalled("ffmpeg", "sox", "sndfile-info", "sndfile-convert")))
struct ForeignToolTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var container: ContainerKind
        var codec: EncodingRequest.Codec
        var channels: Int
        /// What FFmpeg calls samples that hold it.
        var raw: String
        var isReadBySox = true
        var testDescription: String { "\(container.name) \(codec) \(channels)" }
    }

    private static func big(_ bits: Int) -> EncodingRequest.Codec { LivePCMTakes.linear(bits, isBigEndian: true) }

    static let pairs = [
        Pair(container: .wav, codec: LivePCMTakes.linear(8), channels: 1, raw: "s32le"),
        Pair(container: .wav, codec: LivePCMTakes.linear(16), channels: 2, raw: "s32le"),
        Pair(container: .wav, codec: LivePCMTakes.linear(24), channels: 1, raw: "s32le"),
        Pair(container: .wav, codec: LivePCMTakes.linear(32), channels: 6, raw: "s32le"),
        Pair(container: .wav, codec: LivePCMTakes.linear(32, isFloat: true), channels: 2, raw: "f64le"),
        Pair(container: .wav, codec: LivePCMTakes.linear(64, isFloat: true), channels: 1, raw: "f64le"),
        Pair(container: .wav, codec: .muLaw, channels: 1, raw: "s32le"),
        Pair(container: .wav, codec: .aLaw, channels: 2, raw: "s32le"),
        Pair(container: .aiff, codec: big(8), channels: 1, raw: "s32le"),
        Pair(container: .aiff, codec: big(16), channels: 2, raw: "s32le"),
        Pair(container: .aiff, codec: big(24), channels: 1, raw: "s32le"),
        Pair(container: .aiff, codec: big(32), channels: 2, raw: "s32le"),
        Pair(container: .aifc, codec: big(16), channels: 1, raw: "s32le"),
        Pair(container: .aifc, codec: big(24), channels: 2, raw: "s32le", isReadBySox: false),
        Pair(container: .aifc, codec: big(32), channels: 1, raw: "s32le", isReadBySox: false),
        Pair(container: .aifc, codec: LivePCMTakes.linear(16), channels: 2, raw: "s32le"),
        Pair(
            container: .aifc,
            codec: LivePCMTakes.linear(32, isFloat: true, isBigEndian: true),
            channels: 1,
            raw: "f64le"
        ),
        Pair(
            container: .aifc,
            codec: LivePCMTakes.linear(64, isFloat: true, isBigEndian: true),
            channels: 2,
            raw: "f64le"
        ),
        Pair(container: .aifc, codec: .muLaw, channels: 2, raw: "s32le", isReadBySox: false),
        Pair(container: .aifc, codec: .aLaw, channels: 1, raw: "s32le", isReadBySox: false),
    ]

    /// What a tool puts out as raw samples, on the scale −1 … 1.
    private static func samples(_ bytes: [UInt8], _ raw: String) -> [Float] {
        bytes.withUnsafeBytes { bytes in
            raw == "s32le"
                ? bytes.bindMemory(to: Int32.self).map { Float(scaled: $0.scaled) }
                : bytes.bindMemory(to: Double.self).map { Float($0) }
        }
    }

    @Test(arguments: pairs) func othersReadTheSameFrames(pair: Pair) throws {
        let folder = try TemporaryFolder()
        let take = try LivePCMTakes.record(pair.codec, in: pair.container, frames: 4_411, channels: pair.channels)
        let path = try folder.write(take.file.bytes, to: "take.\(pair.container.name)")
        let (_, own) = try LivePCMTakes.frames(of: take.file)
        #expect(own.count == 4_411 * pair.channels)

        let ffmpeg = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", pair.raw, "-"])
        #expect(ffmpeg.messages == "")
        #expect(Self.samples(ffmpeg.output, pair.raw) == own)

        let info = try ExternalTool.run("sndfile-info", [path])
        #expect(info.status == 0 && info.text.contains("Frames      : 4411"), "\(info.text)")

        if pair.isReadBySox {
            let encoding = pair.raw == "s32le" ? ["-e", "signed", "-b", "32"] : ["-e", "float", "-b", "64"]
            let sox = try ExternalTool.run("sox", [path, "-t", "raw", "-L"] + encoding + ["-"])
            let found = Self.samples(sox.output, pair.raw)
            // Sox holds every sample as an integer of 32 bits.
            let worst = zip(found, own).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(found.count == own.count && worst <= 0x1p-30)
        }
    }

    @Test(arguments: [1, 2]) func othersReadIMA4(channels: Int) throws {
        let folder = try TemporaryFolder()
        let take = try LivePCMTakes.record(.ima4, in: .aifc, frames: 6_400, channels: channels)
        let path = try folder.write(take.file.bytes, to: "take.aifc")
        let (_, own) = try LivePCMTakes.frames(of: take.file)
        let ffmpeg = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "s32le", "-"])
        #expect(Self.samples(ffmpeg.output, "s32le") == own)
        let info = try ExternalTool.run("sndfile-info", [path])
        #expect(info.status == 0)
    }

    @Test func weReadWhatOthersWrite() throws {
        let folder = try TemporaryFolder()
        let source = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 4_411, channels: 2)
        let path = try folder.write(source.file.bytes, to: "source.wav")
        let (_, expected) = try LivePCMTakes.frames(of: source.file)
        func check(_ name: String, _ tool: String, _ arguments: [String], tolerance: Float = 0) throws {
            let output = folder.path(name)
            let result = try ExternalTool.run(tool, arguments.map { $0 == "OUT" ? output : $0 })
            #expect(result.status == 0, "\(name): \(result.messages)")
            let (reader, frames) = try LivePCMTakes.frames(of: MemoryFile(try folder.read(name), isRecording: false))
            #expect(reader.length == 4_411 && reader.reader.integrity == .complete, "\(name)")
            let worst = zip(frames, expected).reduce(Float(0)) { max($0, abs($1.0 - $1.1)) }
            #expect(frames.count == expected.count && worst <= tolerance, "\(name): \(worst)")
        }
        func ffmpeg(_ name: String, _ arguments: String..., tolerance: Float = 0) throws {
            try check(name, "ffmpeg", ["-v", "error", "-i", path] + arguments + ["OUT"], tolerance: tolerance)
        }
        try ffmpeg("16.wav", "-c:a", "pcm_s16le")
        try ffmpeg("24.wav", "-c:a", "pcm_s24le")
        try ffmpeg("f.wav", "-c:a", "pcm_f32le")
        try ffmpeg("rf64.wav", "-c:a", "pcm_s16le", "-rf64", "always")
        try ffmpeg("u.wav", "-c:a", "pcm_mulaw", tolerance: 0.02)
        try ffmpeg("16.aiff")
        try ffmpeg("24.aiff", "-c:a", "pcm_s24be")
        try ffmpeg("sowt.aifc", "-f", "aiff", "-c:a", "pcm_s16le")
        try ffmpeg("f64.aifc", "-f", "aiff", "-c:a", "pcm_f64be")
        try ffmpeg("a.aifc", "-f", "aiff", "-c:a", "pcm_alaw", tolerance: 0.02)
        try check("sox.wav", "sox", [path, "-b", "24", "OUT"])
        try check("sox.aiff", "sox", [path, "OUT"])
        try check("sox.aifc", "sox", [path, "OUT"])
        try check("snd.wav", "sndfile-convert", ["-pcm32", path, "OUT"])
        try check("snd.aiff", "sndfile-convert", ["-pcm24", path, "OUT"])
        try check("snd.aifc", "sndfile-convert", ["-pcm32", path, "OUT"])
    }

    @Test func weReadIMA4OfOthers() throws {
        let folder = try TemporaryFolder()
        for channels in [1, 2] {
            let source = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 4_411, channels: channels)
            let path = try folder.write(source.file.bytes, to: "source.wav")
            let names: [(String, [String])] = [
                (
                    "ffmpeg",
                    ["-v", "error", "-y", "-i", path, "-f", "aiff", "-c:a", "adpcm_ima_qt", folder.path("f.aifc")]
                ),
                ("sndfile-convert", ["-ima-adpcm", path, folder.path("f.aifc")]),
            ]
            for (tool, arguments) in names {
                _ = try ExternalTool.run(tool, arguments)
                let (_, frames) = try LivePCMTakes.frames(of: MemoryFile(try folder.read("f.aifc"), isRecording: false))
                #expect(frames.count == 69 * 64 * channels, "\(tool) \(channels)")
                let ffmpeg = try ExternalTool.run(
                    "ffmpeg",
                    ["-v", "error", "-i", folder.path("f.aifc"), "-f", "s32le", "-"]
                )
                let found = Self.samples(ffmpeg.output, "s32le")
                // FFmpeg plays half of what libsndfile writes with two channels.
                #expect(found == Array(frames.prefix(found.count)), "\(tool) \(channels)")
            }
        }
    }

    /// The search of our encoder against FFmpeg's choice of the nearest.
    @Test func ourIMA4IsNearerToTheSource() throws {
        let folder = try TemporaryFolder()
        let source = try LivePCMTakes.record(LivePCMTakes.linear(16), in: .wav, frames: 44_160, channels: 1)
        let path = try folder.write(source.file.bytes, to: "source.wav")
        let output = folder.path("f.aifc")
        _ = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "aiff", "-c:a", "adpcm_ima_qt", output])
        let theirs = try LivePCMTakes.frames(of: MemoryFile(try folder.read("f.aifc"), isRecording: false)).1
        let ours = try LivePCMTakes.frames(of: try LivePCMTakes.record(.ima4, in: .aifc, frames: 44_160).file).1
        func noise(_ frames: [Float]) -> Double {
            zip(source.source, frames).reduce(0) { $0 + Double($1.0 - $1.1) * Double($1.0 - $1.1) }
        }
        #expect(noise(ours) < 0.95 * noise(theirs))
    }

    @Test(.enabled(if: ExternalTool.areInstalled("gst-launch-1.0"))) func gstreamerReadsTheSameFrames() throws {
        let folder = try TemporaryFolder()
        let takes: [(EncodingRequest.Codec, ContainerKind)] = [
            (LivePCMTakes.linear(16), .wav), (LivePCMTakes.linear(24), .wav), (Self.big(16), .aiff),
            (Self.big(24), .aiff),
        ]
        for (codec, container) in takes {
            let take = try LivePCMTakes.record(codec, in: container, frames: 4_411, channels: 2)
            let path = try folder.write(take.file.bytes, to: "take.\(container.name)")
            let parser = container == .wav ? "wavparse" : "aiffparse"
            let result = try ExternalTool.run(
                "gst-launch-1.0",
                ["-q", "filesrc", "location=\(path)", "!", parser, "!", "audioconvert", "!"]
                    + ["audio/x-raw,format=S32LE", "!", "fdsink", "fd=1"]
            )
            #expect(Self.samples(result.output, "s32le") == (try LivePCMTakes.frames(of: take.file).1), "\(container)")
        }
    }
}
