import AudioCore

/// Writes AIFF and AIFC. A checkpoint writes the head of the sound data, then the header in front with every count.
///
/// All sizes have 32 bits. What does not fit is refused before anything is damaged.
final class AIFFWriter: PacketRunWriter {
    private let file: any StoredFile
    private let format: AIFFFormat
    private let texts: [UInt8]
    private var notes: NoteRegion?
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
        texts = AIFFMetadata.texts(of: options.metadata)
        let state = AIFFState(isLive: true, validFrames: 0)
        let front = Self.front(format, texts, headerBytes: 0, audioBytes: 0, state: state)
        notes = NoteRegion(
            options,
            form: AIFFMetadata.notes,
            sampleRate: stream.sampleRate,
            at: front.count,
            trailer: Self.audioHeadBytes
        )
        let region = notes?.bytes ?? []
        let start = front.count + region.count + Self.audioHeadBytes
        audio = AppendedAudio(file: file, start: Int64(start))
        let header = Self.front(format, texts, headerBytes: start, audioBytes: 0, state: state)
        try file.write(header + region + Self.audioHead(audioBytes: 0), at: 0)
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

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
        _ = try notes?.write(to: file)
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
        try file.synchronize()
        try notes?.finish(in: file)
        try writeHeader(audioBytes: bytes, AIFFState(isLive: false, validFrames: validFrames.value))
        // The padding behind an odd length comes with it: before the header it would be taken for a frame.
        try file.truncate(to: audio.start + bytes + bytes % 2)
        try file.synchronize()
        checkpointedFrames = validFrames
    }

    /// Readers that go by the common chunk stop at its count; so sound data that are not counted yet do no harm.
    private func writeHeader(audioBytes: Int64, _ state: AIFFState) throws(AudioFailure) {
        try file.write(Self.audioHead(audioBytes: audioBytes), at: audio.start - Int64(Self.audioHeadBytes))
        let bytes = Int(audio.start)
        try file.write(
            Self.front(format, texts, headerBytes: bytes, audioBytes: audioBytes, state: state),
            at: 0
        )
    }

    private static let audioHeadBytes = 16

    private static func audioHead(audioBytes: Int64) -> [UInt8] {
        var head = ByteWriter(capacity: audioHeadBytes)
        head.code("SSND")
        head.big(UInt32(clamping: audioBytes + 8))
        head.zeros(8)
        return head.bytes
    }

    /// Everything in front of the notes, of the same length for all sizes, which fit.
    private static func front(
        _ format: AIFFFormat,
        _ texts: [UInt8],
        headerBytes: Int,
        audioBytes: Int64,
        state: AIFFState
    ) -> [UInt8] {
        var header = ByteWriter(capacity: 256 + texts.count)
        header.code("FORM")
        // While recording, the padding of an odd length is not there yet.
        let padding = state.isLive ? 0 : audioBytes % 2
        header.big(UInt32(clamping: max(Int64(headerBytes) - 8, 0) + audioBytes + padding))
        header.code(format.compression == nil ? "AIFF" : "AIFC")
        if format.compression != nil {
            // Version 1 of AIFC, which is the only one.
            AIFFMetadata.append("FVER", [0xA2, 0x80, 0x51, 0x40], to: &header)
        }
        let units = UInt32(clamping: audioBytes / Int64(format.unitBytes))
        AIFFMetadata.append("COMM", format.chunkBody(units: units), to: &header)
        AIFFMetadata.append("APPL", state.chunkBody, to: &header)
        header.raw(texts)
        return header.bytes
    }
}
