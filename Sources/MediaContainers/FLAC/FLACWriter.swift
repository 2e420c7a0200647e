import AudioCore

/// Writes native FLAC. STREAMINFO, with the total of frames, is written again at every checkpoint.
///
/// The checksum over all samples stays zero, which says that it is unknown: every frame has its own.
final class FLACWriter: ContainerWriter {
    private let file: any StoredFile
    private var info: FLACStreamInfo
    private var notes: NoteRegion?
    private var audio: AppendedAudio
    private var length = RecordingLength(priming: 0)
    private(set) var checkpointedFrames: FrameCount = 0
    /// Bytes of audio at the last checkpoint.
    private var checkpointedBytes: Int64 = 0

    /// Room for programs that edit the tags.
    private static let paddingBytes = 1_024

    init(stream: StreamDescription, file: any StoredFile, options: WriterOptions) throws(AudioFailure) {
        guard stream.codec == .flac else {
            throw AudioFailure(.unsupported, "FLAC files hold FLAC only, not \(stream.codec.name).")
        }
        guard stream.configuration.count == FLACStreamInfo.byteCount else {
            throw AudioFailure(.invalidArgument, "A FLAC stream needs a STREAMINFO of 34 bytes as its configuration.")
        }
        self.file = file
        info = try FLACStreamInfo(reading: stream.configuration)
        info.total = 0
        info.leastFrame = 0
        info.largestFrame = 0
        info.md5 = [UInt8](repeating: 0, count: 16)
        var texts = options.metadata
        (texts.markers, texts.gaps, texts.omittedNotes) = ([], [], 0)
        let head = Self.head(info, state: FLACState.live)
        let comments = VorbisComments.bytes(for: texts, sampleRate: stream.sampleRate)
        let behind =
            FLACBlock.comments.header(byteCount: comments.count) + comments
            + FLACBlock.padding.header(byteCount: Self.paddingBytes, isLast: true)
            + [UInt8](repeating: 0, count: Self.paddingBytes)
        notes = NoteRegion(
            options,
            form: Self.noteForm(texts, sampleRate: stream.sampleRate),
            sampleRate: stream.sampleRate,
            at: head.count,
            trailer: behind.count,
            covered: behind.count
        )
        let header = head + (notes?.bytes ?? []) + behind
        audio = AppendedAudio(file: file, start: Int64(header.count))
        try file.write(header, at: 0)
    }

    /// The log of notes: an application block. In the end a new block of comments with chapters and the last padding lie
    /// over the comments without, of which there must be one only.
    private static func noteForm(_ texts: MediaMetadata, sampleRate: Double) -> NoteRegion.Form {
        NoteRegion.Form(
            head: { logBytes in
                var head = ByteWriter(capacity: 8)
                head.raw(FLACBlock.application.header(byteCount: logBytes + 4))
                head.code(NoteRegion.signature)
                return head.bytes
            },
            filler: { FLACBlock.padding.header(byteCount: max($0 - 4, 0), isLast: true) },
            chunks: { places in
                let comments = VorbisComments.bytes(for: texts, places: places, sampleRate: sampleRate)
                return FLACBlock.comments.header(byteCount: comments.count) + comments
            }
        )
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    /// What changes at a checkpoint: everything up to the state.
    private static func head(_ info: FLACStreamInfo, state: FourCC) -> [UInt8] {
        var head = ByteWriter(capacity: 54)
        head.code("fLaC")
        head.raw(FLACBlock.streamInfo.header(byteCount: FLACStreamInfo.byteCount))
        head.raw(info.bytes)
        head.raw(FLACBlock.application.header(byteCount: 8))
        head.code(FLACState.signature)
        head.code(state)
        return head.bytes
    }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        let size = packet.bytes.count
        info.leastFrame = info.leastFrame == 0 ? size : min(info.leastFrame, size)
        info.largestFrame = max(info.largestFrame, size)
        length.decoded += Int64(packet.frames)
        try audio.append(packet.bytes)
    }

    func checkpoint(synchronize: Bool) throws(AudioFailure) {
        try audio.flush()
        _ = try notes?.write(to: file)
        if synchronize { try file.synchronize() }
        info.total = length.decoded
        try file.write(Self.head(info, state: FLACState.live), at: 0)
        if synchronize { try file.synchronize() }
        checkpointedFrames = FrameCount(length.decoded)
        checkpointedBytes = audio.written
    }

    func abandonPending() {
        length.decoded = checkpointedFrames.value
        audio.cut(to: checkpointedBytes)
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try length.state(validFrames)
        try audio.flush()
        try file.synchronize()
        try notes?.finish(in: file)
        info.total = validFrames.value
        try file.write(Self.head(info, state: FLACState.done), at: 0)
        try file.truncate(to: audio.start + audio.written)
        try file.synchronize()
        checkpointedFrames = validFrames
    }
}
