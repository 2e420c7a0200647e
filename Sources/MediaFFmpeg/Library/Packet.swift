internal import AudioCore
internal import CFFmpeg

/// Owns one packet of libavcodec, used again and again.
final class Packet {
    let pointer: UnsafeMutablePointer<AVPacket>

    init() throws(AudioFailure) {
        guard let pointer = av_packet_alloc() else {
            throw AudioFailure(.limitReached, "There is no memory for a packet.")
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVPacket>? = pointer
        av_packet_free(&pointer)
    }

    func unreference() { av_packet_unref(pointer) }

    var count: Int { Int(max(0, pointer.pointee.size)) }

    var bytes: [UInt8] { withBytes { Array($0) } }

    func withBytes<Result>(_ body: (UnsafeBufferPointer<UInt8>) -> Result) -> Result {
        body(UnsafeBufferPointer(start: pointer.pointee.data, count: pointer.pointee.data == nil ? 0 : count))
    }

    /// Takes a copy of `bytes`, with the zeros behind them that bit readers may touch.
    func fill(_ bytes: [UInt8]) throws(AudioFailure) {
        unreference()
        guard let size = Int32(exactly: bytes.count) else {
            throw AudioFailure(.malformedMedia, "A packet of \(bytes.count) bytes is too large.")
        }
        let status = av_new_packet(pointer, size)
        guard status >= 0 else { throw libraryFailure(status, "No room for a packet of \(size) bytes") }
        if size > 0 { UnsafeMutableRawPointer(pointer.pointee.data).copyMemory(from: bytes, byteCount: bytes.count) }
    }

    /// Frames that the container wants cut off at the start and at the end of what this packet decodes to.
    var skip: (start: Int64, end: Int64) {
        var size = 0
        guard let data = av_packet_get_side_data(pointer, AV_PKT_DATA_SKIP_SAMPLES, &size), size >= 8 else {
            return (0, 0)
        }
        func value(at offset: Int) -> Int64 {
            (0..<4).reduce(0 as Int64) { $0 | Int64(data[offset + $1]) << (8 * $1) }
        }
        return (value(at: 0), value(at: 4))
    }
}

/// Owns one frame of samples of libavutil, used again and again.
final class AudioFrame {
    let pointer: UnsafeMutablePointer<AVFrame>

    init() throws(AudioFailure) {
        guard let pointer = av_frame_alloc() else {
            throw AudioFailure(.limitReached, "There is no memory for a frame.")
        }
        self.pointer = pointer
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVFrame>? = pointer
        av_frame_free(&pointer)
    }

    func unreference() { av_frame_unref(pointer) }

    var frameCount: Int { Int(max(0, pointer.pointee.nb_samples)) }

    var channelCount: Int { Int(max(0, pointer.pointee.ch_layout.nb_channels)) }

    /// Bytes of the packet from which the decoder began to read this frame; of one that holds several, those that were
    /// left of it then.
    var remainingBytes: Int { Int(max(0, pointer.pointee.pkt_size)) }

    var sampleFormat: AVSampleFormat { AVSampleFormat(rawValue: pointer.pointee.format) }

    /// Makes room for `capacity` frames in the format that `context` takes.
    func allocate(capacity: Int, for context: CodecContext) throws(AudioFailure) {
        pointer.pointee.nb_samples = Int32(clamping: capacity)
        pointer.pointee.format = context.pointer.pointee.sample_fmt.rawValue
        pointer.pointee.sample_rate = context.pointer.pointee.sample_rate
        var status = av_channel_layout_copy(&pointer.pointee.ch_layout, &context.pointer.pointee.ch_layout)
        if status >= 0 { status = av_frame_get_buffer(pointer, 0) }
        guard status >= 0 else { throw libraryFailure(status, "No room for \(capacity) frames of audio") }
    }

    func makeWritable() throws(AudioFailure) {
        let status = av_frame_make_writable(pointer)
        guard status >= 0 else { throw libraryFailure(status, "No room for a frame of audio") }
    }
}
