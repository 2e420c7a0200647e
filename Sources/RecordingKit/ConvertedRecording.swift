import AVFAudio
import AudioCore
import AudioRuntime
public import Foundation

/// A recording in another format: decoded, and encoded into a new file. The source is only read.
///
/// A conversion survives the end of its process: what is to be made of what stands in a hidden file beside the target, and
/// `RecordingJobs.resume(in:)` ends it at the next start.
public struct ConvertedRecording: Sendable, Hashable {
    /// The new file.
    public let url: URL
    /// Frames in it, counted when it was verified: those of the source, at the new rate.
    public let frames: Int64
    /// Frames per second.
    public let sampleRate: Double
    /// Packets of the source that could not be decoded. Silence of their length is in their place.
    public let damagedPackets: Int

    /// Seconds of the new file: `frames` divided by `sampleRate`.
    public var duration: Double { Double(frames) / sampleRate }

    /// Converts `source` into `url`.
    ///
    /// The file appears under its name only when it is complete, was opened and counted, and lies on the disk. Until then
    /// a failure leaves everything as it was. Tags, markers, gaps and the date of modification are those of the source.
    /// Blocks the calling thread; memory does not grow with the length.
    /// - Parameters:
    ///   - source: any file that can be played.
    ///   - url: the new file; its extension chooses the container ("m4a", "caf", "wav", "aiff", "aifc", "flac", "opus").
    ///   - settings: keys of AVAudioSettings, as for a recorder. Without them: the format that the container usually
    ///     holds, with the rate, the channels and the bits of the source (for Opus, 48 000 Hz where it does not have the
    ///     source's rate).
    ///   - replacing: whether a file that is already there may be replaced; false by default. Never the source itself.
    ///   - progress: called on this thread a few times a second with what is done, 0 … 1. An answer of false gives up.
    /// - Throws: `notFound`, `malformedMedia`, `unsupported` or `invalidArgument` naming the key; `alreadyExists`; `busy`
    ///   where the source is still being recorded; `cancelled`; `accessDenied`, `noSpace`, `limitReached`, `inputOutput`.
    public init(
        converting source: URL,
        into url: URL,
        settings: [String: Any] = [:],
        replacing: Bool = false,
        progress: (_ done: Double) -> Bool = { _ in true }
    ) throws(RecordingError) {
        let (from, to) = (try path(of: source), try path(of: url))
        let runtime = Runtime.current
        let result = try reporting { () throws(AudioFailure) in
            let stream = try Self.stream(from, in: runtime)
            var request = try RecordingSettings(settings, url: url)
            Self.complete(&request, from: stream, asked: settings)
            // Impossible settings are told in the names of their keys, before a file is made.
            _ = try request.stream(with: runtime.media)
            var job = MediaJob(.conversion(request.encoding), of: [from], to: to, request.container)
            job.replaces = replacing
            return try job.run(in: runtime, progress: progress)
        }
        self.url = url
        frames = result.frames.value
        sampleRate = result.sampleRate
        damagedPackets = result.damagedPackets
    }

    private static func stream(_ path: String, in runtime: Runtime) throws(AudioFailure) -> StreamDescription {
        let file = try runtime.files.open(path, .reading)
        defer { file.close() }
        do throws(AudioFailure) {
            return try runtime.media.openReader(file).stream
        } catch {
            var failure = error
            failure.path = path
            throw failure
        }
    }

    /// Where nothing was asked for, what loses nothing of the source.
    private static func complete(
        _ request: inout RecordingSettings,
        from stream: StreamDescription,
        asked: [String: Any]
    ) {
        if asked[AVSampleRateKey] == nil {
            let hasOpusRate = [8_000, 12_000, 16_000, 24_000, 48_000].contains(stream.sampleRate)
            request.encoding.sampleRate = request.encoding.codec == .opus && !hasOpusRate ? 48_000 : stream.sampleRate
        }
        if asked[AVNumberOfChannelsKey] == nil, asked[AVChannelLayoutKey] == nil {
            request.encoding.channelCount = stream.channelCount
        }
        if asked[AVEncoderBitDepthHintKey] == nil {
            request.encoding.bitDepth = depth(of: stream, allowed: [16, 24])
        }
        if case .linearPCM(var layout) = request.encoding.codec, asked[AVLinearPCMBitDepthKey] == nil,
            asked[AVLinearPCMIsFloatKey] == nil
        {
            if case .linearPCM(let source) = stream.codec {
                layout.isFloat = source.isFloat && request.container != .aiff
            }
            layout.bitsPerSample = depth(of: stream, allowed: layout.isFloat ? [32, 64] : [16, 24, 32])
            request.encoding.codec = .linearPCM(layout)
        }
    }

    /// The least of `allowed` (in rising order) that holds the source's bits; 16 for what has none.
    private static func depth(of stream: StreamDescription, allowed: [Int]) -> Int {
        let bits = stream.codec.isLossless ? stream.bitsPerChannel : 0
        return allowed.first { $0 >= bits } ?? allowed[allowed.count - 1]
    }
}
