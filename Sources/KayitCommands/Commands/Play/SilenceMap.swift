import AVFoundation
import Synchronization

/// The pauses of a file that are long enough to be shortened, found by a thread of its own while the file plays.
final class SilenceMap: Sendable {
    /// How much is left out.
    struct Rule: Sendable {
        /// What is quieter counts as silent: the greatest sample of a piece.
        var threshold: Float
        /// Seconds of a pause that is left as it is.
        var shortest: Double
        /// Seconds that are left of a longer one, half of them at each end.
        var kept: Double

        /// Nil leaves everything as it is.
        init?(_ skipping: PlayOptions.SilenceSkipping) {
            switch skipping {
            case .off: return nil
            case .gentle: (threshold, shortest, kept) = (0.003_16, 2, 0.5)
            case .strong: (threshold, shortest, kept) = (0.01, 0.7, 0.25)
            }
        }
    }

    private struct State {
        /// What is left out, in seconds, in order.
        var skips: [Range<Double>] = []
        var isEnded = false
    }

    private let state = Mutex(State())
    private let rule: Rule

    /// Seconds of a piece that is looked at as one.
    private static let piece = 0.02

    /// Begins to look through a file.
    init(_ url: URL, _ rule: Rule) {
        self.rule = rule
        let thread = Thread { [weak self] in Self.search(url, rule) { self?.note($0) ?? false } }
        thread.name = "kayit-silence"
        thread.start()
    }

    deinit { end() }

    /// Ends the search; what was found counts.
    func end() { state.withLock { $0.isEnded = true } }

    /// Where to go on from a position that lies in what is left out; nil where there is something to hear.
    func target(from seconds: Double) -> Double? {
        state.withLock { state in
            state.skips.last { $0.lowerBound <= seconds }.flatMap { $0.contains(seconds) ? $0.upperBound : nil }
        }
    }

    /// - Returns: whether to search on.
    private func note(_ pause: Range<Double>?) -> Bool {
        state.withLock { state in
            if let pause, pause.upperBound - pause.lowerBound > rule.shortest {
                state.skips.append((pause.lowerBound + rule.kept / 2)..<(pause.upperBound - rule.kept / 2))
            }
            return !state.isEnded
        }
    }

    /// A file that cannot be read has no pauses: the player says what is wrong with it.
    private static func search(_ url: URL, _ rule: Rule, _ note: (Range<Double>?) -> Bool) {
        guard let file = try? AVAudioFile(forReading: url) else { return }
        let rate = file.processingFormat.sampleRate
        let size = AVAudioFrameCount(max(piece * rate, 1))
        guard let buffer = AVAudioPCMBuffer(pcmFormat: file.processingFormat, frameCapacity: size) else { return }
        var start: Double?
        var position = 0.0
        while note(nil), (try? file.read(into: buffer)) != nil, buffer.frameLength > 0 {
            let isSilent = peak(of: buffer) < rule.threshold
            if isSilent {
                start = start ?? position
            } else if let from = start {
                start = nil
                if !note(from..<position) { return }
            }
            position += Double(buffer.frameLength) / rate
        }
        // A pause at the end is left out up to its last moment.
        if let start, start < position { _ = note(start..<position) }
    }

    private static func peak(of buffer: AVAudioPCMBuffer) -> Float {
        guard let channels = buffer.floatChannelData else { return 1 }
        var peak: Float = 0
        for channel in 0..<Int(buffer.format.channelCount) {
            for frame in 0..<Int(buffer.frameLength) {
                let sample = abs(channels[channel][frame * buffer.stride])
                // What is no number is not silent.
                peak = sample.isNaN ? 1 : max(peak, sample)
            }
        }
        return peak
    }
}
