import AudioCore

/// Writes AIFF and AIFC. The header, with every count, is written as a whole at every checkpoint.
///
/// All sizes have 32 bits. What does not fit is refused before anything is damaged.
final class AIFFWriter: PacketRunWriter {
    private let file: any StoredFile
    private let format: AIFFFormat
    private let metadata: [UInt8]
    private var audio: AppendedAudio
    private var length = RecordingLength(priming: 0)
    private(set) var checkpointedFrames: FrameCount = 0

    /// The form's size counts everything behind itself; one byte is kept for the padding.
    private static let largestFile = Int64(UInt32.max) + 8 - 1

    init(
        isCompressed: Bool,
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions
    ) throws(AudioFailure) {
        self.file = file
        format = try AIFFFormat(writing: stream, isCompressed: isCompressed)
        metadata = AIFFMetadata.chunks(for: options.metadata)
        let header = Self.header(format, metadata, audioBytes: 0, state: AIFFState(isLive: true, validFrames: 0))
        audio = AppendedAudio(file: file, start: Int64(header.count))
        try file.write(header, at: 0)
    }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        guard packet.bytes.count % format.unitBytes == 0 else {
            throw AudioFailure(.internal, "A packet of \(packet.bytes.count) bytes is not a whole number of units.")
        }
        try checkRoom(for: Int64(packet.bytes.count))
        length.decoded += Int64(packet.bytes.count / format.unitBytes * format.unitFrames)
        try audio.append(packet.bytes)
    }

    func append(_ run: PacketRun, from source: any StoredFile) throws(AudioFailure) {
        guard run.byteCount % Int64(format.unitBytes) == 0 else {
            throw AudioFailure(.internal, "A run of \(run.byteCount) bytes is not a whole number of units.")
        }
        try checkRoom(for: run.byteCount)
        try audio.append(run.byteCount, from: source, at: run.offset)
        length.decoded += run.byteCount / Int64(format.unitBytes) * Int64(format.unitFrames)
    }

    private func checkRoom(for bytes: Int64) throws(AudioFailure) {
        if audio.start + audio.length + bytes <= Self.largestFile { return }
        throw AudioFailure(
            .limitReached,
            "AIFF files end at 4 GiB. Everything up to frame \(length.decoded) is kept; "
                + "CAF and WAV files can be longer.",
            path: file.path
        )
    }

    func checkpoint(synchronize: Bool) throws(AudioFailure) {
        try audio.flush()
        if synchronize { try file.synchronize() }
        let frames = audio.written / Int64(format.unitBytes) * Int64(format.unitFrames)
        try writeHeader(audioBytes: audio.written, AIFFState(isLive: true, validFrames: frames))
        if synchronize { try file.synchronize() }
        checkpointedFrames = FrameCount(frames)
    }

    func abandonPending() {
        length.decoded = checkpointedFrames.value
        audio.cut(to: checkpointedFrames.value / Int64(format.unitFrames) * Int64(format.unitBytes))
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try length.state(validFrames)
        try audio.flush()
        let frames = Int64(format.unitFrames)
        let units = (validFrames.value + frames - 1) / frames
        let bytes = units * Int64(format.unitBytes)
        if bytes % 2 == 1 { try file.write([0], at: audio.start + bytes) }
        try file.synchronize()
        try writeHeader(audioBytes: bytes, AIFFState(isLive: false, validFrames: validFrames.value))
        try file.truncate(to: audio.start + bytes + bytes % 2)
        try file.synchronize()
        checkpointedFrames = validFrames
    }

    private func writeHeader(audioBytes: Int64, _ state: AIFFState) throws(AudioFailure) {
        try file.write(Self.header(format, metadata, audioBytes: audioBytes, state: state), at: 0)
    }

    /// The header, of the same length for every `audioBytes`, which fit.
    private static func header(
        _ format: AIFFFormat,
        _ metadata: [UInt8],
        audioBytes: Int64,
        state: AIFFState
    ) -> [UInt8] {
        var chunks = ByteWriter(capacity: 256 + metadata.count)
        chunks.code(format.compression == nil ? "AIFF" : "AIFC")
        if format.compression != nil {
            // Version 1 of AIFC, which is the only one.
            AIFFMetadata.append("FVER", [0xA2, 0x80, 0x51, 0x40], to: &chunks)
        }
        let units = UInt32(clamping: audioBytes / Int64(format.unitBytes))
        AIFFMetadata.append("COMM", format.chunkBody(units: units), to: &chunks)
        AIFFMetadata.append("APPL", state.chunkBody, to: &chunks)
        chunks.raw(metadata)
        chunks.code("SSND")
        chunks.big(UInt32(clamping: audioBytes + 8))
        chunks.zeros(8)
        var header = ByteWriter(capacity: chunks.count + 8)
        header.code("FORM")
        // While recording, the padding of an odd length is not there yet.
        header.big(UInt32(clamping: Int64(chunks.count) + audioBytes + (state.isLive ? 0 : audioBytes % 2)))
        header.raw(chunks.bytes)
        return header.bytes
    }
}
