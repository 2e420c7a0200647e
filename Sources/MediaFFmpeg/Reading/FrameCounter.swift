internal import AudioCore
internal import CFFmpeg

/// How many frames the decoder will put out for a packet, without decoding it.
final class FrameCounter {
    enum Method {
        /// Every packet alike.
        case constant(Int)
        case opus, flac
        case vorbis(VorbisParser)
        /// By the size of the packet: PCM and ADPCM.
        case size
        /// Frames of this length; the packet says how many.
        case windowsMedia(Int)
        /// By what the container says; where nothing better is known.
        case timestamps
    }

    let method: Method
    private let demuxer: Demuxer
    private let sampleRate: Int
    private var isFirst = true

    init(_ method: Method, demuxer: Demuxer, sampleRate: Int) {
        self.method = method
        self.demuxer = demuxer
        self.sampleRate = sampleRate
    }

    /// To be called where the decoder is reset.
    func reset() {
        isFirst = true
        if case .vorbis(let parser) = method { parser.reset() }
    }

    /// Packets must come in their order. 0 for damaged ones.
    func frames(of packet: Packet) -> Int {
        let lost = isFirst ? framesLost(startingAt: packet) : 0
        isFirst = false
        return max(0, framesGoingOn(with: packet) - lost)
    }

    /// What a decoder that starts with this packet gives less than one that has decoded the packet before.
    func framesLost(startingAt packet: Packet) -> Int {
        switch method {
        // Two packets overlap: the first one only fills the decoder.
        case .vorbis: .max
        // The first frame began in the packet before.
        case .windowsMedia(let length): length
        default: 0
        }
    }

    private func framesGoingOn(with packet: Packet) -> Int {
        switch method {
        case .constant(let frames): return frames
        case .opus: return packet.withBytes(Self.opusFrames)
        case .flac: return packet.withBytes(Self.flacFrames)
        case .vorbis(let parser): return parser.frames(of: packet)
        case .windowsMedia(let length): return packet.withBytes { Int(($0.first ?? 0) & 15) * length }
        case .size:
            // The library's parameters do not change, its signature only forgot to say so.
            let frames = av_get_audio_frame_duration2(demuxer.stream.pointee.codecpar, Int32(clamping: packet.count))
            return Int(max(0, frames))
        case .timestamps:
            return Int(
                clamping: max(0, demuxer.frames(at: packet.pointer.pointee.duration, sampleRate: sampleRate) ?? 0)
            )
        }
    }

    /// RFC 6716, 3.1: configuration and number of frames, at 48 kHz.
    static func opusFrames(_ packet: UnsafeBufferPointer<UInt8>) -> Int {
        guard let first = packet.first else { return 0 }
        let configuration = Int(first >> 3)
        let each =
            switch configuration {
            case ..<12: [480, 960, 1920, 2880][configuration & 3]
            case ..<16: [480, 960][configuration & 1]
            default: 120 << (configuration & 3)
            }
        return switch first & 3 {
        case 0: each
        case 1, 2: each * 2
        default: packet.count > 1 ? each * Int(packet[1] & 63) : 0
        }
    }

    /// RFC 9639, 9.1: the block size of a frame header.
    static func flacFrames(_ packet: UnsafeBufferPointer<UInt8>) -> Int {
        guard packet.count > 4, packet[0] == 0xFF, packet[1] & 0xFE == 0xF8 else { return 0 }
        let code = Int(packet[2] >> 4)
        switch code {
        case 1: return 192
        case 2...5: return 144 << code
        case 8...15: return 1 << code
        case 6, 7:
            // The size follows the coded number, whose first byte says how long it is.
            let lead = packet[4]
            let length = lead < 0x80 ? 1 : (~lead).leadingZeroBitCount
            let place = 4 + length
            guard length <= 7, place + 1 < packet.count else { return 0 }
            return code == 6 ? Int(packet[place]) + 1 : (Int(packet[place]) << 8 | Int(packet[place + 1])) + 1
        default: return 0
        }
    }
}

/// Owns libavcodec's reader of Vorbis block sizes.
final class VorbisParser {
    private let pointer: OpaquePointer

    /// - Parameter headers: the three header packets as libavformat lays them one behind the other.
    init?(headers: [UInt8]) {
        guard let pointer = av_vorbis_parse_init(headers, Int32(clamping: headers.count)) else { return nil }
        self.pointer = pointer
    }

    deinit {
        var pointer: OpaquePointer? = pointer
        av_vorbis_parse_free(&pointer)
    }

    func reset() { av_vorbis_parse_reset(pointer) }

    func frames(of packet: Packet) -> Int {
        packet.withBytes { Int(max(0, av_vorbis_parse_frame(pointer, $0.baseAddress, Int32(clamping: $0.count)))) }
    }
}
