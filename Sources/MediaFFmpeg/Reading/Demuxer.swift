internal import AudioCore
internal import CFFmpeg

/// Owns one open input of libavformat and the stream of bytes below it.
final class Demuxer {
    let pointer: UnsafeMutablePointer<AVFormatContext>
    let bytes: SourceStream
    /// The stream that is read; all others are discarded.
    let stream: UnsafeMutablePointer<AVStream>

    /// Files of audio, by the names of their demuxers. Nothing that reads other files (playlists, image sequences), devices,
    /// text or pictures, nothing whose content could be anything (raw samples), and not VOC, of which libavformat loses four
    /// frames.
    private static let formats = """
        aac,ac3,aiff,amr,ape,asf,au,caf,dts,eac3,flac,ircam,loas,matroska,webm,mov,mp4,m4a,mp3,mpc,mpc8,ogg,oma,tak,tta,\
        w64,wav,wv,xwma
        """

    private static let openingTime = Duration.seconds(4)
    private static let readingTime = Duration.seconds(4)
    private static let probeBytes: Int64 = 1 << 20
    private static let mostStreams: Int32 = 64
    /// Content that is hardly like the format scores less: noise passes for an MP3 frame or two.
    private static let leastScore: Int32 = 5

    /// Nil where the content is not of a kind that is read.
    /// - Parameter known: has opened the same source before: its format needs no looking for.
    init?(_ source: any ByteSource, like known: Demuxer? = nil) throws(AudioFailure) {
        let bytes = try SourceStream(source)
        bytes.allow(Self.openingTime)
        guard let context = avformat_alloc_context() else {
            throw AudioFailure(.limitReached, "There is no memory for reading.")
        }
        context.pointee.pb = bytes.pointer
        context.pointee.flags |= AVFMT_FLAG_CUSTOM_IO
        context.pointee.probesize = Self.probeBytes
        context.pointee.max_streams = Self.mostStreams
        context.pointee.interrupt_callback.callback = { SourceStream.isOverdue($0) }
        context.pointee.interrupt_callback.opaque = Unmanaged.passUnretained(bytes).toOpaque()
        context.pointee.format_whitelist = av_strdup(Self.formats)
        context.pointee.codec_whitelist = av_strdup(AudioCodecs.decoderNames)
        kayit_forbid_nested_opens(context)

        // Frees the context where it fails.
        var opened: UnsafeMutablePointer<AVFormatContext>? = context
        let status = avformat_open_input(&opened, nil, known?.pointer.pointee.iformat, nil)
        guard status >= 0, let pointer = opened else {
            if let failure = bytes.failure { throw failure }
            if status == kayit_averror_exit() {
                throw AudioFailure(.limitReached, "Opening the file took longer than \(Self.openingTime).")
            }
            return nil
        }
        let isLikely = known != nil || pointer.pointee.probe_score >= Self.leastScore
        let found = isLikely ? Self.audioStream(of: pointer) : nil
        guard let found else {
            avformat_close_input(&opened)
            return nil
        }
        self.pointer = pointer
        self.bytes = bytes
        stream = found
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFormatContext>? = pointer
        avformat_close_input(&pointer)
    }

    private static func audioStream(
        of context: UnsafeMutablePointer<AVFormatContext>
    ) -> UnsafeMutablePointer<AVStream>? {
        // The parameters of some streams are known only after decoding a little. A failure shows in what is missing.
        _ = avformat_find_stream_info(context, nil)
        let index = av_find_best_stream(context, AVMEDIA_TYPE_AUDIO, -1, -1, nil, 0)
        guard index >= 0, index < context.pointee.nb_streams else { return nil }
        for other in 0..<Int(context.pointee.nb_streams) where other != Int(index) {
            context.pointee.streams[other]?.pointee.discard = AVDISCARD_ALL
        }
        return context.pointee.streams[Int(index)]
    }

    /// The next packet of the stream; false at the end.
    ///
    /// - Throws: `malformedMedia` where the container is damaged; `inputOutput` and the like from the source.
    func read(_ packet: Packet, within time: Duration? = Demuxer.readingTime) throws(AudioFailure) -> Bool {
        if let time { bytes.allow(time) }
        while true {
            packet.unreference()
            let status = av_read_frame(pointer, packet.pointer)
            if let failure = bytes.failure { throw failure }
            if status == kayit_averror_eof() { return false }
            guard status >= 0 else {
                throw libraryFailure(status, "The container cannot be read on", code: .malformedMedia)
            }
            if packet.pointer.pointee.stream_index == stream.pointee.index, packet.count > 0 { return true }
            if bytes.isOverdue {
                throw AudioFailure(.limitReached, "Finding the next packet of audio took too long.")
            }
        }
    }

    func seek(toByte position: Int64) -> Bool {
        bytes.allow(Self.readingTime)
        return avformat_seek_file(pointer, -1, position, position, position, AVSEEK_FLAG_BYTE) >= 0
    }

    /// - Parameter timestamp: in the stream's time base; the place found is there or before.
    func seek(toTimestamp timestamp: Int64) -> Bool {
        bytes.allow(Self.readingTime)
        return av_seek_frame(pointer, stream.pointee.index, timestamp, AVSEEK_FLAG_BACKWARD) >= 0
    }

    // MARK: What it is

    /// The first of the demuxer's names ("mov" for all of MOV, MP4 and M4A).
    var formatName: String {
        let names = pointer.pointee.iformat.map { String(cString: $0.pointee.name) } ?? "?"
        return names.split(separator: ",").first.map(String.init) ?? names
    }

    /// True where a position in the file is enough to go on reading from there: elementary streams.
    var isElementary: Bool { ["mp3", "aac", "ac3", "eac3", "dts", "loas"].contains(formatName) }

    var parameters: UnsafePointer<AVCodecParameters> { UnsafePointer(stream.pointee.codecpar) }

    /// `timestamp` in frames at `sampleRate`, nil for no timestamp; far-away values are clamped by the library.
    func frames(at timestamp: Int64, sampleRate: Int) -> Int64? {
        guard timestamp != kayit_nopts_value(), stream.pointee.time_base.num > 0, stream.pointee.time_base.den > 0
        else {
            return nil
        }
        let result = av_rescale_q(
            timestamp,
            stream.pointee.time_base,
            AVRational(num: 1, den: Int32(clamping: sampleRate))
        )
        return result == .min || abs(result) > 1 << 53 ? nil : result
    }
}
