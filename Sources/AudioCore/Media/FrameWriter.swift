/// Frames in, a file out: an encoder and a container writer as one. One thread at a time.
///
/// A failure of the file loses no frames: encoded packets that could not be written are kept and written first by the
/// next call, in order, so that a caller may free space and go on.
package final class FrameWriter {
    /// The frames that `write` takes.
    package let format: PCMFormat
    /// What is written into the container.
    package let stream: StreamDescription
    /// Frames taken so far.
    package private(set) var length: FrameCount = 0

    private let encoder: any PacketEncoder
    private let writer: any ContainerWriter
    private var unwritten: [EncodedPacket] = []
    /// Decoded frames of all packets so far, priming included.
    private var encodedFrames: Int64 = 0
    private var isEncoderFinished = false
    private var isFinished = false

    package init(encoder: any PacketEncoder, writer: any ContainerWriter) {
        self.encoder = encoder
        self.writer = writer
        format = encoder.input
        stream = encoder.stream
    }

    /// Starts a file with what `media` offers.
    package convenience init(
        _ file: any StoredFile,
        container: ContainerKind,
        request: EncodingRequest,
        media: MediaRegistry,
        options: WriterOptions = WriterOptions()
    ) throws(AudioFailure) {
        let encoder = try media.makeEncoder(request)
        let writer = try media.makeWriter(container, stream: encoder.stream, file: file, options: options)
        self.init(encoder: encoder, writer: writer)
    }

    /// Frames that the last checkpoint made readable.
    package var checkpointedFrames: FrameCount { writer.checkpointedFrames }

    /// Takes all frames of `buffer`.
    ///
    /// - Parameter buffer: of `format`.
    /// - Throws: where the encoder fails, or the container. After a failure of the container the frames of this call have
    ///   been taken all the same and must not be given again; before one is cured, further calls take nothing.
    package func write(_ buffer: PCMBuffer) throws(AudioFailure) {
        guard buffer.format == format else {
            throw AudioFailure(.invalidArgument, "The buffer's format is not the format that the encoder takes.")
        }
        guard !isEncoderFinished else {
            throw AudioFailure(.busy, "The file was finished: nothing more can be written.")
        }
        try flush()
        var failure: AudioFailure?
        try encoder.encode(buffer) { packet throws(AudioFailure) in self.accept(packet, &failure) }
        length += FrameCount(buffer.frameLength)
        if let failure { throw failure }
    }

    /// Makes everything encoded so far part of a playable file. Does nothing once the ending has begun, which alone may
    /// bring the encoder's padding into the file.
    /// - Parameter synchronize: also wait until the disk has it.
    package func checkpoint(synchronize: Bool) throws(AudioFailure) {
        if isEncoderFinished { return }
        try flush()
        try writer.checkpoint(synchronize: synchronize)
    }

    /// Encodes what is still inside the encoder and completes the file with its exact length. Can be tried again after a
    /// failure; does nothing once it has succeeded.
    package func finish() throws(AudioFailure) {
        if isFinished { return }
        if !isEncoderFinished {
            try flush()
            isEncoderFinished = true
            try encoder.finish { packet throws(AudioFailure) in
                self.unwritten.append(packet)
                self.encodedFrames += Int64(packet.frames)
            }
        }
        // An encoder that failed may owe packets: the file promises no frames that it has not.
        let available = FrameCount(max(encodedFrames - stream.primingFrames.value, 0))
        try writer.finish(appending: &unwritten, validFrames: min(length, available))
        isFinished = true
    }

    /// Writes a packet, or keeps it behind those that could not be written.
    private func accept(_ packet: EncodedPacket, _ failure: inout AudioFailure?) {
        encodedFrames += Int64(packet.frames)
        guard unwritten.isEmpty else {
            unwritten.append(packet)
            return
        }
        do throws(AudioFailure) {
            try writer.append(packet)
        } catch {
            failure = error
            unwritten.append(packet)
        }
    }

    private func flush() throws(AudioFailure) {
        while let packet = unwritten.first {
            try writer.append(packet)
            unwritten.removeFirst()
        }
    }
}
