import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Ten parts of one sine, of 0.1 to 7.3 seconds: what is joined is the sine, without a click and with every mark in its
/// place.
@Suite("Joining one sine")
struct SineJoinTests {
    let scratch: TemporaryFolder
    let runtime: Runtime

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test()
    }

    struct Format: Sendable, CustomTestStringConvertible {
        var name: String
        var codec: EncodingRequest.Codec
        var container: ContainerKind
        var leadIn = 0
        /// The lowest that the codec is read at.
        var rate = 16_000.0
        var testDescription: String { "\(name) in \(container.name)" }
    }

    static let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
    static let formats = [
        Format(name: "PCM", codec: .linearPCM(pcm), container: .wav),
        Format(name: "PCM", codec: .linearPCM(pcm), container: .caf),
        Format(name: "FLAC", codec: .flac, container: .flac),
        Format(name: "ALAC", codec: .alac, container: .m4a),
        Format(name: "ALAC", codec: .alac, container: .caf),
        Format(name: "IMA4", codec: .ima4, container: .caf),
        Format(name: "AAC", codec: .aac, container: .m4a, leadIn: 1),
        Format(name: "AAC", codec: .aac, container: .caf, leadIn: 1),
        Format(name: "Opus", codec: .opus, container: .oggOpus, leadIn: 4, rate: 48_000),
    ]
    static let seconds = [0.1, 7.3, 0.5, 1.7, 2.9, 0.1, 4.1, 3.3, 0.2, 5.9]
    static let frequency = 440.0

    @Test(arguments: formats) func tenPartsAreOneSine(_ format: Format) throws {
        let frames = Int((Self.seconds.reduce(0, +) * format.rate).rounded())
        let take = try take(format, rate: format.rate, frames: frames)
        let joined = try join(take, format, lengths: Self.seconds, rate: format.rate)
        #expect(joined.result.frames == FrameCount(frames))
        try check(joined.target, take, format, frames: frames, rate: format.rate)
        // Each mark and each gap stands at the start of its part.
        let file = try runtime.files.open(joined.target, .reading)
        defer { file.close() }
        let metadata = try runtime.media.openReader(file).metadata
        #expect(metadata.markers.map(\.frame) == joined.starts)
        #expect(metadata.gaps.map(\.start) == joined.starts)
    }

    /// The case that grew to 12.117 s and clicked when it was joined by others.
    @Test func fourTimesThreeSecondsOfAACAreTwelve() throws {
        let format = Format(name: "AAC", codec: .aac, container: .m4a, leadIn: 1)
        let take = try take(format, rate: 44_100, frames: 529_200)
        let joined = try join(take, format, lengths: [3, 3, 3, 3], rate: 44_100)
        #expect(joined.result.frames == 529_200)
        try check(joined.target, take, format, frames: 529_200, rate: 44_100)
    }

    private func take(_ format: Format, rate: Double, frames: Int) throws -> CutTake {
        let request = EncodingRequest(codec: format.codec, sampleRate: rate, channelCount: 1)
        return try CutTake(request, frames: frames, runtime: runtime) {
            0.5 * sin(2 * Double.pi * Self.frequency * $0)
        }
    }

    /// Cuts at the packets nearest to the lengths.
    private func join(_ take: CutTake, _ format: Format, lengths: [Double], rate: Double) throws
        -> (target: String, result: RecordingJoin.Result, starts: [FrameCount])
    {
        var starts: [Int] = []
        var frame = 0
        for packet in take.packets {
            starts.append(frame)
            frame += packet.frames
        }
        var borders = [0]
        var end = 0.0
        for length in lengths.dropLast() {
            end += length * rate
            let next = starts.firstIndex { Double($0) >= end } ?? starts.count
            borders.append(max(next, borders[borders.count - 1] + 1))
        }
        borders.append(take.packets.count)
        var parts: [String] = []
        var marks: [FrameCount] = []
        for index in 0..<lengths.count {
            var metadata = MediaMetadata()
            metadata.markers = [MediaMetadata.Marker(frame: 0, name: "part \(index)")]
            metadata.gaps = [RecordingGap(start: 0, length: 10, reason: .overrun)]
            parts.append(scratch.path("\(index).\(format.container.name)"))
            let range = borders[index]..<borders[index + 1]
            try take.write(range, leadIn: format.leadIn, to: parts[index], format.container, metadata: metadata)
            let start = starts[range.lowerBound] - Int(take.stream.primingFrames.value)
            marks.append(FrameCount(max(start, 0)))
        }
        let target = scratch.path("joined.\(format.container.name)")
        let result = try RecordingJoin(parts: parts, target: target, container: format.container).run(in: runtime)
        return (target, result, marks)
    }

    /// The sound is that of one file of the same encoder, and its second difference nowhere higher.
    private func check(_ target: String, _ take: CutTake, _ format: Format, frames: Int, rate: Double) throws {
        let whole = scratch.path("whole.\(format.container.name)")
        try take.write(0..<take.packets.count, leadIn: 0, to: whole, format.container)
        let (joined, expected) = (try decoded(target, runtime), try decoded(whole, runtime))
        #expect(joined.count == frames)
        #expect(difference(expected, joined) < -100)
        let step = 2 * Double.pi * Self.frequency / rate
        let ofSine = 0.5 * step * step
        #expect(bend(joined) <= 1.5 * max(bend(expected), ofSine))
    }

    private func bend(_ samples: [Float]) -> Double {
        var most: Float = 0
        for index in 2..<samples.count {
            most = max(most, abs(samples[index] - 2 * samples[index - 1] + samples[index - 2]))
        }
        return Double(most)
    }
}
