import AudioCore

/// A short sound, decoded and in memory.
final class SoundClip: @unchecked Sendable {
    // Unchecked: the samples are written before anybody else sees them, and never again.

    let sampleRate: Double
    let channelCount: Int
    let frameCount: Int
    private let samples: UnsafeMutablePointer<Float>

    /// The longest sound there is, as on Apple's systems.
    static let longest = Duration.seconds(30)
    /// What any speaker takes.
    private static let sampleRates = 1.0...384_000

    var duration: Duration { .nanoseconds(Int64(Double(frameCount) / sampleRate * 1e9)) }

    var sound: VoiceMixer.Sound {
        VoiceMixer.Sound(samples: samples, channelCount: channelCount, frameCount: frameCount)
    }

    /// Decodes all of the file at `path`.
    /// - Throws: `limitReached` where it lasts longer than `longest`; `malformedMedia` where it holds no sound.
    init(path: String, files: any FileStore, media: MediaRegistry) throws(AudioFailure) {
        if try files.status(path)?.isFolder == true {
            throw AudioFailure(.accessDenied, "'\(path)' is a folder, not a sound.", path: path)
        }
        let file = try files.open(path, .reading)
        defer { file.close() }
        let reader = try FrameReader(file, media: media, hint: FilePath.container(of: path))
        let rate = reader.format.sampleRate
        guard Self.sampleRates.contains(rate) else {
            throw AudioFailure(
                .unsupported,
                "'\(path)' has \(rate) frames per second: too many or too few.",
                path: path
            )
        }
        let channels = min(reader.format.channelCount, VoiceMixer.channelCount)
        let frames = try ConvertedFrames(reader, to: PCMFormat(sampleRate: rate, channelCount: channels))
        let limit = Int(rate * Self.longest.inSeconds)
        if let length = reader.length, length.value > limit { throw Self.isTooLong(path) }

        var decoded: [Float] = []
        decoded.reserveCapacity(Int(clamping: min(reader.length?.value ?? 0, Int64(limit))) * channels)
        while decoded.count <= limit * channels {
            let goesOn = try frames.next { buffer throws(AudioFailure) in
                decoded += buffer.samples(as: Float.self).prefix(buffer.frameLength * channels)
            }
            if !goesOn { break }
        }
        if decoded.count > limit * channels { throw Self.isTooLong(path) }
        if decoded.isEmpty { throw AudioFailure(.malformedMedia, "'\(path)' holds no sound.", path: path) }

        sampleRate = rate
        channelCount = channels
        frameCount = decoded.count / channels
        samples = .allocate(capacity: decoded.count)
        decoded.withUnsafeBufferPointer { source in
            if let base = source.baseAddress { samples.initialize(from: base, count: source.count) }
        }
    }

    deinit { samples.deallocate() }

    private static func isTooLong(_ path: String) -> AudioFailure {
        AudioFailure(
            .limitReached,
            "'\(path)' lasts longer than the \(Int(longest.inSeconds)) seconds of a system sound. Play it as a recording.",
            path: path
        )
    }
}
