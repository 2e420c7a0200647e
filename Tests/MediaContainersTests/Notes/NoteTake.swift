import AudioCore
import Foundation
import MediaCodecs
import MediaContainers
import MediaFFmpeg
import TestSupport
import Testing

/// A short recording in some format, with notes that come while it is made.
struct NoteTake {
    struct Format: Sendable, CustomTestStringConvertible {
        var codec: EncodingRequest.Codec
        var container: ContainerKind
        var rate = 44_100.0
        var testDescription: String { "\(codec) in \(container.name) at \(Int(rate)) Hz" }

        static let all = [
            Format(codec: .aac, container: .m4a),
            Format(codec: .alac, container: .m4a),
            Format(codec: .aac, container: .caf),
            Format(codec: .alac, container: .caf),
            Format(codec: .ima4, container: .caf),
            Format(codec: LivePCMTakes.linear(16, isBigEndian: true), container: .caf),
            Format(codec: LivePCMTakes.linear(16), container: .wav),
            Format(codec: .muLaw, container: .wav),
            Format(codec: LivePCMTakes.linear(24, isBigEndian: true), container: .aiff),
            Format(codec: .ima4, container: .aifc),
            Format(codec: .flac, container: .flac),
            Format(codec: .opus, container: .oggOpus, rate: 48_000),
        ]
    }

    static let media = MediaRegistry(providers: [ContainerProvider(), PCMCodecProvider(), FFmpegProvider()])

    let format: Format
    let file = MemoryFile()
    let writer: any ContainerWriter
    let stream: StreamDescription
    private(set) var packets: [EncodedPacket] = []
    /// Bytes of all packets, one behind the other.
    let audio: [UInt8]
    private(set) var appended = 0
    private(set) var appendedBytes = 0
    let frames: Int

    init(_ format: Format, seconds: Double = 0.6, options: WriterOptions) throws {
        self.format = format
        frames = Int(seconds * format.rate)
        let encoder = try Self.media.makeEncoder(
            EncodingRequest(codec: format.codec, sampleRate: format.rate, channelCount: 1)
        )
        stream = encoder.stream
        let source = LivePCMTakes.tone(frames: frames, channels: 1, rate: format.rate)
        let floats = PCMFormat(sampleRate: format.rate, channelCount: 1)
        let converter = SampleConverter(from: floats, to: encoder.input)
        let piece = 2_000
        let (input, converted) = (
            PCMBuffer(format: floats, capacity: piece), PCMBuffer(format: encoder.input, capacity: piece)
        )
        var packets: [EncodedPacket] = []
        for start in stride(from: 0, to: frames, by: piece) {
            let count = min(piece, frames - start)
            for index in 0..<count { input.samples(as: Float.self)[index] = source[start + index] }
            input.setFrameLength(count)
            converter.convert(input, into: converted)
            try encoder.encode(converted) { packets.append($0) }
        }
        try encoder.finish { packets.append($0) }
        self.packets = packets
        audio = packets.flatMap(\.bytes)
        writer = try Self.media.makeWriter(format.container, stream: stream, file: file, options: options)
    }

    /// Appends packets, a share of all that there are (0 … 1), without a checkpoint.
    mutating func append(upTo share: Double) throws {
        let end = Int(Double(packets.count) * share)
        while appended < end {
            try writer.append(packets[appended])
            appendedBytes += packets[appended].bytes.count
            appended += 1
        }
    }

    mutating func finish() throws {
        try append(upTo: 1)
        try writer.finish(validFrames: FrameCount(frames))
    }

    /// Opens `image` and compares its audio with what was written.
    /// - Parameter kept: bytes of audio that are sure; what is behind may be damaged. Nil where all must be right.
    func open(_ image: MemoryFile, kept: Int? = nil) throws -> any ContainerReader {
        let reader = try Self.media.openReader(image)
        var bytes: [UInt8] = []
        while let packet = try reader.nextPacket() { bytes += packet.bytes }
        let count = kept.map { min($0, bytes.count) } ?? bytes.count
        let isSame = count <= audio.count && memcmp(bytes, audio, count) == 0
        #expect(isSame, "The audio is another.")
        return reader
    }

    var metadata: MediaMetadata { get throws { try open(file).metadata } }
}

/// Notes in some number.
enum Notes {
    /// Markers and gaps in turn, every third a gap.
    static func some(_ count: Int, spacing: Int = 100) -> [RecordingNote] {
        let reasons = RecordingGap.Reason.allCases
        return (0..<count).map { index in
            let frame = FrameCount(index * spacing)
            return index % 3 == 2
                ? .gap(
                    RecordingGap(start: frame, length: FrameCount(index + 1), reason: reasons[index % reasons.count])
                )
                : .marker(MediaMetadata.Marker(frame: frame, name: "Marker \(index + 1)"))
        }
    }

    static let oddNames = [
        "", "ölçü ✓ 🎙", "line\nbreak\r\tand tab", "zero\0inside", "=", " spaces ", String(repeating: "ş", count: 60),
        "CHAPTER001=00:00:00.000", "quote \" and \\ and 'this'",
    ]

    static func named(_ names: [String]) -> [RecordingNote] {
        names.enumerated().map { .marker(MediaMetadata.Marker(frame: FrameCount($0 * 1_000 + 1), name: $1)) }
    }

    static func metadata(_ notes: [RecordingNote]) -> MediaMetadata {
        var metadata = MediaMetadata()
        for note in notes { metadata.append(note) }
        return metadata
    }
}

extension MediaMetadata {
    /// A short word on the first note that differs, for a message: comparing hundreds of them takes minutes.
    func difference(from notes: [RecordingNote]) -> String? {
        let mine = self.notes
        if mine.count != notes.count { return "\(mine.count) notes instead of \(notes.count)" }
        return zip(mine, notes).first { $0 != $1 }.map { "\($0.0) instead of \($0.1)" }
    }
}
