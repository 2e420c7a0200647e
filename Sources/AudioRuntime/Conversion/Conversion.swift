import AudioCore
import MediaContainers

/// Decodes a recording and encodes it anew, in bounded memory. The source is only read.
struct Conversion {
    var source: String
    var container: ContainerKind
    var encoding: EncodingRequest

    /// Writes the new file into an empty one and verifies it.
    func make(_ file: any StoredFile, in runtime: Runtime, _ progress: MediaJob.Progress) throws(AudioFailure)
        -> MediaJob.Result
    {
        let source = try open(in: runtime)
        defer { source.file.close() }
        let encoder = try runtime.media.makeEncoder(encoding)
        let frames = try ConvertedFrames(source.reader, to: encoder.input)
        let rates = Rates(source: source.reader.format.sampleRate, target: encoding.sampleRate)
        let writer = try runtime.media.makeWriter(
            container,
            stream: encoder.stream,
            file: UnorderedFile(file),
            options: WriterOptions(
                expectedFrames: source.reader.length.map { rates.scaled($0) },
                metadata: rates.scaled(source.reader.reader.metadata)
            )
        )
        let output = FrameWriter(encoder: encoder, writer: writer)
        let checkpoint = FrameCount(seconds: 1, sampleRate: encoding.sampleRate)
        var checkpointed: FrameCount = 0
        while try frames.next({ buffer throws(AudioFailure) in try output.write(buffer) }) {
            guard output.length - checkpointed >= checkpoint else { continue }
            try output.checkpoint(synchronize: false)
            checkpointed = output.length
            let length = source.reader.length?.value ?? 0
            try MediaJob.report(length > 0 ? Double(source.reader.position.value) / Double(length) : 0, to: progress)
        }
        try output.finish()
        guard output.length == rates.scaled(source.reader.position) else {
            throw AudioFailure(.internal, "The encoder took \(output.length.value) frames: it must be all.")
        }
        try verify(file, output, in: runtime)
        return MediaJob.Result(
            frames: output.length,
            sampleRate: encoding.sampleRate,
            damagedPackets: frames.damagedPackets
        )
    }

    private func open(in runtime: Runtime) throws(AudioFailure) -> (file: any StoredFile, reader: FrameReader) {
        let file = try runtime.files.open(source, .reading)
        do throws(AudioFailure) {
            // The lock is for looking only: others may read the file meanwhile.
            let probe = try runtime.files.open(source, .reading)
            defer { probe.close() }
            guard try probe.tryLock() else {
                throw AudioFailure(.busy, "'\(source)' is in use: it is still being recorded.", path: source)
            }
            return (file, try FrameReader(file, media: runtime.media, hint: FilePath.container(of: source)))
        } catch {
            file.close()
            var failure = error
            failure.path = source
            throw failure
        }
    }

    /// Opens the result as any other file and counts what is in it.
    private func verify(_ file: any StoredFile, _ output: FrameWriter, in runtime: Runtime) throws(AudioFailure) {
        let reader = try runtime.media.openReader(file, hint: container)
        let decoded = try PacketJoin.Content(of: reader).decoded
        guard reader.integrity == .complete, reader.validFrames == output.length,
            decoded >= output.length.value + reader.stream.primingFrames.value
        else {
            throw AudioFailure(.internal, "The converted file does not hold what was written; it was discarded.")
        }
    }
}

/// Positions of a recording at another rate.
private struct Rates {
    var source: Double
    var target: Double

    func scaled(_ frames: FrameCount) -> FrameCount {
        source == target ? frames : FrameCount(seconds: frames.seconds(at: source), sampleRate: target)
    }

    func scaled(_ metadata: MediaMetadata) -> MediaMetadata {
        var result = metadata
        result.markers = metadata.markers.map { marker in
            MediaMetadata.Marker(frame: scaled(marker.frame), name: marker.name)
        }
        result.gaps = metadata.gaps.map { gap in
            let (start, end) = (scaled(gap.start), scaled(gap.start + gap.length))
            return RecordingGap(start: start, length: end - start, reason: gap.reason)
        }
        return result
    }
}
