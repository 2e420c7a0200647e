internal import AudioCore
internal import CFFmpeg

/// Where the packets of a file are and how many frames they hold, from one reading of all of it.
struct PacketIndex {
    /// A packet from which reading can go on: the first of those that the container gives the same position (an Ogg page, a
    /// Matroska block). Timestamps do not tell packets apart: behind a jump libavformat guesses them.
    struct Checkpoint {
        /// Packets before it.
        var ordinal: Int
        /// Frames before what a decoder gives that starts here.
        var frame: Int64
        var timestamp: Int64
        /// In the file.
        var position: Int64
    }

    private(set) var checkpoints: [Checkpoint] = []
    private(set) var packetCount = 0
    private(set) var byteCount: Int64 = 0
    private(set) var totalFrames: Int64 = 0
    /// Frames that the container wants cut off at the end.
    private(set) var endSkip: Int64 = 0
    /// Why the reading did not get to the end of the audio, where it did not.
    private(set) var damage: String?

    private var spacing = 8
    private var lastPosition: Int64 = -1
    private static let mostCheckpoints = 1 << 17

    /// Reads all of `demuxer`, which must be at its start.
    /// - Throws: `limitReached` where it takes too long; `inputOutput` and the like from the source.
    init(scanning demuxer: Demuxer, _ stream: ForeignStream, counter: FrameCounter, within time: Duration)
        throws(AudioFailure)
    {
        let packet = try Packet()
        let sampleRate = Int(stream.description.sampleRate)
        demuxer.bytes.allow(time)
        // The first timestamp, from which frames are counted where nothing but timestamps counts them.
        var origin: Int64?
        while true {
            do throws(AudioFailure) {
                guard try demuxer.read(packet, within: nil) else { break }
            } catch  where error.code == .malformedMedia {
                damage = error.message
                break
            }
            let lost = counter.framesLost(startingAt: packet)
            let frames = Int64(counter.frames(of: packet))
            if case .timestamps = stream.counting,
                let time = demuxer.frames(at: packet.pointer.pointee.pts, sampleRate: sampleRate)
            {
                let start = origin ?? time
                origin = start
                totalFrames = max(totalFrames, time - start)
            }
            note(packet, lost: min(Int64(lost), packetCount == 0 ? 0 : frames), demuxer: demuxer)
            // What a container says must not overflow a count: 2^53 frames are thousands of years.
            totalFrames = min(totalFrames + frames, 1 << 53)
            byteCount += Int64(packet.count)
            packetCount += 1
            endSkip += packet.skip.end
            if packet.pointer.pointee.flags & AV_PKT_FLAG_CORRUPT != 0 { damage = "The file ends inside a packet." }
        }
    }

    /// - Parameter lost: frames of the packet that a decoder does not give where it starts here.
    private mutating func note(_ packet: Packet, lost: Int64, demuxer: Demuxer) {
        let raw = packet.pointer.pointee
        let isRunStart = raw.pos >= 0 && raw.pos != lastPosition
        lastPosition = raw.pos
        if let last = checkpoints.last, packetCount - last.ordinal < spacing { return }
        guard isRunStart, demuxer.isElementary || raw.pts != kayit_nopts_value() else { return }
        checkpoints.append(
            Checkpoint(
                ordinal: packetCount,
                frame: totalFrames + lost,
                timestamp: raw.pts,
                position: raw.pos
            )
        )
        if checkpoints.count >= Self.mostCheckpoints {
            checkpoints = checkpoints.enumerated().filter { $0.offset.isMultiple(of: 2) }.map(\.element)
            spacing *= 2
        }
    }

    /// The last checkpoint from which `frame` comes out right when `preroll` packets before it are decoded too; nil where
    /// that is the start of the file.
    func checkpoint(before frame: Int64, preroll: Int) -> Checkpoint? {
        guard let holding = last(where: { $0.frame <= frame }) else { return nil }
        let ordinal = checkpoints[holding].ordinal - max(0, preroll)
        return last(where: { $0.ordinal <= ordinal }).map { checkpoints[$0] }
    }

    /// The checkpoint that the first packet at `position` is, where it is one.
    func checkpoint(atPosition position: Int64) -> Checkpoint? {
        guard position >= 0, let index = last(where: { $0.position <= position }) else { return nil }
        return checkpoints[index].position == position ? checkpoints[index] : nil
    }

    /// The last checkpoint for which `condition` holds, where it holds for none behind one for which it does not.
    private func last(where condition: (Checkpoint) -> Bool) -> Int? {
        var low = 0
        var high = checkpoints.count
        while low < high {
            let middle = (low + high) / 2
            if condition(checkpoints[middle]) { low = middle + 1 } else { high = middle }
        }
        return low > 0 ? low - 1 : nil
    }
}
