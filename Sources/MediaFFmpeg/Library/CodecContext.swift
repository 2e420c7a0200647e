internal import AudioCore
internal import CFFmpeg

/// Owns one open encoder or decoder of libavcodec.
final class CodecContext {
    let pointer: UnsafeMutablePointer<AVCodecContext>

    init(_ codec: UnsafePointer<AVCodec>) throws(AudioFailure) {
        guard let pointer = avcodec_alloc_context3(codec) else {
            throw AudioFailure(.limitReached, "There is no memory for a codec.")
        }
        self.pointer = pointer
        // One thread at a time is the contract, and packets must come out as soon as they are complete.
        pointer.pointee.thread_count = 1
    }

    deinit {
        var pointer: UnsafeMutablePointer<AVCodecContext>? = pointer
        avcodec_free_context(&pointer)
    }

    /// Sets an option of the codec itself, by its name in libavcodec.
    func setOption(_ name: String, to value: String) throws(AudioFailure) {
        let status = av_opt_set(pointer, name, value, AV_OPT_SEARCH_CHILDREN)
        guard status >= 0 else { throw libraryFailure(status, "The codec option \(name)=\(value) was refused") }
    }

    /// Copies set-up bytes, with the zeros behind them that libavcodec's bit readers may touch.
    func setExtradata(_ bytes: [UInt8]) throws(AudioFailure) {
        guard !bytes.isEmpty else { return }
        guard let memory = av_mallocz(bytes.count + Int(AV_INPUT_BUFFER_PADDING_SIZE)) else {
            throw AudioFailure(.limitReached, "There is no memory for the set-up of a codec.")
        }
        memory.copyMemory(from: bytes, byteCount: bytes.count)
        pointer.pointee.extradata = memory.assumingMemoryBound(to: UInt8.self)
        pointer.pointee.extradata_size = Int32(bytes.count)
    }

    var extradata: [UInt8] {
        guard let start = pointer.pointee.extradata else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(max(0, pointer.pointee.extradata_size))))
    }

    func open() throws(AudioFailure) {
        let status = avcodec_open2(pointer, nil, nil)
        guard status >= 0 else {
            let name = pointer.pointee.codec.map { String(cString: $0.pointee.name) } ?? "?"
            throw libraryFailure(status, "The codec \(name) could not be opened", code: .unsupported)
        }
    }

    /// - Parameter frame: nil ends the stream.
    func send(_ frame: AudioFrame?) -> Int32 { avcodec_send_frame(pointer, frame?.pointer) }

    /// - Parameter packet: nil ends the stream.
    func send(_ packet: Packet?) -> Int32 { avcodec_send_packet(pointer, packet?.pointer) }

    func receive(_ frame: AudioFrame) -> Int32 { avcodec_receive_frame(pointer, frame.pointer) }

    func receive(_ packet: Packet) -> Int32 { avcodec_receive_packet(pointer, packet.pointer) }

    func flush() { avcodec_flush_buffers(pointer) }
}

/// True where `status` says that there is nothing more for now, or at all.
func isDrained(_ status: Int32) -> Bool { status == kayit_averror(EAGAIN) || status == kayit_averror_eof() }
