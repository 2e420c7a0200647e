import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

@Suite("RecordingJoin")
struct RecordingJoinTests {
    let scratch: TemporaryFolder
    let runtime: Runtime

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test()
    }

    struct Case: Sendable, CustomTestStringConvertible {
        var codec: EncodingRequest.Codec
        var container: ContainerKind
        var target: ContainerKind
        var leadIn = 0
        /// Packets in a part.
        var length = 40
        var rate = 44_100.0

        var isLossless: Bool {
            switch codec {
            case .aac, .opus, .ima4: false
            default: true
            }
        }

        var testDescription: String { "\(codec) in \(container.name) to \(target.name)" }
    }

    static let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
    static let big = LinearPCMLayout(bitsPerSample: 24, isBigEndian: true)
    static let cases = [
        Case(codec: .aac, container: .m4a, target: .m4a, leadIn: 1),
        Case(codec: .aac, container: .caf, target: .m4a, leadIn: 1),
        Case(codec: .aac, container: .m4a, target: .caf, leadIn: 1),
        Case(codec: .alac, container: .m4a, target: .m4a, length: 7),
        Case(codec: .alac, container: .caf, target: .caf, length: 7),
        Case(codec: .ima4, container: .caf, target: .caf, length: 301),
        Case(codec: .ima4, container: .aifc, target: .aifc, length: 301),
        Case(codec: .flac, container: .flac, target: .flac, length: 5),
        Case(codec: .opus, container: .oggOpus, target: .oggOpus, leadIn: 8, length: 30, rate: 48_000),
        Case(codec: .linearPCM(pcm), container: .wav, target: .wav, length: 1),
        Case(codec: .linearPCM(pcm), container: .caf, target: .wav, length: 1),
        Case(codec: .linearPCM(big), container: .aiff, target: .caf, length: 1),
        Case(codec: .muLaw, container: .caf, target: .caf, length: 1),
    ]

    @Test(arguments: cases) func partsOfOneEncoderBecomeWhatItWouldHaveWritten(_ test: Case) throws {
        let request = EncodingRequest(codec: test.codec, sampleRate: test.rate, channelCount: 1)
        let take = try CutTake(request, frames: 131_077, runtime: runtime)
        let whole = scratch.path("whole.\(test.target.name)")
        try take.write(0..<take.packets.count, leadIn: 0, to: whole, test.target)
        var parts: [String] = []
        for start in stride(from: 0, to: take.packets.count, by: test.length) {
            let path = scratch.path("part\(parts.count).\(test.container.name)")
            let range = start..<min(start + test.length, take.packets.count)
            try take.write(range, leadIn: test.leadIn, to: path, test.container)
            parts.append(path)
        }
        let target = scratch.path("joined.\(test.target.name)")
        let result = try RecordingJoin(parts: parts, target: target, container: test.target).run(in: runtime)

        #expect(result.frames.value == 131_077)
        let joined = try decoded(target, runtime)
        #expect(try areEqual(joined, decoded(whole, runtime)))
        if case .linearPCM = test.codec {
        } else {
            #expect(try areEqual(packets(of: target, runtime), packets(of: whole, runtime)))
        }
        // Each part plays by itself, and from part to part nothing is missing. Decoders of AAC make up noise anew, those of
        // IMA4 and Opus converge.
        let separate = try parts.flatMap { try decoded($0, runtime) }
        #expect(separate.count == joined.count)
        #expect(difference(joined, separate) < (test.isLossless ? -150 : -40))
        #expect(scratch.names.count == parts.count + 2)
    }

    @Test func flacFilesOfAnyLengthsAreJoined() throws {
        let request = EncodingRequest(codec: .flac, sampleRate: 44_100, channelCount: 2)
        let lengths = [5_000, 44_100, 1, 300_000]
        var expected: [Float] = []
        var parts: [String] = []
        for (index, frames) in lengths.enumerated() {
            let take = try CutTake(request, frames: frames, runtime: runtime)
            let path = scratch.path("\(index).flac")
            try take.write(0..<take.packets.count, leadIn: 0, to: path, .flac)
            expected += try decoded(path, runtime)
            parts.append(path)
        }
        let target = scratch.path("joined.flac")
        let result = try RecordingJoin(parts: parts, target: target, container: .flac).run(in: runtime)
        #expect(result.frames.value == Int64(lengths.reduce(0, +)))
        #expect(try areEqual(decoded(target, runtime), expected))
        if ExternalTool.areInstalled("flac") {
            #expect(try ExternalTool.run("flac", ["--test", "--silent", target]).status == 0)
        }
    }

    @Test func unfinishedPartsAreJoinedAsFarAsTheyCanBeRead() throws {
        let request = EncodingRequest(codec: .aac, sampleRate: 44_100, channelCount: 1)
        let take = try CutTake(request, frames: 100_000, runtime: runtime)
        let (first, second) = (scratch.path("1.m4a"), scratch.path("2.m4a"))
        try take.write(0..<30, leadIn: 0, to: first, .m4a, finishes: false)
        try take.write(30..<60, leadIn: 1, to: second, .m4a, finishes: false)
        let target = scratch.path("joined.m4a")
        let join = RecordingJoin(parts: [first, second], target: target, container: .m4a)
        #expect(try join.run(in: runtime).frames.value == Int64(59 * 1_024))
        #expect(try areEqual(packets(of: target, runtime), take.packets[..<60].map(\.bytes)))
    }

    @Test func filesOfSeveralEncodersAreRefusedAndNothingIsLeft() throws {
        for (codec, container) in [(EncodingRequest.Codec.aac, ContainerKind.m4a), (.alac, .caf), (.opus, .oggOpus)] {
            let request = EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 1)
            var parts: [String] = []
            for index in 0..<2 {
                let take = try CutTake(request, frames: 50_000 + index, runtime: runtime)
                parts.append(scratch.path("\(index).\(container.name)"))
                try take.write(0..<take.packets.count, leadIn: 0, to: parts[index], container)
            }
            let target = scratch.path("joined.\(container.name)")
            let before = scratch.names
            let failure = #expect(throws: AudioFailure.self) {
                try RecordingJoin(parts: parts, target: target, container: container).run(in: runtime)
            }
            #expect(failure?.code == .unsupported)
            #expect(failure?.message.contains("without decoding") == true)
            #expect(scratch.names == before)
        }
    }

    @Test func partsThatDifferAreNamed() throws {
        let rates = [(44_100.0, 1), (48_000, 1), (44_100, 2)]
        for (index, (rate, channels)) in rates.enumerated() {
            let request = EncodingRequest(codec: .linearPCM(Self.pcm), sampleRate: rate, channelCount: channels)
            let take = try CutTake(request, frames: 1_000, runtime: runtime)
            try take.write(0..<take.packets.count, leadIn: 0, to: scratch.path("\(index).wav"), .wav)
        }
        for (other, word) in [(1, "48000.0 Hz"), (2, "2 channels")] {
            let failure = #expect(throws: AudioFailure.self) {
                try RecordingJoin(
                    parts: [scratch.path("0.wav"), scratch.path("\(other).wav")],
                    target: scratch.path("joined.wav"),
                    container: .wav
                ).run(in: runtime)
            }
            #expect(failure?.code == .unsupported)
            #expect(failure?.path == scratch.path("\(other).wav"))
            #expect(failure?.message.contains(word) == true)
        }
    }

    @Test func targetsAndPartsAreSafe() throws {
        let request = EncodingRequest(codec: .linearPCM(Self.pcm), sampleRate: 8_000, channelCount: 1)
        let take = try CutTake(request, frames: 1_000, runtime: runtime)
        let parts = [scratch.path("1.wav"), scratch.path("2.wav")]
        for part in parts { try take.write(0..<take.packets.count, leadIn: 0, to: part, .wav) }
        var join = RecordingJoin(parts: parts, target: parts[0], container: .wav)
        #expect(#expect(throws: AudioFailure.self) { try join.run(in: runtime) }?.code == .alreadyExists)
        join.replaces = true
        join.removesParts = true
        #expect(#expect(throws: AudioFailure.self) { try join.run(in: runtime) }?.code == .alreadyExists)

        let live = try runtime.files.open(parts[1], .updating)
        #expect(try live.tryLock())
        join = RecordingJoin(parts: parts, target: scratch.path("3.wav"), container: .wav)
        #expect(#expect(throws: AudioFailure.self) { try join.run(in: runtime) }?.code == .busy)
        live.close()

        join.removesParts = true
        #expect(try join.run(in: runtime).frames == 2_000)
        #expect(scratch.names == ["3.wav"])
    }
}
