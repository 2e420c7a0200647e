import AudioCore
import TestSupport

/// A file that should hold the first frames of a sound, by our reader and by others.
struct TakeReading {
    var frames: Int
    var readByOthers = 0
    var complaints: [String] = []

    /// Whoever else knows the pair.
    static func readers(_ pair: RecordedPair) -> [KillFormat.Reader] {
        switch (pair.container, pair.codec) {
        case (_, .linearPCM), (_, .muLaw), (_, .aLaw), (.flac, .flac), (.caf, .alac): [.ffmpeg, .libsndfile]
        default: [.ffmpeg]
        }
    }

    /// - Parameter first: the frame of the sound at which the file begins.
    init(_ path: String, _ pair: RecordedPair, _ source: [Float], first: Int = 0) throws {
        let own = try Decoding.own(path)
        frames = own.samples.count
        if own.stated != frames { complaints.append("states \(own.stated ?? -1) frames and has \(frames)") }
        checkContent(own.samples, pair, source, first)
        for reader in Self.readers(pair) {
            check(reader, path, pair, own.samples, priming: own.priming) {
                Self.firstForeignFrame(of: $0, pair, source, first)
            }
        }
    }

    private mutating func checkContent(_ samples: [Float], _ pair: RecordedPair, _ source: [Float], _ first: Int) {
        let foreign = Self.firstForeignFrame(of: samples, pair, source, first)
        if let foreign { complaints.append("foreign samples from frame \(foreign) of \(samples.count)") }
    }

    private static func firstForeignFrame(of samples: [Float], _ pair: RecordedPair, _ source: [Float], _ first: Int)
        -> Int?
    {
        let step: Float? = if case .exact(let step) = pair.fidelity { step } else { nil }
        return source.withUnsafeBufferPointer {
            Alignment(at: first).firstForeignFrame(of: samples, in: $0, sampleRate: pair.sampleRate, step: step)
        }
    }

    private mutating func check(
        _ reader: KillFormat.Reader,
        _ path: String,
        _ pair: RecordedPair,
        _ own: [Float],
        priming: Int,
        firstForeignFrame: ([Float]) -> Int?
    ) {
        do {
            // FFmpeg passes over `pakt`'s priming in CAF.
            let isUntrimmed = pair.container == .caf && pair.codec == .aac
            let samples = try Decoding.other(reader, path).dropFirst(isUntrimmed ? priming : 0)
            var difference = 0.0
            for (a, b) in zip(samples, own) { difference += Double(a - b) * Double(a - b) }
            difference = (difference / Double(max(own.count, 1))).squareRoot()
            // Others hear the padding of a whole packet, or find one that no checkpoint states yet.
            let limit = VirtualVerdict.limit(pair)
            if own.isEmpty, samples.count <= limit, firstForeignFrame(Array(samples)) == nil {
                // Before the first checkpoint no frame is stated. FFmpeg plays a chunk of no length to the end of the file:
                // what was heard, and nothing else.
                readByOthers += 1
            } else if samples.count > own.count + max(pair.heldFrames, 64) {
                complaints.append("\(reader) gives \(samples.count) frames, not \(own.count)")
            } else if difference > (pair.fidelity == .alike ? 0.01 : 0.000_1) {
                complaints.append("\(reader) differs by \(difference)")
            } else if own.count - samples.count > limit {
                complaints.append("\(reader) gives \(samples.count) frames of \(own.count)")
            } else {
                readByOthers += 1
            }
        } catch {
            // A file that states no frame is no file for some: before the first checkpoint.
            if own.count <= VirtualVerdict.limit(pair) { readByOthers += 1 } else { complaints.append("\(error)") }
        }
    }
}
