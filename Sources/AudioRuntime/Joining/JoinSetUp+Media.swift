import AudioCore
import MediaContainers

/// What joining and completing have in common: the same packets in another file, which is looked at before it is trusted.
extension JoinSetUp {
    func makeWriter(_ container: ContainerKind, file: any StoredFile, media: MediaRegistry) throws(AudioFailure)
        -> any ContainerWriter
    {
        try media.makeWriter(
            container,
            stream: stream,
            file: file,
            options: WriterOptions(expectedFrames: FrameCount(frames), metadata: metadata)
        )
    }

    /// Opens a file that was made as any other file, and counts what is in it.
    /// - Parameter content: what was put into it.
    /// - Returns: whether it is complete, with exactly these packets and the frames of the set-up.
    func isWhole(
        _ file: any StoredFile,
        _ container: ContainerKind,
        _ content: PacketJoin.Content,
        media: MediaRegistry
    )
        throws(AudioFailure) -> Bool
    {
        let reader = try media.openReader(file, hint: container)
        let found = try PacketJoin.Content(of: reader)
        return reader.integrity == .complete && reader.validFrames?.value == frames && found == content
            && reader.stream.primingFrames == stream.primingFrames
    }
}
