import AudioCore
import Foundation
import RecordingKit
import TestSupport
import Testing

struct RecordingReportTests {
    struct Kind: CustomTestStringConvertible, Sendable {
        var container: ContainerKind
        var codec: EncodingRequest.Codec
        var codecName: String
        var isLossless = false
        var testDescription: String { "\(codecName) in \(container.name)" }
    }

    static let pcm16 = EncodingRequest.Codec.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false))
    static let pcm16Big = EncodingRequest.Codec.linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true))
    static let kinds = [
        Kind(container: .caf, codec: pcm16, codecName: "pcm", isLossless: true),
        Kind(container: .caf, codec: .ima4, codecName: "ima4"),
        Kind(container: .caf, codec: .alac, codecName: "alac", isLossless: true),
        Kind(container: .caf, codec: .aac, codecName: "aac"),
        Kind(container: .m4a, codec: .aac, codecName: "aac"),
        Kind(container: .m4a, codec: .alac, codecName: "alac", isLossless: true),
        Kind(container: .wav, codec: pcm16, codecName: "pcm", isLossless: true),
        Kind(container: .aiff, codec: pcm16Big, codecName: "pcm", isLossless: true),
        Kind(container: .flac, codec: .flac, codecName: "flac", isLossless: true),
        Kind(container: .oggOpus, codec: .opus, codecName: "opus"),
    ]

    @Test(arguments: kinds, [1, 2])
    func ourOwnFilesAreToldExactly(kind: Kind, channels: Int) throws {
        let scratch = try TemporaryFolder()
        let url = scratch.file("take.\(kind.container.name)")
        // No multiple of any codec's packet.
        let frames = 44_100 + 77
        var metadata = MediaMetadata()
        metadata.title = "A take"
        let request = EncodingRequest(codec: kind.codec, sampleRate: 48_000, channelCount: channels)
        try TestAudio.write(to: url, kind.container, request, frames: frames, metadata: metadata)

        let report = try RecordingReport(contentsOf: url, waveformBins: 50)
        #expect(report.container == kind.container.name)
        #expect(report.codec == kind.codecName)
        #expect(report.isLossless == kind.isLossless)
        #expect(report.sampleRate == 48_000)
        #expect(report.channelCount == channels)
        #expect(report.frames == Int64(frames))
        #expect(abs(report.duration - Double(frames) / 48_000) < 1e-12)
        #expect(report.integrity == .complete)
        #expect(report.damagedPackets == 0)
        #expect(report.bitRate ?? 0 > 8000)
        let waveform = try #require(report.waveform)
        #expect(waveform.bins.count <= 50 && waveform.bins.count > 40)
        // The sine's peak is 0.5; lossy codecs come near.
        #expect(waveform.bins.allSatisfy { abs($0.peak - 0.5) < 0.06 })
        #expect(try RecordingReport(contentsOf: url).frames == Int64(frames))
    }

    @Test(arguments: kinds)
    func aRecordingThatWasNeverFinishedIsToldAsSuch(kind: Kind) throws {
        let scratch = try TemporaryFolder()
        let url = scratch.file("take.\(kind.container.name)")
        let frames = 48_000
        let request = EncodingRequest(codec: kind.codec, sampleRate: 48_000, channelCount: 1)
        try TestAudio.write(to: url, kind.container, request, frames: frames, finishes: false)
        let report = try RecordingReport(contentsOf: url, waveformBins: 8)
        // A whole packet of the largest codec, and the encoder's delay, may be inside the encoder still.
        #expect(report.frames > Int64(frames) - 4096 - 2112)
        #expect(report.frames <= Int64(frames))
        #expect(report.damagedPackets == 0)
    }

    @Test(arguments: [
        ("wav", "pcm_s24le", "pcm"), ("flac", "flac", "flac"), ("aiff", "pcm_s16be", "pcm"),
        ("caf", "pcm_s16le", "pcm"),
        ("m4a", "alac", "alac"), ("mp3", "libmp3lame", "mp3"), ("ogg", "libvorbis", "vorbis"),
    ])
    func otherPeoplesFilesAreRead(file: String, encoder: String, codec: String) throws {
        let scratch = try TemporaryFolder()
        let url = scratch.file("other.\(file)")
        try ExternalTool.run(
            "ffmpeg",
            [
                "-v", "error", "-f", "lavfi", "-i", "sine=frequency=440:sample_rate=44100:duration=1.5", "-ac", "2",
                "-c:a", encoder, "-metadata", "title=Somebody's", url.path,
            ]
        )
        let report = try RecordingReport(contentsOf: url, waveformBins: 20)
        #expect(report.codec == codec)
        #expect(report.sampleRate == 44_100)
        #expect(report.channelCount == 2)
        #expect(report.frames == 66_150)
        #expect(report.integrity == .complete)
        #expect(report.waveform?.bins.count == 20)
    }

    @Test func failuresSayWhatIsWrong() throws {
        let scratch = try TemporaryFolder()
        func code(_ url: URL) -> RecordingError.Code? {
            #expect(throws: RecordingError.self) { try RecordingReport(contentsOf: url) }?.code
        }
        #expect(code(scratch.file("missing.m4a")) == .notFound)
        #expect(code(scratch.url) == .accessDenied)
        let empty = scratch.file("empty.wav")
        try Data().write(to: empty)
        #expect(code(empty) == .malformedMedia)
        let text = scratch.file("text.m4a")
        try Data("This is no sound, whatever its name says.\n".utf8).write(to: text)
        #expect(code(text) == .malformedMedia)
        #expect(code(try #require(URL(string: "http://example.org/a.m4a"))) == .invalidArgument)
    }
}
