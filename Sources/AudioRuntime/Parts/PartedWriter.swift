package import AudioCore
import MediaContainers

/// Writes the packets of one encoder into files that follow each other: parts, each a complete file by itself.
///
/// The encoder runs on while parts change, always between two packets, so that no frame is lost or added: the sum of the
/// parts is the recording, and `RecordingJoin` gives the file that a single writer would have written. A part of a codec
/// whose packets depend on those before begins with a lead-in, the last packets of the part before, and its priming trims
/// exactly these: so it plays by itself. A part is finished and on the disk before the next one is begun.
package final class PartedWriter: ContainerWriter {
    /// How a recording is cut.
    package struct Plan: Sendable {
        package var container: ContainerKind
        /// The least frames in a part; it ends with the packet in which they are reached.
        package var length: FrameCount
        package var options: WriterOptions

        package init(container: ContainerKind, length: FrameCount, options: WriterOptions = WriterOptions()) {
            self.container = container
            self.length = length
            self.options = options
        }
    }

    /// Where parts go. Called by whoever calls the writer.
    package protocol Place {
        /// Makes the empty file of the part with this number, from 1 on, with its lock: who would join or repair it sees that
        /// it is alive. The writer closes it.
        /// - Parameter start: frames of all parts before.
        func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile

        /// The part can be found after a power cut: its file is complete and on the disk, without frames yet.
        func partIsReady(_ number: Int) throws(AudioFailure)

        /// The part could not be begun, and holds nothing.
        func partFailed(_ number: Int)

        /// The part is finished and on the disk.
        func partIsFinished(_ number: Int, frames: FrameCount)

        /// A part that another place has begun is left; here the next ones follow. The file is still open.
        func takeOver(_ file: any StoredFile) throws(AudioFailure)

        /// No part will follow.
        /// - Parameter frames: of all parts.
        func recordingIsFinished(frames: FrameCount)
    }

    private struct Part {
        var file: any StoredFile
        var writer: any ContainerWriter
        var priming: Int64
        /// Decoded frames of all packets, the lead-in among them.
        var decoded: Int64
        /// FLAC frames carry their number: in each part they are counted from its start.
        var renumbering: FLACRenumbering?
        /// The last packets of the recording, enough for a lead-in of the next part.
        var recent: [EncodedPacket]

        var frames: Int64 { max(decoded - priming, 0) }

        mutating func remember(_ packet: EncodedPacket, _ leadInFrames: Int64) {
            recent.append(packet)
            var frames = recent.reduce(Int64(0)) { $0 + Int64($1.frames) }
            while let first = recent.first, frames - Int64(first.frames) >= leadInFrames {
                frames -= Int64(first.frames)
                recent.removeFirst()
            }
        }
    }

    private let plan: Plan
    private let stream: StreamDescription
    private let media: MediaRegistry
    private var place: any Place
    private let length: Int64
    /// Frames that the next part repeats.
    private let leadInFrames: Int64
    /// Packets that no checkpoint has asked for yet. Only a checkpoint may change parts: what an encoder gives at its very
    /// end is padding in part, and a part of its own for it would have stated the padding before as sound.
    private var pending: [EncodedPacket] = []
    private var notes: PartNotes
    /// Nil after a part was finished and the next one could not be begun.
    private var part: Part?
    /// The part as the last checkpoint left it.
    private var committedPart: Part?
    /// The end of the last finished part, for the lead-in of the next.
    private var recent: [EncodedPacket] = []
    /// What of the encoder's priming a part that was left early had not trimmed off.
    private var owedPriming: Int64 = 0
    /// The part that is open is finished, as far as its disk takes that, and only waits for another place.
    private var isLeft = false
    /// Packets of the part since it was committed.
    private var uncommitted = 0
    /// Packets since the last checkpoint that a change of parts has committed. Who takes back what no checkpoint has
    /// confirmed and appends it again gives these again.
    private var committedAhead = 0
    /// How many of those given again are still to come.
    private var repeated = 0
    private var partNumber = 0
    /// Frames of the parts that are finished.
    private var finishedFrames: Int64 = 0

    /// Begins the first part.
    /// - Parameter stream: of the encoder, with its own priming.
    package init(
        _ plan: Plan,
        stream: StreamDescription,
        media: MediaRegistry,
        place: any Place
    ) throws(AudioFailure) {
        self.plan = plan
        self.stream = stream
        self.media = media
        self.place = place
        length = max(plan.length.value, 1)
        notes = PartNotes(partLength: length)
        leadInFrames = Self.leadInFrames(stream)
        part = try begin(stream, leadIn: [])
        committedPart = part
    }

    deinit { part?.file.close() }

    /// Parts begun so far.
    package var partCount: Int { partNumber }

    package var checkpointedFrames: FrameCount {
        FrameCount(finishedFrames) + (part?.writer.checkpointedFrames ?? 0)
    }

    package func append(_ packet: EncodedPacket) throws(AudioFailure) {
        if repeated > 0 { repeated -= 1 } else { pending.append(packet) }
    }

    package func note(_ note: RecordingNote) throws(AudioFailure) { notes.add(note) }

    package func checkpoint(synchronize: Bool) throws(AudioFailure) {
        try flush(changesParts: true)
        if let part {
            try notes.deliver(upTo: part.frames, to: part.writer)
            try part.writer.checkpoint(synchronize: synchronize)
        }
        commit()
        // Those that were committed before and not given again yet.
        committedAhead = repeated
    }

    package func abandonPending() {
        part?.writer.abandonPending()
        if part != nil { part = committedPart }
        pending = []
        uncommitted = 0
        repeated = committedAhead
    }

    /// - Parameter validFrames: of the whole recording.
    package func finish(validFrames: FrameCount) throws(AudioFailure) {
        if part == nil, !pending.isEmpty {
            part = try begin(continued(), leadIn: recent)
            committedPart = part
        }
        try flush(changesParts: false)
        if let part {
            try notes.deliver(upTo: .max, to: part.writer)
            try complete(part, frames: max(validFrames - FrameCount(finishedFrames), 0))
        }
        place.recordingIsFinished(frames: FrameCount(finishedFrames))
    }

    /// Leaves the part as its last checkpoint has it, finished where its disk takes that, and goes on in another place with
    /// the next one. Packets that no checkpoint has are to be appended again. Where that place fails, it can be called again
    /// with another.
    package func moveOn(to next: any Place) throws(AudioFailure) {
        if let part = leave() {
            try next.takeOver(part.file)
            part.file.close()
            owedPriming = max(part.priming - part.decoded, 0)
            recent = part.recent
            self.part = nil
            isLeft = false
            let frames = part.writer.checkpointedFrames
            finishedFrames += frames.value
            notes.partEnded(frames: frames.value)
        }
        place = next
        part = try begin(continued(), leadIn: recent)
        commit()
    }

    /// The open part, with its last checkpoint as its end.
    private func leave() -> Part? {
        if isLeft { return part }
        abandonPending()
        guard let part else { return nil }
        isLeft = true
        let frames = part.writer.checkpointedFrames
        do throws(AudioFailure) {
            try notes.deliverAll(within: frames.value, to: part.writer)
            try part.writer.finish(validFrames: frames)
            place.partIsFinished(partNumber, frames: frames)
        } catch {
            RuntimeLog.note("A part could not be completed", error)
        }
        return part
    }

    // MARK: Parts

    /// Gives what is pending to the part that it belongs to. Where something fails, the next call goes on from there.
    private func flush(changesParts: Bool) throws(AudioFailure) {
        var written = 0
        defer { pending.removeFirst(written) }
        while written < pending.count {
            if changesParts, part.map({ $0.frames >= length }) ?? true { try change() }
            guard var part else { return }
            let packet = pending[written]
            try part.writer.append(try part.renumbering?.next(packet, of: part.file.path) ?? packet)
            part.decoded += Int64(packet.frames)
            if leadInFrames > 0 { part.remember(packet, leadInFrames) }
            self.part = part
            uncommitted += 1
            written += 1
        }
    }

    private func commit() {
        committedPart = part
        uncommitted = 0
    }

    /// Finishes the part and begins the next one. Where either fails, the next call tries it again.
    private func change() throws(AudioFailure) {
        if let part {
            try notes.deliverAll(within: part.frames, to: part.writer)
            try part.writer.checkpoint(synchronize: false)
            committedAhead += uncommitted
            commit()
            try complete(part, frames: FrameCount(part.frames))
        }
        part = try begin(continued(), leadIn: recent)
        commit()
    }

    private func complete(_ part: Part, frames: FrameCount) throws(AudioFailure) {
        try part.writer.finish(validFrames: frames)
        part.file.close()
        recent = part.recent
        self.part = nil
        finishedFrames += frames.value
        notes.partEnded(frames: frames.value)
        place.partIsFinished(partNumber, frames: frames)
    }

    /// The stream of a part that is not the first.
    private func continued() -> StreamDescription {
        var next = stream
        next.primingFrames = FrameCount(recent.reduce(owedPriming) { $0 + Int64($1.frames) })
        if stream.codec == .opus { next.setPreSkip() }
        return next
    }

    private func begin(_ stream: StreamDescription, leadIn: [EncodedPacket]) throws(AudioFailure) -> Part {
        let file = try place.makePart(partNumber + 1, start: FrameCount(finishedFrames))
        partNumber += 1
        do throws(AudioFailure) {
            let renumbering = stream.codec == .flac ? try FLACRenumbering(stream) : nil
            var options = plan.options
            // Packets that end behind the length, and what the encoder gives at its end.
            let room = length.addingReportingOverflow(
                stream.primingFrames.value + 4 * Int64(max(stream.framesPerPacket, 1))
            )
            if !room.overflow { options.expectedFrames = FrameCount(room.partialValue) }
            let writer = try media.makeWriter(plan.container, stream: stream, file: file, options: options)
            for packet in leadIn { try writer.append(packet) }
            try writer.checkpoint(synchronize: true)
            try place.partIsReady(partNumber)
            return Part(
                file: file,
                writer: writer,
                priming: stream.primingFrames.value,
                decoded: leadIn.reduce(0) { $0 + Int64($1.frames) },
                renumbering: renumbering,
                recent: leadIn
            )
        } catch {
            file.close()
            place.partFailed(partNumber)
            partNumber -= 1
            throw error
        }
    }

    /// What a decoder needs before it gives what it would have given without a break. AAC overlaps with the packet before.
    /// Opus converges: after 160 ms the difference is 72 dB down. IMA4 states its predictor in each packet.
    private static func leadInFrames(_ stream: StreamDescription) -> Int64 {
        switch stream.codec {
        case .aac: Int64(stream.framesPerPacket)
        case .opus: FrameCount(seconds: 0.16, sampleRate: stream.sampleRate).value
        case .linearPCM, .alac, .flac, .ima4, .muLaw, .aLaw, .foreign: 0
        }
    }
}

extension PartedWriter.Place {
    /// Most places are the only ones.
    package func takeOver(_ file: any StoredFile) throws(AudioFailure) {}
}

extension StreamDescription {
    /// Puts the priming into an `OpusHead` packet, which counts it at 48 kHz (RFC 7845, 5.1).
    fileprivate mutating func setPreSkip() {
        guard configuration.count >= 12 else { return }
        let frames = UInt16(clamping: Int64((Double(primingFrames.value) * 48_000 / sampleRate).rounded()))
        configuration[10] = UInt8(frames & 0xFF)
        configuration[11] = UInt8(frames >> 8)
    }
}
