/// The speed of a player: between the decoder and the queue of the device. One thread at a time.
///
/// At rate 1 frames go through untouched. A change to another rate begins with the very frame that would have followed; the
/// change back is a splice of 10 ms, at the place within 12.5 ms at which both sound most alike.
package final class RateStage {
    /// Rates that can be asked for.
    package static let rates = 0.5...2.0

    private enum Mode {
        case direct
        case stretching
        /// The source has ended: what the stretcher holds is given, to the frame.
        case ending
        case ended
    }

    private let sampleRate: Double
    private let channelCount: Int
    private let provider: any StretcherProvider
    private let splice: Splice
    private var stretcher: (any TimeStretcher)?
    private var mode = Mode.direct
    private var wanted = 1.0
    /// The frame of the source that comes in next.
    private var position: Int64 = 0
    /// Frames that the stretcher has and that were not heard yet, with what a splice needs before them.
    private var held: FrameStore
    /// Frames that go out first, each of them one of the source.
    private var ready: FrameStore
    /// What the stretcher goes on with, to be spliced onto the source itself.
    private var tail: [Float] = []
    private let silence: [Float]

    /// Where the frames that were given out lie in the source.
    package private(set) var timeline = PlaybackTimeline()

    package init(sampleRate: Double, channelCount: Int, provider: any StretcherProvider) {
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.provider = provider
        splice = Splice(sampleRate: sampleRate, channelCount: channelCount)
        held = FrameStore(channelCount: channelCount)
        ready = FrameStore(channelCount: channelCount)
        silence = [Float](repeating: 0, count: 512 * channelCount)
    }

    // MARK: Control

    /// Asks for a rate, from the next frames on.
    /// - Throws: `unsupported` where the sound can be played at its own speed only; the rate stays.
    package func setRate(_ rate: Double) throws(AudioFailure) {
        let rate = min(max(rate, Self.rates.lowerBound), Self.rates.upperBound)
        if rate != 1, stretcher == nil {
            stretcher = try provider.makeStretcher(sampleRate: sampleRate, channelCount: channelCount)
        }
        wanted = rate
    }

    /// Forgets everything; the frame of the source that comes next is `source`.
    package func reset(to source: Int64) {
        mode = .direct
        stretcher?.reset()
        held.removeAll()
        ready.removeAll()
        tail = []
        position = source
        timeline = PlaybackTimeline(source: source)
    }

    /// Frames given out before this one are not asked about any more.
    package func forget(before given: Int64) { timeline.forget(before: given) }

    // MARK: Frames

    /// Frames need not come in here: `pass` tells of them.
    package var passesThrough: Bool { mode == .direct && wanted == 1 && ready.frameCount == 0 }

    /// `frames` frames of the source went out as they are. Only while `passesThrough`.
    package func pass(_ frames: Int) {
        position += Int64(frames)
        timeline.extend(by: frames, rate: 1)
    }

    /// Takes the next frames of the source. Everything that is ready must have been taken before.
    package func put(_ samples: UnsafePointer<Float>, frames: Int) throws(AudioFailure) {
        if mode == .direct, wanted == 1 || stretcher == nil {
            ready.append(samples, frames: frames)
            position += Int64(frames)
            return
        }
        guard let stretcher else { return }
        if mode == .direct {
            mode = .stretching
            stretcher.reset()
            stretcher.rate = wanted
        } else if wanted != 1 {
            stretcher.rate = wanted
        }
        held.append(samples, frames: frames)
        position += Int64(frames)
        try stretcher.put(samples, frames: frames)
    }

    /// Nothing follows what came in.
    package func finish() {
        switch mode {
        case .direct: mode = .ended
        case .stretching: mode = .ending
        case .ending, .ended: break
        }
    }

    /// Gives up to `frames` frames that are ready; 0 where more must come in first, or after `finish` at the end.
    package func take(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(AudioFailure) -> Int {
        while true {
            let count = ready.take(into: samples, frames: frames)
            if count > 0 {
                timeline.extend(by: count, rate: 1)
                return count
            }
            switch mode {
            case .direct, .ended: return 0
            case .stretching:
                if wanted == 1 || !tail.isEmpty {
                    if !returnToSource() { return 0 }
                    continue
                }
                return takeStretched(into: samples, frames: frames)
            case .ending: return try takeEnding(into: samples, frames: frames)
            }
        }
    }

    private func takeStretched(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        guard let stretcher else { return 0 }
        let count = stretcher.take(into: samples, frames: frames)
        timeline.extend(by: count, rate: stretcher.rate)
        let first = position - Int64(held.frameCount)
        held.dropFirst(Int(timeline.source) - splice.reach - Int(first))
        return count
    }

    /// Goes on with the source itself, as soon as the stretcher has given as much as the splice takes.
    private func returnToSource() -> Bool {
        guard let stretcher else { return false }
        let missing = splice.length - tail.count / channelCount
        var more = [Float](repeating: 0, count: missing * channelCount)
        let count = more.withUnsafeMutableBufferPointer { more in
            more.baseAddress.map { stretcher.take(into: $0, frames: missing) } ?? 0
        }
        tail += more[..<(count * channelCount)]
        guard count == missing else { return false }
        let first = position - Int64(held.frameCount)
        let last = held.frameCount - splice.length
        let expected = Int((timeline.source - Double(first)).rounded())
        let from = min(max(expected - splice.reach, 0), max(last, 0))
        let to = min(max(expected + splice.reach, from), max(last, from))
        // A stretcher that gave frames of what it does not hold any more: there is nothing to go on with yet.
        guard last >= from else { return false }
        let found =
            from
            + splice.place(
                of: tail[...],
                in: held.samples(from: from, frames: to - from + splice.length)
            )
        timeline.jump(to: Double(first + Int64(found)))
        ready.append(splice.fade(tail[...], into: held.samples(from: found, frames: splice.length))[...])
        let rest = found + splice.length
        ready.append(held.samples(from: rest, frames: held.frameCount - rest))
        tail = []
        held.removeAll()
        stretcher.reset()
        mode = .direct
        return true
    }

    /// Frames that must still be given, so that all of the source was heard.
    private var missingAtEnd: Int {
        let rate = stretcher?.rate ?? 1
        return Int(((Double(position) - timeline.source) / rate).rounded())
    }

    /// Silence drives out of the stretcher what it still holds.
    private func takeEnding(into samples: UnsafeMutablePointer<Float>, frames: Int) throws(AudioFailure) -> Int {
        guard let stretcher else { return 0 }
        if !tail.isEmpty {
            // The source ended before it was reached again.
            let count = min(frames, tail.count / channelCount)
            for index in 0..<count * channelCount { samples[index] = tail[index] }
            tail.removeFirst(count * channelCount)
            timeline.extend(by: count, rate: stretcher.rate)
            return count
        }
        // More than the stretcher can hold back; one that gives nothing does not keep the end waiting for ever.
        for _ in 0..<Int(sampleRate / 256) + 2 {
            let missing = missingAtEnd
            if missing <= 0 { break }
            let count = stretcher.take(into: samples, frames: min(frames, missing))
            if count > 0 {
                timeline.extend(by: count, rate: stretcher.rate)
                return count
            }
            try silence.withUnsafeBufferPointer { silence throws(AudioFailure) in
                guard let base = silence.baseAddress else { return }
                try stretcher.put(base, frames: silence.count / channelCount)
            }
        }
        mode = .ended
        return 0
    }
}
