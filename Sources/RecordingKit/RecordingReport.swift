import AudioCore
import AudioRuntime
public import Foundation

/// What a sound file is: its container, its codec, its exact length, and whether it was finished.
public struct RecordingReport: Sendable, Hashable {
    /// Whether the file is all there.
    public enum Integrity: Sendable, Hashable {
        /// The file was finished and has everything that it promises.
        case complete
        /// The file was never finished or was cut; what is there can be read. The reason is a sentence for people.
        case unfinished(reason: String)

        init(_ integrity: MediaIntegrity) {
            self =
                switch integrity {
                case .complete: .complete
                case .unfinished(let reason): .unfinished(reason: reason)
                }
        }
    }

    /// A line of text that the file carries ("title", "artist", "encoder" …).
    public struct Tag: Sendable, Hashable {
        /// What the text is about, one lower-case word.
        public var name: String
        /// The text.
        public var value: String
    }

    /// The kind of file by its short name ("m4a", "wav"), told by the content.
    public var container: String
    /// The codec by its short name ("aac", "pcm").
    public var codec: String
    /// How samples are stored, for linear PCM ("24-bit little-endian integer"); nil for other codecs.
    public var sampleLayout: String?
    /// True where decoding gives back exactly what was encoded.
    public var isLossless: Bool
    /// Frames per second.
    public var sampleRate: Double
    /// Samples in a frame.
    public var channelCount: Int
    /// Significant bits of a sample for lossless codecs, 0 where that has no meaning.
    public var bitsPerChannel: Int
    /// Frames of the recording that can be read, without the encoder's delay and the padding at the end. Exact.
    public var frames: Int64
    /// Bits of encoded audio per second on average; nil where unknown.
    public var bitRate: Double?
    /// Frames that the decoder gives before the first of the recording, and that players must skip.
    public var primingFrames: Int64
    /// Named places, in the order of the file.
    public var markers: [RecordingMarker]
    /// What the recording misses, in the order of time: silence in the file, with the reason.
    public var gaps: [RecordingGap]
    /// Markers and gaps that found no room in the file while it was recorded.
    public var omittedNotes: Int
    /// Texts in the file, only those that are there.
    public var tags: [Tag]
    /// Whether the file was finished.
    public var integrity: Integrity
    /// Whether somebody works on the unfinished file: a recorder that runs, in this process or another. What is told of it
    /// is what it had when it was looked at. False for a finished file, and where its recorder has ended: that one is for
    /// `RecordingRecovery`.
    public var isInUse = false
    /// Packets that could not be decoded. Known where the report decoded the file: for a waveform, or because its length
    /// is not written in it; nil otherwise.
    public var damagedPackets: Int?
    /// The shape of the sound, where it was asked for.
    public var waveform: Waveform?

    /// Seconds of the recording: `frames` divided by `sampleRate`.
    public var duration: Double { Double(frames) / sampleRate }

    /// Reads what there is to know about a file.
    ///
    /// Opening is quick for any length; with a waveform, or where the file does not say its length, everything is
    /// decoded. Blocks the calling thread meanwhile. Memory does not grow with the file.
    /// - Parameters:
    ///   - url: the URL of a file.
    ///   - waveformBins: the most pieces of the waveform, 0 (the default) for none.
    /// - Throws: `notFound`, `accessDenied`, `inputOutput`, `malformedMedia`, `unsupported`.
    public init(contentsOf url: URL, waveformBins: Int = 0) throws(RecordingError) {
        let path = try path(of: url)
        let runtime = Runtime.current
        self = try reporting { () throws(AudioFailure) in
            let file = try runtime.files.open(path, .reading)
            defer { file.close() }
            let hint = ContainerKind(fileExtension: url.pathExtension)
            var report = try Self(file, media: runtime.media, hint: hint, waveformBins: waveformBins)
            // A recorder holds the lock of its file as long as it runs.
            if report.integrity != .complete { report.isInUse = (try? file.tryLock()) == false }
            return report
        }
    }

    private init(_ source: any ByteSource, media: MediaRegistry, hint: ContainerKind?, waveformBins: Int)
        throws(AudioFailure)
    {
        let reader = try media.openReader(source, hint: hint)
        self.init(describing: reader)
        guard waveformBins > 0 || reader.validFrames == nil else { return }

        let content = try DecodedContent(
            FrameReader(reader: reader, decoder: media.makeDecoder(reader.stream)),
            waveformBins: waveformBins
        )
        if content.frames < frames, integrity == .complete {
            integrity = .unfinished(reason: "The file promises \(frames) frames.")
        }
        frames = content.frames
        damagedPackets = content.damagedPackets
        waveform = content.waveform
        bitRate = Self.meanBitRate(reader, frames: frames)
    }

    /// What the container says, with 0 frames where it does not say how many.
    private init(describing reader: any ContainerReader) {
        let stream = reader.stream
        container = reader.container.name
        codec = stream.codec.name
        if case .linearPCM(let layout) = stream.codec { sampleLayout = layout.summary }
        isLossless = stream.codec.isLossless
        sampleRate = stream.sampleRate
        channelCount = stream.channelCount
        bitsPerChannel = stream.bitsPerChannel
        frames = max(reader.validFrames?.value ?? 0, 0)
        bitRate = Self.meanBitRate(reader, frames: frames)
        primingFrames = stream.primingFrames.value
        markers = reader.metadata.markers.map { RecordingMarker($0) }
        gaps = reader.metadata.gaps.map { RecordingGap($0) }
        omittedNotes = reader.metadata.omittedNotes
        tags = Self.tags(reader.metadata)
        integrity = Integrity(reader.integrity)
    }

    private static func meanBitRate(_ reader: any ContainerReader, frames: Int64) -> Double? {
        if frames > 0, reader.audioByteCount > 0 {
            return Double(reader.audioByteCount) * 8 * reader.stream.sampleRate / Double(frames)
        }
        return reader.stream.bitRate > 0 ? Double(reader.stream.bitRate) : nil
    }

    private static func tags(_ metadata: MediaMetadata) -> [Tag] {
        let all = [
            ("title", metadata.title), ("artist", metadata.artist), ("album", metadata.album),
            ("date", metadata.date), ("comment", metadata.comment), ("encoder", metadata.encoder),
        ]
        return all.compactMap { name, value in value.map { Tag(name: name, value: $0) } }
    }
}

/// What only decoding tells.
private struct DecodedContent {
    private(set) var frames: Int64 = 0
    private(set) var damagedPackets = 0
    private(set) var waveform: Waveform?

    /// Frames decoded at once.
    private static let blockLength = 8192

    init(_ reader: FrameReader, waveformBins: Int) throws(AudioFailure) {
        let block = PCMBuffer(format: reader.format, capacity: Self.blockLength)
        var builder = WaveformBuilder(binCount: waveformBins, expectedFrames: reader.length)
        while true {
            block.setFrameLength(0)
            let count: Int
            do throws(AudioFailure) {
                count = try reader.read(into: block)
            } catch {
                guard error.code == .malformedMedia else { throw error }
                damagedPackets += 1
                continue
            }
            if count == 0 { break }
            if waveformBins > 0 { builder.append(block) }
            frames += Int64(count)
        }
        if waveformBins > 0 { waveform = builder.waveform }
    }
}

extension LinearPCMLayout {
    fileprivate var summary: String {
        let kind = isFloat ? "floating point" : isSigned ? "integer" : "unsigned integer"
        if bitsPerSample <= 8 { return "\(bitsPerSample)-bit \(kind)" }
        return "\(bitsPerSample)-bit \(isBigEndian ? "big" : "little")-endian \(kind)"
    }
}
