import AudioCore

/// Writes WAV, and from 4 GiB on RF64 (EBU Tech 3306) without moving anything.
///
/// Behind the RIFF header lies a `JUNK` chunk of 40 bytes; in RF64 it becomes a `ds64` chunk of 28 and a `JUNK` chunk of 4.
/// Its last four bytes are `live` until the file is finished, so that a reader knows that there may be audio behind what the
/// sizes say. A checkpoint writes the head of the audio, then the header in front.
final class WaveWriter: PacketRunWriter {
    private let file: any StoredFile
    private let format: WaveFormat
    private let texts: [UInt8]
    private var notes: NoteRegion?
    private var audio: AppendedAudio
    private var length = RecordingLength(priming: 0)
    private(set) var checkpointedFrames: FrameCount = 0

    /// Both sizes of a plain file have 32 bits; this leaves room for the header and the padding.
    private static let largestPlainAudio = Int64(UInt32.max)

    init(stream: StreamDescription, file: any StoredFile, options: WriterOptions) throws(AudioFailure) {
        self.file = file
        format = try WaveFormat(writing: stream)
        texts = WaveMetadata.texts(of: options.metadata)
        let front = Self.front(format, texts, sizes: Sizes(headerBytes: 0, audioBytes: 0, isFinished: false))
        notes = NoteRegion(
            options,
            form: WaveMetadata.notes,
            sampleRate: stream.sampleRate,
            at: front.count,
            trailer: Self.audioHeadBytes
        )
        let start = front.count + (notes?.byteCount ?? 0) + Self.audioHeadBytes
        audio = AppendedAudio(file: file, start: Int64(start))
        let sizes = Sizes(headerBytes: start, audioBytes: 0, isFinished: false)
        let region = notes?.bytes ?? []
        try file.write(Self.front(format, texts, sizes: sizes) + region + Self.audioHead(sizes), at: 0)
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        guard packet.bytes.count % format.bytesPerFrame == 0 else {
            throw AudioFailure(.internal, "A packet of \(packet.bytes.count) bytes is not a whole number of frames.")
        }
        length.decoded += Int64(packet.bytes.count / format.bytesPerFrame)
        try audio.append(packet.bytes)
    }

    func append(_ run: PacketRun, from source: any StoredFile) throws(AudioFailure) {
        guard run.byteCount % Int64(format.bytesPerFrame) == 0 else {
            throw AudioFailure(.internal, "A run of \(run.byteCount) bytes is not a whole number of frames.")
        }
        try audio.append(run.byteCount, from: source, at: run.offset)
        length.decoded += run.byteCount / Int64(format.bytesPerFrame)
    }

    func checkpoint(synchronize: Bool) throws(AudioFailure) {
        try audio.flush()
        _ = try notes?.write(to: file)
        if synchronize { try file.synchronize() }
        try writeHeader(audioBytes: audio.written, isFinished: false)
        if synchronize { try file.synchronize() }
        checkpointedFrames = FrameCount(audio.written / Int64(format.bytesPerFrame))
    }

    func abandonPending() {
        length.decoded = checkpointedFrames.value
        audio.cut(to: checkpointedFrames.value * Int64(format.bytesPerFrame))
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try length.state(validFrames)
        try audio.flush()
        let bytes = validFrames.value * Int64(format.bytesPerFrame)
        try file.synchronize()
        try notes?.finish(in: file)
        try writeHeader(audioBytes: bytes, isFinished: true)
        // The padding behind an odd length comes with it: before the header it would be taken for a frame.
        try file.truncate(to: audio.start + bytes + bytes % 2)
        try file.synchronize()
        checkpointedFrames = validFrames
    }

    /// A length of audio that is not in the header yet does no harm; so it goes first.
    private func writeHeader(audioBytes: Int64, isFinished: Bool) throws(AudioFailure) {
        let sizes = Sizes(headerBytes: Int(audio.start), audioBytes: audioBytes, isFinished: isFinished)
        try file.write(Self.audioHead(sizes), at: audio.start - Int64(Self.audioHeadBytes))
        try file.write(Self.front(format, texts, sizes: sizes), at: 0)
    }

    /// What changes while the file grows.
    private struct Sizes {
        var headerBytes: Int
        var audioBytes: Int64
        var isFinished: Bool

        /// While recording, the padding of an odd length is not there yet.
        var fileBytes: Int64 { Int64(headerBytes) + audioBytes + (isFinished ? audioBytes % 2 : 0) }
        var isLarge: Bool { fileBytes - 8 > largestPlainAudio }
    }

    private static let audioHeadBytes = 8

    private static func audioHead(_ sizes: Sizes) -> [UInt8] {
        var head = ByteWriter(capacity: audioHeadBytes)
        head.code("data")
        head.little(sizes.isLarge ? .max : UInt32(clamping: sizes.audioBytes))
        return head.bytes
    }

    /// Everything in front of the notes, of the same length for all sizes.
    private static func front(_ format: WaveFormat, _ texts: [UInt8], sizes: Sizes) -> [UInt8] {
        let frames = sizes.audioBytes / Int64(format.bytesPerFrame)
        var header = ByteWriter(capacity: 128 + texts.count)
        header.code(sizes.isLarge ? "RF64" : "RIFF")
        header.little(sizes.isLarge ? .max : UInt32(clamping: sizes.fileBytes - 8))
        header.code("WAVE")
        if sizes.isLarge {
            header.code("ds64")
            header.little(28 as UInt32)
            header.little(sizes.fileBytes - 8)
            header.little(sizes.audioBytes)
            header.little(frames)
            header.little(0 as UInt32)
            header.code("JUNK")
            header.little(4 as UInt32)
        } else {
            header.code("JUNK")
            header.little(40 as UInt32)
            header.zeros(36)
        }
        if sizes.isFinished { header.zeros(4) } else { header.code(WaveFile.live) }
        header.code("fmt ")
        let body = format.chunkBody
        header.little(UInt32(body.count))
        header.raw(body)
        if !format.isPCMInteger {
            header.code("fact")
            header.little(4 as UInt32)
            header.little(UInt32(clamping: frames))
        }
        header.raw(texts)
        return header.bytes
    }
}

/// What writer and reader agree on.
enum WaveFile {
    /// Where `WaveWriter` says that a file is not finished, and how.
    static let liveOffset = 56
    static let live: FourCC = "live"
}
