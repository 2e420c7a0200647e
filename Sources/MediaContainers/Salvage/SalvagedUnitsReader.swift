import AudioCore

/// Audio of units of one size, from a known place to the end of a file that no longer says what it is.
final class SalvagedUnitsReader: PacketRunReader {
    let container: ContainerKind
    let stream: StreamDescription
    let validFrames: FrameCount?
    let integrity: MediaIntegrity
    let metadata = MediaMetadata()
    private var units: FixedSizeUnits

    init(
        _ window: SourceWindow,
        container: ContainerKind,
        stream: StreamDescription,
        extent: FixedSizeUnits.Extent,
        reason: String
    ) throws(AudioFailure) {
        guard stream.bytesPerPacket > 0, stream.framesPerPacket > 0, extent.start >= 0, extent.length >= 0 else {
            throw AudioFailure(.malformedMedia, "No audio was found in the file.")
        }
        self.container = container
        units = FixedSizeUnits(
            [extent],
            of: window,
            unitBytes: stream.bytesPerPacket,
            unitFrames: stream.framesPerPacket,
            limit: (1 << 62) / Int64(stream.framesPerPacket)
        )
        let frames = units.count * Int64(stream.framesPerPacket)
        guard frames > 0 else { throw AudioFailure(.malformedMedia, "No audio was found in the file.") }
        var stream = stream
        stream.primingFrames = FrameCount(min(max(0, stream.primingFrames.value), frames))
        self.stream = stream
        validFrames = FrameCount(frames) - stream.primingFrames
        integrity = .unfinished(reason: reason)
    }

    var audioByteCount: Int64 { units.byteCount }

    func nextPacket() throws(AudioFailure) -> EncodedPacket? { try units.nextPacket() }

    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun? { units.nextRun() }

    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount {
        units.seek(toFrame: frame, preroll: preroll)
    }
}
