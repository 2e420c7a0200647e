import AudioCore

/// Writes CAF whose packets all have one size (PCM, G.711, IMA4): no table, so the length of `data` says it all, and for
/// packets of several frames a `pakt` without entries states the trims.
///
/// The counts stand right in front of the audio, which starts on a page: one write of 52 bytes at most, inside one sector,
/// publishes a checkpoint.
final class CAFConstantWriter: PacketRunWriter {
    private let file: any StoredFile
    private let format: CAFFormat
    private let statesTrims: Bool
    /// Where the first byte of audio lies.
    private let audioStart: Int64
    private let markPosition: Int64
    private var notes: NoteRegion?
    private var audioBytes: Int64 = 0
    private var pending: [UInt8] = []
    private var length: RecordingLength
    private var isSynchronized = false
    private var isFinished = false

    init(stream: StreamDescription, format: CAFFormat, file: any StoredFile, options: WriterOptions)
        throws(AudioFailure)
    {
        self.file = file
        self.format = format
        statesTrims = format.framesPerPacket > 1
        length = RecordingLength(priming: statesTrims ? stream.primingFrames : 0)
        var head = ByteWriter()
        head.raw(try CAFHead.fixedChunks(stream, format))
        head.raw(CAFMetadata.infoChunk(options.metadata))
        let countBytes = (statesTrims ? CAFChunk.headerSize + CAFPacketTableHeader.size : 0) + CAFHead.dataHeaderSize
        notes = NoteRegion(
            options,
            form: CAFMetadata.notes,
            sampleRate: stream.sampleRate,
            at: head.count,
            trailer: CAFChunk.headerSize + CAFHead.recordingMark.count + countBytes
        )
        head.raw(notes?.bytes ?? [])
        markPosition = Int64(head.count + CAFChunk.headerSize)
        audioStart = CAFHead.pageAligned(markPosition + Int64(CAFHead.recordingMark.count + countBytes))
        head.raw(CAFHead.padding(from: head.count, to: audioStart - Int64(countBytes)))
        head.raw(counts(audioBytes: 0, length))
        try file.write(head.bytes, at: 0)
    }

    var checkpointedFrames: FrameCount { FrameCount(length.valid) }

    func append(_ packet: EncodedPacket) throws(AudioFailure) {
        let size = Int(format.bytesPerPacket)
        let (packets, odd) = packet.bytes.count.quotientAndRemainder(dividingBy: size)
        guard !isFinished, odd == 0, packet.frames == packets * Int(format.framesPerPacket) else {
            throw CAFHead.misfit(packet, isFinished: isFinished)
        }
        pending += packet.bytes
    }

    func note(_ note: RecordingNote) throws(AudioFailure) { notes?.add(note) }

    func append(_ run: PacketRun, from source: any StoredFile) throws(AudioFailure) {
        guard !isFinished, run.byteCount == run.packets * Int64(format.bytesPerPacket) else {
            throw AudioFailure(.invalidArgument, "The packets do not have the size that the CAF file states.")
        }
        try checkpoint(synchronize: false)
        isSynchronized = false
        try file.copyRange(
            from: source,
            sourceOffset: run.offset,
            count: run.byteCount,
            to: audioStart + audioBytes
        )
        var after = length
        after.decoded += run.frames
        try publish(audioBytes + run.byteCount, after)
        audioBytes += run.byteCount
        length = after
    }

    func checkpoint(synchronize: Bool) throws(AudioFailure) { try publish(synchronize: synchronize) }

    func abandonPending() { pending.removeAll(keepingCapacity: true) }

    /// - Parameter end: the final number of frames, so that the padding of the last packet is never part of the recording.
    private func publish(synchronize: Bool, end: FrameCount? = nil) throws(AudioFailure) {
        if try notes?.write(to: file) ?? false { isSynchronized = false }
        if !pending.isEmpty {
            var after = length
            let bytes = audioBytes + Int64(pending.count)
            after.decoded = bytes / Int64(format.bytesPerPacket) * Int64(format.framesPerPacket)
            if let end { try after.state(end) }
            isSynchronized = false
            try file.write(pending, at: audioStart + audioBytes)
            if synchronize { try file.synchronize() }
            try publish(bytes, after)
            audioBytes = bytes
            length = after
            pending.removeAll(keepingCapacity: pending.count < 1 << 20)
        }
        if synchronize, !isSynchronized {
            try file.synchronize()
            isSynchronized = true
        }
    }

    func finish(validFrames: FrameCount) throws(AudioFailure) {
        file.beginEnding()
        try publish(synchronize: true, end: validFrames)
        try notes?.finish(in: file)
        var final = length
        try final.state(validFrames)
        // Frames of one packet each can simply be left out; otherwise the remainder is stated.
        let bytes = statesTrims ? audioBytes : final.valid * Int64(format.bytesPerPacket)
        try publish(bytes, final)
        try file.synchronize()
        // Behind the audio may lie what a failed write left.
        if try file.size() > audioStart + bytes {
            try file.truncate(to: audioStart + bytes)
            try file.synchronize()
        }
        try CAFHead.clearMark(at: markPosition, in: file)
        audioBytes = bytes
        length = final
        isFinished = true
    }

    private func publish(_ bytes: Int64, _ length: RecordingLength) throws(AudioFailure) {
        let counts = counts(audioBytes: bytes, length)
        try file.write(counts, at: audioStart - Int64(counts.count))
    }

    private func counts(audioBytes: Int64, _ length: RecordingLength) -> [UInt8] {
        var writer = ByteWriter()
        if statesTrims {
            let packets = audioBytes / Int64(format.bytesPerPacket)
            writer.raw(CAFChunk.bytes("pakt", CAFHead.packetTable(packets, length, format).bytes))
        }
        writer.raw(CAFHead.dataHeader(audioBytes: audioBytes))
        return writer.bytes
    }
}
