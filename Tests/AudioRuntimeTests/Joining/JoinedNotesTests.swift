import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// A joined file has the notes of all parts where they then are.
@Suite("Notes of a joined recording")
struct JoinedNotesTests {
    @Test func positionsMoveAndCutGapsBecomeOne() throws {
        let scratch = try TemporaryFolder()
        let runtime = Runtime.system
        let layout = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
        let gaps = [
            [
                RecordingGap(start: 10, length: 20, reason: .overrun),
                RecordingGap(start: 900, length: 100, reason: .asleep),
            ],
            [RecordingGap(start: 0, length: 1_000, reason: .asleep)],
            [
                RecordingGap(start: 0, length: 7, reason: .asleep),
                RecordingGap(start: 7, length: 5, reason: .deviceLost),
            ],
        ]
        var parts: [String] = []
        for (index, gaps) in gaps.enumerated() {
            let path = scratch.path("part-\(index).wav")
            parts.append(path)
            let encoder = try runtime.media.makeEncoder(
                EncodingRequest(codec: .linearPCM(layout), sampleRate: 8_000, channelCount: 1)
            )
            let file = try runtime.files.open(path, .creatingExclusively)
            defer { file.close() }
            var metadata = MediaMetadata()
            metadata.markers = [MediaMetadata.Marker(frame: FrameCount(index * 3), name: "of part \(index)")]
            metadata.gaps = gaps
            metadata.omittedNotes = index
            let options = WriterOptions(metadata: metadata)
            let writer = try runtime.media.makeWriter(.wav, stream: encoder.stream, file: file, options: options)
            try writer.append(EncodedPacket(bytes: [UInt8](repeating: 1, count: 2_000), frames: 1_000))
            try writer.finish(validFrames: 1_000)
        }
        _ = try RecordingJoin(parts: parts, target: scratch.path("all.caf"), container: .caf).run(in: runtime)
        let file = try runtime.files.open(scratch.path("all.caf"), .reading)
        defer { file.close() }
        let metadata = try runtime.media.openReader(file, hint: nil).metadata
        #expect(metadata.markers.map(\.frame) == [0, 1_003, 2_006])
        #expect(metadata.markers.map(\.name) == ["of part 0", "of part 1", "of part 2"])
        #expect(
            metadata.gaps == [
                RecordingGap(start: 10, length: 20, reason: .overrun),
                RecordingGap(start: 900, length: 1_107, reason: .asleep),
                RecordingGap(start: 2_007, length: 5, reason: .deviceLost),
            ]
        )
        #expect(metadata.omittedNotes == 3)
    }
}
