import AudioCore
import Foundation
import RecordingKit
import TestSupport
import Testing

struct JoinedRecordingTests {
    static let pcm = EncodingRequest(
        codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)),
        sampleRate: 44_100,
        channelCount: 1
    )

    @Test func framesAndMarkersAddUp() throws {
        let scratch = try TemporaryFolder()
        let parts = [scratch.file("1.wav"), scratch.file("2.wav")]
        for (index, part) in parts.enumerated() {
            var metadata = MediaMetadata()
            metadata.title = "Part \(index)"
            metadata.markers = [MediaMetadata.Marker(frame: 7, name: "mark")]
            try TestAudio.write(to: part, .wav, Self.pcm, frames: 1_000 + index, metadata: metadata)
        }
        let joined = try JoinedRecording(joining: parts, into: scratch.file("joined.caf"))
        #expect(joined.frames == 2_001)
        #expect(joined.partCount == 2)
        #expect(joined.duration == 2_001 / 44_100.0)
        let report = try RecordingReport(contentsOf: joined.url)
        #expect(report.frames == 2_001)
        #expect(report.integrity == .complete)
        #expect(report.markers.map(\.frame) == [7, 1_007])
        #expect(report.tags.first { $0.name == "title" }?.value == "Part 0")
    }

    @Test func refusalsAreTyped() throws {
        let scratch = try TemporaryFolder()
        let part = scratch.file("1.wav")
        try TestAudio.write(to: part, .wav, Self.pcm, frames: 1_000)
        func code(_ parts: [URL], _ name: String) -> RecordingError.Code? {
            #expect(throws: RecordingError.self) { try JoinedRecording(joining: parts, into: scratch.file(name)) }?.code
        }
        #expect(code([], "joined.wav") == .invalidArgument)
        #expect(code([part], "joined.txt") == .invalidArgument)
        #expect(code([part], "joined.m4a") == .unsupported)
        #expect(code([part, scratch.file("missing.wav")], "joined.wav") == .notFound)
        #expect(code([part], "1.wav") == .alreadyExists)
        #expect(scratch.names == ["1.wav"])
    }
}
