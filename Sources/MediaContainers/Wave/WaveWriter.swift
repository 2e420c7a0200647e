import AudioCore

/// Writes WAV, and from 4 GiB on RF64 (EBU Tech 3306) without moving anything.
///
/// The header is written as a whole at every checkpoint. Behind the RIFF header lies a `JUNK` chunk of 40 bytes; in RF64 it
/// becomes a `ds64` chunk of 28 and a `JUNK` chunk of 4. Its last four bytes are `live` until the file is finished, so
/// that a reader knows that there may be audio behind what the sizes say.
final class WaveWriter: PacketRunWriter {
    private let file: any StoredFile
    private let format: WaveFormat
    private let metadata: [UInt8]
    private var audio: AppendedAudio
    private var length = RecordingLength(priming: 0)
    private(set) var checkpointedFrames: FrameCount = 0

    /// Both sizes of a plain file have 32 bits; this leaves room for the header and the padding.
    private static let largestPlainAudio = Int64(UInt32.max)

    init(stream: StreamDescription, file: any StoredFile, options: WriterOptions) throws(AudioFailure) {
        self.file = file
        format = try WaveFormat(writing: stream)
        metadata = WaveMetadata.chunks(for: options.metadata)
        let headerBytes = Self.header(format, metadata, audioBytes: 0, isFinished: false).count
        audio = AppendedAudio(file: file, start: Int64(headerBytes))
        try writeHeader(audioBytes: 0, isFinished: false)
    }

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
        if bytes % 2 == 1 { try file.write([0], at: audio.start + bytes) }
        try file.synchronize()
        try writeHeader(audioBytes: bytes, isFinished: true)
        try file.truncate(to: audio.start + bytes + bytes % 2)
        try file.synchronize()
        checkpointedFrames = validFrames
    }

    private func writeHeader(audioBytes: Int64, isFinished: Bool) throws(AudioFailure) {
        try file.write(Self.header(format, metadata, audioBytes: audioBytes, isFinished: isFinished), at: 0)
    }

    /// The header, of the same length for every `audioBytes`.
    private static func header(
        _ format: WaveFormat,
        _ metadata: [UInt8],
        audioBytes: Int64,
        isFinished: Bool
    ) -> [UInt8] {
        let frames = audioBytes / Int64(format.bytesPerFrame)
        let body = format.chunkBody
        let factBytes = format.isPCMInteger ? 0 : 12
        let size = 12 + 48 + 8 + body.count + factBytes + metadata.count + 8
        // While recording, the padding of an odd length is not there yet.
        let fileBytes = Int64(size) + audioBytes + (isFinished ? audioBytes % 2 : 0)
        let isLarge = fileBytes - 8 > largestPlainAudio

        var header = ByteWriter(capacity: size)
        header.code(isLarge ? "RF64" : "RIFF")
        header.little(isLarge ? .max : UInt32(clamping: fileBytes - 8))
        header.code("WAVE")
        if isLarge {
            header.code("ds64")
            header.little(28 as UInt32)
            header.little(fileBytes - 8)
            header.little(audioBytes)
            header.little(frames)
            header.little(0 as UInt32)
            header.code("JUNK")
            header.little(4 as UInt32)
        } else {
            header.code("JUNK")
            header.little(40 as UInt32)
            header.zeros(36)
        }
        if isFinished { header.zeros(4) } else { header.code(WaveFile.live) }
        header.code("fmt ")
        header.little(UInt32(body.count))
        header.raw(body)
        if factBytes > 0 {
            header.code("fact")
            header.little(4 as UInt32)
            header.little(UInt32(clamping: frames))
        }
        header.raw(metadata)
        header.code("data")
        header.little(isLarge ? .max : UInt32(clamping: audioBytes))
        return header.bytes
    }
}

/// What writer and reader agree on.
enum WaveFile {
    /// Where `WaveWriter` says that a file is not finished, and how.
    static let liveOffset = 56
    static let live: FourCC = "live"
}
