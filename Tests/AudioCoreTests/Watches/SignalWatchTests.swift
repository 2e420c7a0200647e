import AudioCore
import Testing

@Suite struct SignalWatchTests {
    static let rate = 8_000

    /// What is told when stereo frames come: a list of (seconds, left, right), as constant magnitudes with changing signs.
    func told(_ stretches: [(seconds: Double, left: Float, right: Float)], piece: Int = 160) -> [SignalChange] {
        let watch = SignalWatch(channelCount: 2, sampleRate: Double(Self.rate))
        var told: [SignalChange] = []
        for stretch in stretches {
            var left = Int(stretch.seconds * Double(Self.rate))
            while left > 0 {
                let count = min(left, piece)
                let samples = (0..<count).flatMap { frame -> [Float] in
                    let sign: Float = frame % 2 == 0 ? 1 : -1
                    return [stretch.left * sign, stretch.right * sign]
                }
                watch.measure(samples, frames: count)
                watch.count(count)
                while let change = watch.nextChange() { told.append(change) }
                left -= count
            }
        }
        return told
    }

    @Test("exact zeros are told after three seconds, once, and their end")
    func silence() {
        #expect(told([(1, 0.1, 0.1), (2.9, 0, 0), (1, 0.1, 0.1)]).isEmpty)
        #expect(told([(1, 0.1, 0.1), (9, 0, 0)]) == [.silent(true)])
        #expect(told([(5, 0, 0), (1, 0.1, 0.1), (5, 0, 0)]) == [.silent(true), .silent(false), .silent(true)])
    }

    @Test("a quiet room is no silence")
    func room() { #expect(told([(60, 1e-6, 1e-6)]).isEmpty) }

    @Test("a dead channel beside a living one is told after three seconds, once, and when it lives again")
    func deadChannel() {
        #expect(told([(2.9, 0.1, 0)]).isEmpty)
        #expect(told([(20, 0.1, 0)]) == [.dead(channel: 1, true)])
        #expect(told([(5, 1e-5, 0.1), (1, 0.1, 0.1)]) == [.dead(channel: 0, true), .dead(channel: 0, false)])
        #expect(told([(2, 0.1, 0.1), (5, 0.1, 0)]) == [.dead(channel: 1, true)])
    }

    @Test("where nobody speaks, no channel is dead")
    func pause() { #expect(told([(10, 1e-3, 0), (1, 0, 0)]).isEmpty) }
}

@Suite struct ChannelReductionTests {
    static let rate = 48_000.0

    /// Stereo samples reduced to `outputs` channels.
    func reduced(
        _ selection: ChannelSelection,
        outputs: Int = 1,
        _ sample: (Int) -> (left: Float, right: Float),
        frames: Int
    ) -> [Float] {
        let watch = SignalWatch(channelCount: 2, sampleRate: Self.rate)
        let reduction = ChannelReduction(selection, from: 2, to: outputs, sampleRate: Self.rate)
        var result = [Float](repeating: .nan, count: frames * outputs)
        let source = (0..<frames).flatMap { frame -> [Float] in
            let (left, right) = sample(frame)
            return [left, right]
        }
        source.withUnsafeBufferPointer { source in
            result.withUnsafeMutableBufferPointer { target in
                guard let from = source.baseAddress, let into = target.baseAddress else { return }
                for start in stride(from: 0, to: frames, by: 960) {
                    let count = min(960, frames - start)
                    watch.measure(from + start * 2, frames: count)
                    reduction.reduce(from + start * 2, into: into + start * outputs, frames: count, watch: watch)
                    watch.count(count)
                }
            }
        }
        return result
    }

    @Test("left and right are what they say, in every channel", arguments: [1, 2])
    func sides(_ outputs: Int) {
        let left = reduced(.left, outputs: outputs, { _ in (0.25, 0.5) }, frames: 2_000)
        #expect(left.allSatisfy { $0 == 0.25 } && left.count == 2_000 * outputs)
        #expect(reduced(.right, outputs: outputs, { _ in (0.25, 0.5) }, frames: 2_000).allSatisfy { $0 == 0.5 })
    }

    @Test("a mix of living channels is their mean; a dead one halves nothing, from the first frame on")
    func mix() {
        for selection in [ChannelSelection.mix, .automatic] {
            #expect(reduced(selection, { _ in (0.25, 0.5) }, frames: 2_000).allSatisfy { $0 == 0.375 })
            #expect(reduced(selection, { _ in (0.25, 0) }, frames: 2_000).allSatisfy { $0 == 0.25 })
            #expect(reduced(selection, { _ in (0.000_05, 0.5) }, frames: 2_000).allSatisfy { $0 == 0.5 })
        }
    }

    @Test(
        "a channel that dies is left out after three seconds, one that comes to life is there at once, without a step"
    )
    func changes() {
        let frames = Int(Self.rate) * 8
        let dies = Int(Self.rate) * 2
        let lives = Int(Self.rate) * 7
        let result = reduced(.automatic, { (0.4, $0 < dies || $0 >= lives ? 0.4 : 0) }, frames: frames)
        #expect(result[dies - 1] == 0.4 && result[dies + 1_000] == 0.2)
        #expect(result[lives - 1_000] == 0.4, "alone at its level")
        #expect(abs(result[lives + 2_000] - 0.4) < 1e-6)
        // At its death a step is in the sound itself.
        let steps = (dies + 10..<frames - 1).map { abs(result[$0 + 1] - result[$0]) }
        #expect(steps.max().map { $0 < 0.3 } == true)
        let back = (dies + 10..<lives - 10).map { abs(result[$0 + 1] - result[$0]) }
        #expect(back.max().map { $0 < 0.001 } == true)
    }

    @Test("how many channels are asked of the device")
    func captureChannels() {
        #expect(ChannelSelection.automatic.captureChannels(for: 1) == 2)
        #expect(ChannelSelection.automatic.captureChannels(for: 2) == 2)
        #expect(ChannelSelection.automatic.captureChannels(for: 6) == 6)
        #expect(ChannelSelection.left.captureChannels(for: 1) == 2)
        #expect(ChannelSelection.right.captureChannels(for: 2) == 2)
    }
}
