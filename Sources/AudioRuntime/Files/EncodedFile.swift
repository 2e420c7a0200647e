package import AudioCore

/// A sound file that is written frame by frame, without a microphone. One thread at a time.
///
/// It is made beside the file that has its name and takes that one's place once it is there, so that a request that cannot
/// be met destroys nothing. From then on it is complete and playable, up to the last half second.
package final class EncodedFile {
    private let writer: FrameWriter
    private let file: any StoredFile
    private var checkpointedLength: FrameCount = 0

    /// - Throws: where the encoder or the container cannot do it, or the file system refuses. A file of that name stays as
    ///   it is.
    package init(
        path: String,
        container: ContainerKind,
        encoding: EncodingRequest,
        runtime: Runtime,
        options: WriterOptions = WriterOptions()
    ) throws(AudioFailure) {
        let temporary = FilePath.sibling(of: path)
        // The encoder first: most impossible requests fail there, before a file is made.
        let encoder = try runtime.media.makeEncoder(encoding)
        // Recovery leaves alone what is locked.
        let file = try runtime.files.makeLocked(temporary)
        do throws(AudioFailure) {
            let container = try runtime.media.makeWriter(
                container,
                stream: encoder.stream,
                file: file,
                options: options
            )
            try container.checkpoint(synchronize: false)
            writer = FrameWriter(encoder: encoder, writer: container)
            try runtime.files.rename(temporary, to: path, replacing: true)
        } catch {
            file.close()
            try? runtime.files.remove(temporary)
            throw error
        }
        self.file = file
    }

    deinit { file.close() }

    /// What `write` takes.
    package var format: PCMFormat { writer.format }
    package var stream: StreamDescription { writer.stream }
    /// Frames taken so far.
    package var length: FrameCount { writer.length }

    /// Takes all frames of `buffer`; see `FrameWriter.write`.
    package func write(_ buffer: PCMBuffer) throws(AudioFailure) {
        try writer.write(buffer)
        guard (length - checkpointedLength).seconds(at: format.sampleRate) >= 0.5 else { return }
        try writer.checkpoint(synchronize: false)
        checkpointedLength = length
    }

    /// Completes the file on the disk. Can be tried again after a failure; does nothing once it has succeeded.
    package func finish() throws(AudioFailure) { try writer.finish() }
}
