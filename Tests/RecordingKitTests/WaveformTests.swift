import AudioCore
import Foundation
import RecordingKit
import Testing

struct WaveformTests {
    private func buffer(_ samples: [Float], channels: Int = 1) -> PCMBuffer {
        let buffer = PCMBuffer(
            format: PCMFormat(sampleRate: 8000, channelCount: channels),
            capacity: samples.count / channels
        )
        for (index, sample) in samples.enumerated() { buffer.samples(as: Float.self)[index] = sample }
        buffer.setFrameLength(samples.count / channels)
        return buffer
    }

    @Test func knownLengthFillsTheBinsEvenly() {
        var builder = WaveformBuilder(binCount: 4, expectedFrames: 8)
        builder.append(buffer([0.5, -0.25, 1, 1, -1, -1, 0, 0]))
        let waveform = builder.waveform
        #expect(waveform.framesPerBin == 2)
        #expect(waveform.bins.map(\.maximum) == [0.5, 1, -1, 0])
        #expect(waveform.bins.map(\.minimum) == [-0.25, 1, -1, 0])
        #expect(waveform.bins.map(\.peak) == [0.5, 1, 1, 0])
        #expect(abs(waveform.bins[0].rms - Float((0.25 + 0.0625) / 2).squareRoot()) < 1e-6)
    }

    @Test func theLastBinMayBeShort() {
        var builder = WaveformBuilder(binCount: 3, expectedFrames: 7)
        builder.append(buffer([1, 1, 1, 0.5, 0.5, 0.5, 0.25]))
        #expect(builder.waveform.bins.map(\.maximum) == [1, 0.5, 0.25])
    }

    @Test(arguments: [1, 2, 3, 7, 100, 1000, 4097])
    func unknownLengthKeepsEveryPeakInBoundedMemory(frames: Int) {
        let bins = 10
        var builder = WaveformBuilder(binCount: bins)
        for frame in 0..<frames { builder.append(buffer([frame == frames / 2 ? -0.75 : 0.5])) }
        let waveform = builder.waveform
        #expect(waveform.bins.count <= bins)
        #expect(waveform.bins.count >= min(frames, bins / 2))
        #expect(waveform.bins.filter { $0.minimum == -0.75 }.count == 1)
        let place = waveform.bins.firstIndex { $0.minimum == -0.75 }
        #expect(place == Int(Int64(frames / 2) / waveform.framesPerBin))
    }

    @Test func channelsShareABin() {
        var builder = WaveformBuilder(binCount: 1, expectedFrames: 2)
        builder.append(buffer([0.25, -0.5, 0.25, -0.5], channels: 2))
        #expect(builder.waveform.bins.map(\.maximum) == [0.25])
        #expect(builder.waveform.bins.map(\.minimum) == [-0.5])
    }

    @Test func whatIsNoNumberHasNoHeight() {
        var builder = WaveformBuilder(binCount: 1, expectedFrames: 4)
        builder.append(buffer([.nan, .infinity, -.infinity, 0.5]))
        #expect(builder.waveform.bins == [Waveform.Bin(minimum: 0.5, maximum: 0.5, rms: 0.5)])
        var silent = WaveformBuilder(binCount: 1, expectedFrames: 1)
        silent.append(buffer([.nan]))
        #expect(silent.waveform.bins == [Waveform.Bin(minimum: 0, maximum: 0, rms: 0)])
    }

    @Test func integersHaveTheSameScale() {
        let buffer = PCMBuffer(format: PCMFormat(sampleType: .int16, sampleRate: 8000, channelCount: 1), capacity: 2)
        buffer.samples(as: Int16.self)[0] = .min
        buffer.samples(as: Int16.self)[1] = 16_384
        buffer.setFrameLength(2)
        var builder = WaveformBuilder(binCount: 1, expectedFrames: 2)
        builder.append(buffer)
        #expect(builder.waveform.bins.map(\.minimum) == [-1])
        #expect(builder.waveform.bins.map(\.maximum) == [0.5])
    }

    @Test func noFramesHaveNoBins() { #expect(WaveformBuilder(binCount: 5).waveform.bins.isEmpty) }

    @Test func reducedJoinsNeighbours() {
        let bins = (0..<10).map { Waveform.Bin(minimum: -Float($0) / 10, maximum: Float($0) / 10, rms: 0.5) }
        let reduced = Waveform(bins: bins, framesPerBin: 3).reduced(to: 4)
        #expect(reduced.bins.map(\.maximum) == [0.2, 0.5, 0.8, 0.9])
        #expect(reduced.framesPerBin == 9)
        #expect(reduced.bins.allSatisfy { abs($0.rms - 0.5) < 1e-6 })
        #expect(Waveform(bins: bins, framesPerBin: 3).reduced(to: 10).bins.count == 10)
    }
}
