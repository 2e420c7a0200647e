import AudioCore
import MediaFFmpeg

/// The frames of a recording in another format: sample type, channels, rate. One thread at a time.
final class ConvertedFrames {
    let format: PCMFormat
    /// Packets that could not be decoded so far; silence of their length takes their place.
    private(set) var damagedPackets = 0

    private let reader: FrameReader
    private let decoded: PCMBuffer
    private let mixed: PCMBuffer
    private let toMixed: SampleConverter
    /// Only where the rates differ.
    private let resampler: (any Resampler)?
    /// Only where the resampler's floats are not what is asked for.
    private let fromResampled: SampleConverter?
    private var converted: PCMBuffer?
    private var damagedInARow = 0
    private var isEnded = false

    private static let step = 4_096
    /// Damaged packets without a good one between them, after which a recording counts as undecodable.
    private static let damageLimit = 1_000

    init(_ reader: FrameReader, to format: PCMFormat) throws(AudioFailure) {
        self.reader = reader
        self.format = format
        let source = reader.format
        decoded = PCMBuffer(format: source, capacity: Self.step)
        let hasSameRate = source.sampleRate == format.sampleRate
        let between =
            hasSameRate ? format : PCMFormat(sampleRate: source.sampleRate, channelCount: format.channelCount)
        mixed = PCMBuffer(format: between, capacity: Self.step)
        toMixed = SampleConverter(from: source, to: between)
        guard !hasSameRate else {
            resampler = nil
            fromResampled = nil
            return
        }
        resampler = try FFmpegResampler(
            from: source.sampleRate,
            to: format.sampleRate,
            channelCount: format.channelCount
        )
        let resampled = PCMFormat(sampleRate: format.sampleRate, channelCount: format.channelCount)
        fromResampled = resampled == format ? nil : SampleConverter(from: resampled, to: format)
    }

    /// Gives the next frames, in pieces of any length that are only good for the call; false at the end.
    func next(_ body: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) -> Bool {
        if isEnded { return false }
        decoded.setFrameLength(0)
        do throws(AudioFailure) {
            isEnded = try reader.read(into: decoded) == 0
            damagedInARow = 0
        } catch {
            // The reader has put silence of its length in its place, so that the rest stays where it belongs.
            damagedPackets += 1
            damagedInARow += 1
            guard error.code == .malformedMedia, damagedInARow < Self.damageLimit else { throw error }
            return true
        }
        if isEnded {
            try resampler?.finish { buffer throws(AudioFailure) in try self.give(buffer, body) }
            return true
        }
        toMixed.convert(decoded, into: mixed)
        guard let resampler else {
            try body(mixed)
            return true
        }
        try resampler.process(mixed) { buffer throws(AudioFailure) in try self.give(buffer, body) }
        return true
    }

    private func give(_ buffer: PCMBuffer, _ body: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure) {
        guard let fromResampled else { return try body(buffer) }
        if (converted?.capacity ?? 0) < buffer.frameLength {
            converted = PCMBuffer(format: format, capacity: buffer.frameLength)
        }
        guard let converted else { return }
        fromResampled.convert(buffer, into: converted)
        try body(converted)
    }
}
