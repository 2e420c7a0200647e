import AudioCore
import TestSupport
import Testing

@testable import MediaContainers

/// Other people's programs open what we write: while it is being recorded, and finished.
@Suite struct OtherReaderTests {
    struct Pair: Sendable, CustomTestStringConvertible {
        var testDescription: String
        /// How FFmpeg makes the packets.
        var arguments: [String]
        var source: String
        var kind: ContainerKind
        var channels = 1
        var rate = 44_100.0
        /// The encoder's own delay, which FFmpeg 5.1 does not take off when it reads CAF.
        var keepsPriming = false
        /// Frames more than there are that a lossy decoder gives at the end: FFmpeg cuts only the start.
        var endTolerance = 0
    }

    static let aac = ["-c:a", "aac", "-b:a", "96k"]
    static let pairs: [Pair] = [
        Pair(testDescription: "AAC, M4A", arguments: aac, source: "a.m4a", kind: .m4a, endTolerance: 1_024),
        Pair(
            testDescription: "AAC stereo, M4A",
            arguments: aac,
            source: "a.m4a",
            kind: .m4a,
            channels: 2,
            endTolerance: 1_024
        ),
        Pair(
            testDescription: "AAC 12 kHz, M4A",
            arguments: ["-c:a", "aac", "-ar", "12000"],
            source: "a.m4a",
            kind: .m4a,
            rate: 12_000,
            endTolerance: 1_024
        ),
        Pair(
            testDescription: "AAC, CAF",
            arguments: aac,
            source: "a.m4a",
            kind: .caf,
            keepsPriming: true,
            endTolerance: 1_024
        ),
        Pair(testDescription: "ALAC, M4A", arguments: ["-c:a", "alac"], source: "a.m4a", kind: .m4a),
        Pair(
            testDescription: "ALAC stereo, CAF",
            arguments: ["-c:a", "alac"],
            source: "a.m4a",
            kind: .caf,
            channels: 2
        ),
        Pair(
            testDescription: "FLAC, M4A",
            arguments: ["-c:a", "flac", "-strict", "-2"],
            source: "a.mp4",
            kind: .m4a
        ),
        Pair(
            testDescription: "Opus, M4A",
            arguments: ["-c:a", "libopus", "-ar", "48000"],
            source: "a.mp4",
            kind: .m4a,
            rate: 48_000,
            endTolerance: 960
        ),
        Pair(
            testDescription: "IMA4, CAF",
            arguments: ["-c:a", "adpcm_ima_qt"],
            source: "a.caf",
            kind: .caf,
            endTolerance: 64
        ),
        Pair(testDescription: "PCM, CAF", arguments: ["-c:a", "pcm_s24be"], source: "a.caf", kind: .caf, channels: 2),
        Pair(testDescription: "µ-law, CAF", arguments: ["-c:a", "pcm_mulaw"], source: "a.caf", kind: .caf),
    ]

    @Test(arguments: pairs) func ffmpegDecodesEveryFrame(_ pair: Pair) throws {
        let (_, reader) = try ForeignTake.encode(
            pair.arguments,
            seconds: 1.5,
            channels: pair.channels,
            to: pair.source
        )
        let packets = try reader.allPackets()
        let file = MemoryFile(isRecording: false)
        let writer = try #require(
            try ContainerProvider().makeWriter(
                pair.kind,
                stream: reader.stream,
                file: file,
                options: WriterOptions()
            )
        )
        #expect(reader.stream.sampleRate == pair.rate)
        let half = packets.count / 2
        for packet in packets[..<half] { try writer.append(packet) }
        try writer.checkpoint(synchronize: true)
        try check(pair, file, writer.checkpointedFrames, reader.stream)
        for packet in packets[half...] { try writer.append(packet) }
        let valid = try #require(reader.validFrames)
        try writer.finish(validFrames: valid)
        #expect(writer.checkpointedFrames == valid)
        try check(pair, file, valid, reader.stream)
    }

    private func check(_ pair: Pair, _ file: MemoryFile, _ frames: FrameCount, _ stream: StreamDescription) throws {
        let opinion = try FFmpegOpinion(file.bytes, name: "a.\(pair.kind == .caf ? "caf" : "m4a")", rate: pair.rate)
        let decoded = opinion.samples.count / pair.channels
        let start = pair.keepsPriming ? Int(stream.primingFrames.value) : 0
        #expect((0...pair.endTolerance).contains(decoded - start - Int(frames.value)))
        if pair.kind == .m4a { #expect(abs(opinion.statedFrames - Double(frames.value)) < 1) }
        // FFmpeg's sine has an amplitude of 1/8, and 3 dB less in each of two channels.
        let middle = opinion.samples[opinion.samples.count / 3..<opinion.samples.count * 2 / 3]
        let meanSquare = middle.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(middle.count)
        let expected = 4_096.0 * 4_096.0 / 2 / Double(pair.channels)
        #expect((0.9...1.1).contains(meanSquare / expected))
    }

    @Test(arguments: [40 << 10, 60]) func libsndfileReadsALACInCAFAlsoBehindItsFirstTable(frontCapacity: Int) throws {
        let (_, reader) = try ForeignTake.encode(["-c:a", "alac"], seconds: 6.0123, to: "a.m4a")
        let packets = try reader.allPackets()
        let file = MemoryFile(isRecording: false)
        let writer = try CAFTableWriter(
            stream: reader.stream,
            format: try CAFFormat(reader.stream),
            file: file,
            options: WriterOptions(),
            frontCapacity: frontCapacity
        )
        for packet in packets {
            try writer.append(packet)
            try writer.checkpoint(synchronize: false)
        }
        let expected = try FFmpegOpinion(file.bytes, name: "a.caf").samples
        let valid = try #require(reader.validFrames)
        #expect(expected.count == Int(valid.value))
        #expect(try sndfile(file) == expected)
        try writer.finish(validFrames: valid)
        #expect(try sndfile(file) == expected)
    }

    private func sndfile(_ file: MemoryFile) throws -> [Int16] {
        let folder = try TemporaryFolder()
        let source = try folder.write(file.bytes, to: "a.caf")
        let result = try ExternalTool.run("sndfile-convert", ["-pcm16", source, folder.path("a.wav")])
        guard result.status == 0 else { return [] }
        return try FFmpegOpinion(try folder.read("a.wav"), name: "a.wav").samples
    }

    @Test func gstreamerReadsALACInM4AAlsoPacked() throws {
        let (_, reader) = try ForeignTake.encode(["-c:a", "alac"], seconds: 3.0123, to: "a.m4a")
        let file = MemoryFile(isRecording: false)
        let writer = try MP4Writer(
            stream: reader.stream,
            file: file,
            options: WriterOptions(expectedFrames: 0),
            leastCapacity: 5,
            keptSlack: -1 << 20
        )
        for packet in try reader.allPackets() {
            try writer.append(packet)
            try writer.checkpoint(synchronize: false)
        }
        let valid = try #require(reader.validFrames)
        for isFinished in [false, true] {
            if isFinished { try writer.finish(validFrames: valid) }
            let folder = try TemporaryFolder()
            let source = try folder.write(file.bytes, to: "a.m4a")
            _ = try ExternalTool.run(
                "gst-launch-1.0",
                [
                    "-q", "filesrc", "location=\(source)", "!", "qtdemux", "!", "decodebin", "!", "audioconvert", "!",
                    "audio/x-raw,format=S16LE", "!", "filesink", "location=\(folder.path("raw"))",
                ]
            )
            let raw = try folder.read("raw")
            let expected = try FFmpegOpinion(file.bytes, name: "a.m4a").samples
            #expect(expected.count == Int(valid.value))
            #expect(raw == expected.flatMap { [UInt8(truncatingIfNeeded: $0), UInt8(truncatingIfNeeded: $0 >> 8)] })
        }
    }
}
