/// One packet of a stream, or for linear PCM a run of frames.
package struct EncodedPacket: Sendable {
    package var bytes: [UInt8]
    /// Frames that the packet decodes to, before any trimming.
    package var frames: Int

    package init(bytes: [UInt8], frames: Int) {
        self.bytes = bytes
        self.frames = frames
    }
}

/// Turns frames into packets. One thread at a time.
package protocol PacketEncoder: AnyObject {
    /// The frames it takes.
    var input: PCMFormat { get }
    /// What it makes; complete (set-up bytes, priming) from the start.
    var stream: StreamDescription { get }

    /// Takes all frames of `buffer` and gives every packet that is complete.
    func encode(_ buffer: PCMBuffer, emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure)

    /// Gives what is still inside, padded with silence to whole packets. Nothing may be encoded after it.
    ///
    /// Total frames of all packets = `stream.primingFrames` + frames encoded + remainder, remainder ≥ 0.
    func finish(emit: (EncodedPacket) throws(AudioFailure) -> Void) throws(AudioFailure)

    /// What `finish` would give now, without ending anything: for encoders with variable state that cannot, nil. Lossless
    /// and fixed-size codecs whose open packet can be closed early answer with that packet.
    func partialPacket() throws(AudioFailure) -> EncodedPacket?
}

extension PacketEncoder {
    package func partialPacket() throws(AudioFailure) -> EncodedPacket? { nil }
}

/// Turns packets into frames. One thread at a time.
package protocol PacketDecoder: AnyObject {
    /// What it gives: interleaved, in the sample type that loses nothing.
    var output: PCMFormat { get }

    /// Decodes one packet and gives buffers of frames; a decoder may hold some back until the next packet.
    /// - Throws: `malformedMedia` for a damaged packet. Decoding can go on with the next one.
    func decode(_ packet: EncodedPacket, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure)

    /// Gives what the decoder holds back.
    func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure)

    /// Forgets all state, before packets from another place follow.
    func reset()

    /// Packets that must be decoded and thrown away before a packet for that packet to come out right (AAC 1, Opus 4, IMA4
    /// and PCM 0).
    var prerollPackets: Int { get }
}

/// Who made a file, what it is called, places in it, and what is missing.
package struct MediaMetadata: Sendable, Hashable {
    package struct Marker: Sendable, Hashable {
        package var frame: FrameCount
        package var name: String
        package init(frame: FrameCount, name: String) {
            self.frame = frame
            self.name = name
        }
    }

    /// A place in a series: track 3 of 12.
    package struct Numbering: Sendable, Hashable {
        /// From 1 on.
        package var number: Int
        package var total: Int?
        package init(number: Int, total: Int? = nil) {
            self.number = number
            self.total = total
        }
    }

    /// A picture of the recording, as it stands in the file.
    package struct Artwork: Sendable, Hashable {
        /// "image/jpeg" or "image/png".
        package var mediaType: String
        package var bytes: [UInt8]
        package init(mediaType: String, bytes: [UInt8]) {
            self.mediaType = mediaType
            self.bytes = bytes
        }
    }

    package var title: String?
    package var artist: String?
    package var album: String?
    package var albumArtist: String?
    package var composer: String?
    package var genre: String?
    package var comment: String?
    package var copyright: String?
    package var lyrics: String?
    /// As the file says it: a year, or a date of ISO 8601.
    package var date: String?
    package var encoder: String?
    package var track: Numbering?
    package var disc: Numbering?
    package var artwork: Artwork?
    /// Where named sections begin, in the order of time: what players show as a table of contents.
    package var chapters: [Marker] = []
    /// In the order of time.
    package var markers: [Marker] = []
    /// Frames that were not captured and are silence, in the order of time.
    package var gaps: [RecordingGap] = []
    /// Markers and gaps that found no room in the file.
    package var omittedNotes = 0

    package init() {}

    /// Markers and gaps together, in the order of time.
    package var notes: [RecordingNote] {
        let all = gaps.map { RecordingNote.gap($0) } + markers.map { RecordingNote.marker($0) }
        return all.sorted { $0.frame < $1.frame }
    }

    package mutating func append(_ note: RecordingNote) {
        switch note {
        case .marker(let marker): markers.append(marker)
        case .gap(let gap): gaps.append(gap)
        }
    }
}

/// Writes packets into a file that is complete and playable after every checkpoint. One thread at a time.
///
/// For implementations: boxes never move or shrink while recording. Order at a checkpoint: append packets, write their
/// table entries, synchronise, rewrite the page with the counts, synchronise.
package protocol ContainerWriter: AnyObject {
    /// Packets in the order of time. May only buffer; `checkpoint` makes them part of the file.
    func append(_ packet: EncodedPacket) throws(AudioFailure)

    /// Becomes part of the file with the next checkpoint, also where no packet was appended. Bounded room: what finds none
    /// is counted in the file, never an error.
    /// - Parameter note: with its frame counted from the first frame of this file, priming taken off.
    func note(_ note: RecordingNote) throws(AudioFailure)

    /// Makes everything appended so far part of a playable file, as it lies there.
    /// - Parameter synchronize: also wait until the disk has it, so that a power cut loses nothing before this moment.
    func checkpoint(synchronize: Bool) throws(AudioFailure)

    /// Writes what a finished file has more than a checkpoint: the exact number of valid frames (so the remainder of the
    /// last packet is known), no slack beyond 1 % + 64 KiB (in an M4A whose table has just
    /// been moved, that table's size more). Takes no longer for a long recording. Synchronises. The file stays open.
    func finish(validFrames: FrameCount) throws(AudioFailure)

    /// Takes back every packet since the last checkpoint, as if it had never been appended: after a failure the file can so
    /// be finished with `checkpointedFrames`. Writes nothing.
    func abandonPending()

    /// Frames of the recording (priming taken off) that the last checkpoint made readable.
    var checkpointedFrames: FrameCount { get }
}

extension ContainerWriter {
    /// Completes the file with what `PacketEncoder.finish` gave.
    ///
    /// Those packets hold the encoder's padding. They become part of the file only here, together with the exact length: a
    /// checkpoint between would state the padding as sound.
    /// - Parameter last: the packets that were not yet appended; after a failure, those that still are not.
    package func finish(appending last: inout [EncodedPacket], validFrames: FrameCount) throws(AudioFailure) {
        while let packet = last.first {
            try append(packet)
            last.removeFirst()
        }
        try finish(validFrames: validFrames)
    }
}

/// What is known of a writer before it starts.
package struct WriterOptions: Sendable {
    /// How long the recording will be, where that is known; sizes tables. Longer recordings must work all the same.
    package var expectedFrames: FrameCount?
    package var metadata: MediaMetadata
    /// Bytes kept free for notes to come, beside those of `metadata`. A writer may take less where its form has less room.
    package var noteRoom: Int
    /// Bytes that the file can have in all, where that is little: what lies in front of the audio is then made as small as
    /// it can be.
    package var scarceRoom: Int64?

    /// For recordings: several hundred notes, within what a finished file may carry.
    package static let recordingNoteRoom = 24 << 10

    package init(
        expectedFrames: FrameCount? = nil,
        metadata: MediaMetadata = MediaMetadata(),
        noteRoom: Int = 0,
        scarceRoom: Int64? = nil
    ) {
        self.expectedFrames = expectedFrames
        self.metadata = metadata
        self.noteRoom = noteRoom
        self.scarceRoom = scarceRoom
    }
}

/// How sure a reader is that a file was finished.
package enum MediaIntegrity: Sendable, Hashable {
    case complete
    /// The header was never finished, or the file is cut: what can be read is read.
    case unfinished(reason: String)
}

/// Reads packets from a file. One thread at a time.
///
/// For implementations: every length in the file is checked against the file before it is used or allocated.
package protocol ContainerReader: AnyObject {
    var container: ContainerKind { get }
    var stream: StreamDescription { get }
    /// Frames of the recording, priming and remainder taken off; nil where only reading everything would tell.
    var validFrames: FrameCount? { get }
    var integrity: MediaIntegrity { get }
    var metadata: MediaMetadata { get }
    /// Bytes of encoded audio, 0 where unknown.
    var audioByteCount: Int64 { get }

    /// The next packet, nil at the end.
    func nextPacket() throws(AudioFailure) -> EncodedPacket?

    /// Moves so that the next packet is the one that holds decoded frame `frame` (counted with priming: frame 0 is the
    /// first that the decoder puts out), or an earlier one by `preroll` packets where there are that many.
    /// - Returns: the decoded frame, counted likewise, at which the next packet starts.
    func seek(toDecodedFrame frame: FrameCount, preroll: Int) throws(AudioFailure) -> FrameCount
}

/// Packets that lie one behind the other in a file, so that they can be copied without being looked at.
package struct PacketRun: Sendable {
    /// Where the first starts in the reader's source.
    package var offset: Int64
    package var byteCount: Int64
    package var packets: Int64
    /// Bytes of each packet; empty where all have the same.
    package var sizes: [UInt32]
    /// Decoded frames of all packets.
    package var frames: Int64
    /// Decoded frames of the last, which may have fewer than the others.
    package var lastPacketFrames: Int64

    package init(
        offset: Int64,
        byteCount: Int64,
        packets: Int64,
        sizes: [UInt32] = [],
        frames: Int64,
        lastPacketFrames: Int64
    ) {
        self.offset = offset
        self.byteCount = byteCount
        self.packets = packets
        self.sizes = sizes
        self.frames = frames
        self.lastPacketFrames = lastPacketFrames
    }
}

/// A reader that knows where packets lie without reading them.
package protocol PacketRunReader: ContainerReader {
    /// The next packets, from the same position on as `nextPacket`, as far as they lie together; nil where the next one
    /// can only be had from `nextPacket`, and at the end.
    /// - Parameter limit: packets of differing size at most.
    func nextRun(atMost limit: Int) throws(AudioFailure) -> PacketRun?
}

/// A writer that takes packets from where they lie in another file.
package protocol PacketRunWriter: ContainerWriter {
    /// As `append(_:)` for every packet of `run`.
    /// - Parameter source: the file whose reader gave `run`.
    func append(_ run: PacketRun, from source: any StoredFile) throws(AudioFailure)
}

/// What an encoder is asked to make.
package struct EncodingRequest: Sendable {
    package enum Codec: Sendable, Hashable {
        case linearPCM(LinearPCMLayout)
        case aac, alac, ima4, flac, opus, muLaw, aLaw
    }

    package var codec: Codec
    package var sampleRate: Double
    package var channelCount: Int
    /// Bits per second over all channels; nil lets the encoder choose by `quality`.
    package var bitRate: Int?
    /// 0 (lowest) … 1 (best), meaningful where there is a choice.
    package var quality: Double
    /// Source bits for lossless codecs: 16, 20, 24 or 32.
    package var bitDepth: Int

    package init(
        codec: Codec,
        sampleRate: Double,
        channelCount: Int,
        bitRate: Int? = nil,
        quality: Double = 0.75,
        bitDepth: Int = 16
    ) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channelCount = channelCount
        self.bitRate = bitRate
        self.quality = quality
        self.bitDepth = bitDepth
    }
}

/// Encoders, decoders, writers and readers of one adapter. The runtime asks them in a fixed order.
package protocol MediaProvider: Sendable {
    var name: String { get }

    /// Nil where this adapter does not make the codec at all; an error where it does, but not with these values (the
    /// message names the value and what is allowed).
    func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> (any PacketEncoder)?

    /// Nil where this adapter does not know the codec.
    func makeDecoder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketDecoder)?

    /// Nil where this adapter does not write the container; `unsupported` where the container cannot hold the stream.
    func makeWriter(
        _ container: ContainerKind,
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions
    ) throws(AudioFailure) -> (any ContainerWriter)?

    /// Nil where the content is not of a kind this adapter reads; `malformedMedia` where it is, but damaged beyond use.
    /// - Parameter hint: what the caller believes it is, used only where content does not tell.
    func openReader(_ source: any ByteSource, hint: ContainerKind?) throws(AudioFailure) -> (any ContainerReader)?

    /// Nil where this adapter cannot find packets of the codec.
    func makePacketFinder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketFinder)?
}

extension MediaProvider {
    package func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> (any PacketEncoder)? { nil }
    package func makeDecoder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketDecoder)? { nil }
    package func makeWriter(
        _ container: ContainerKind,
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions
    ) throws(AudioFailure) -> (any ContainerWriter)? { nil }
    package func openReader(_ source: any ByteSource, hint: ContainerKind?) throws(AudioFailure)
        -> (any ContainerReader)?
    { nil }
}

/// Changes the rate of interleaved 32-bit float frames. One thread at a time.
package protocol Resampler: AnyObject {
    /// Takes all frames of `buffer` (at the input rate) and gives what is ready at the output rate.
    func process(_ buffer: PCMBuffer, emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure)
    /// Gives what is held back, so that the total is input frames × output rate ÷ input rate, rounded to nearest.
    func finish(emit: (PCMBuffer) throws(AudioFailure) -> Void) throws(AudioFailure)
}
