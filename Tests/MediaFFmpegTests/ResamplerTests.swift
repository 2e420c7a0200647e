import AudioCore
import Foundation
import MediaFFmpeg
import Testing

@Suite struct ResamplerTests {
    private func resample(_ source: PCMBuffer, to rate: Double, pieces: [Int]) throws -> [Double] {
        let format = source.format
        let resampler = try FFmpegResampler(
            from: format.sampleRate,
            to: rate,
            channelCount: format.channelCount
        )
        var values: [Double] = []
        var done = 0
        var index = 0
        while done < source.frameLength {
            let count = min(pieces[index % pieces.count], source.frameLength - done)
            let piece = PCMBuffer(format: format, capacity: count)
            piece.bytes.copyMemory(
                from: source.bytes + done * format.bytesPerFrame,
                byteCount: count * format.bytesPerFrame
            )
            piece.setFrameLength(count)
            try resampler.process(piece) { buffer throws(AudioFailure) in values += Signal.values(buffer) }
            done += count
            index += 1
        }
        try resampler.finish { buffer throws(AudioFailure) in values += Signal.values(buffer) }
        return values
    }

    @Test(
        arguments: [8000.0, 11_025, 16_000, 22_050, 44_100, 48_000, 96_000],
        [8000.0, 22_050, 44_100, 48_000, 192_000]
    )
    func countAndPlaceAreExact(_ from: Double, to: Double) throws {
        let frames = 20_011
        let source = Signal.buffer(PCMFormat(sampleRate: from, channelCount: 2), frames: frames, frequency: 440)
        let values = try resample(source, to: to, pieces: [441, 1, 1000, 9001])
        let expected = Int((Double(frames) * to / from).rounded())
        #expect(values.count == expected * 2)
        // The same sine, computed at the other rate: no delay, no change of level. The ends have a filter's edge.
        let ideal = Signal.values(Signal.buffer(PCMFormat(sampleRate: to, channelCount: 2), frames: expected))
        let edge = Int(to / 50) * 2
        let inner = edge..<(values.count - edge)
        #expect(Signal.ratio(of: ideal[inner], to: values[inner]) > 85)
    }

    @Test func shortAndEmptyInput() throws {
        for frames in [0, 1, 2, 3, 10, 100] {
            let source = Signal.buffer(PCMFormat(sampleRate: 44_100, channelCount: 1), frames: frames)
            let values = try resample(source, to: 48_000, pieces: [1])
            #expect(values.count == Int((Double(frames) * 48 / 44.1).rounded()))
        }
    }

    @Test func nothingFoldsBack() throws {
        // 15 kHz cannot be held at 22.05 kHz; it must not come back as 7.05 kHz.
        let format = PCMFormat(sampleRate: 44_100, channelCount: 1)
        let source = Signal.buffer(format, frames: 44_100, frequency: 15_000)
        let values = try resample(source, to: 22_050, pieces: [4096])
        let inner = values[2000..<20_000]
        #expect(inner.map(abs).max() ?? 1 < 1e-4)
    }

    @Test func impossibleRatesAreRefused() {
        for (from, to, channels) in [
            (0.0, 48_000.0, 1), (48_000, -1, 1), (.nan, 1, 1), (44_100.5, 8000, 1), (8000, 8000, 0),
        ] {
            #expect(throws: AudioFailure.self) {
                try FFmpegResampler(from: from, to: to, channelCount: channels)
            }
        }
    }
}
