internal import AudioCore
internal import CFFmpeg

/// The audio of a file, in the words of the media seam.
struct ForeignStream {
    var description: StreamDescription
    /// Frames of a packet.
    var counting: FrameCounter.Method
    /// ADTS headers are taken off: what they say is in the configuration.
    var stripsADTS = false

    /// Reads the first packets from `demuxer`, which must not have given any yet.
    /// - Throws: `malformedMedia` where the parameters make no sense.
    init(probing demuxer: Demuxer) throws(AudioFailure) {
        let parameters = demuxer.parameters.pointee
        let id = parameters.codec_id
        let extradata = Self.extradata(of: parameters)
        var stream = StreamDescription(
            codec: AudioCodecs.plainCodec(id) ?? .foreign(AudioCodecs.name(of: id)),
            sampleRate: Double(parameters.sample_rate),
            channelCount: Int(parameters.ch_layout.nb_channels),
            framesPerPacket: 0,
            bytesPerPacket: Int(max(0, parameters.block_align)),
            bitsPerChannel: Int(max(0, parameters.bits_per_raw_sample, parameters.bits_per_coded_sample)),
            configuration: extradata,
            bitRate: Int(clamping: max(0, parameters.bit_rate))
        )
        switch id {
        case AV_CODEC_ID_AAC where !extradata.isEmpty: stream.codec = .aac
        case AV_CODEC_ID_ALAC where extradata.count >= 36:
            stream.codec = .alac
            stream.configuration = Array(extradata[12..<36])
        case AV_CODEC_ID_FLAC where extradata.count == 34: stream.codec = .flac
        case AV_CODEC_ID_OPUS where extradata.starts(with: Array("OpusHead".utf8)):
            stream.codec = .opus
            stream.sampleRate = 48_000
        default: break
        }
        if AudioCodecs.plainCodec(id) != nil {
            stream.framesPerPacket = 1
            stream.bytesPerPacket = Int(av_get_bits_per_sample(id)) / 8 * stream.channelCount
            stream.configuration = []
        }

        var probe = Probe()
        try probe.read(demuxer)
        if id == AV_CODEC_ID_AAC, extradata.isEmpty, let header = ADTSHeader(probe.firstPacket), header.isSimple {
            stream.codec = .aac
            stream.configuration = header.audioSpecificConfig
            stripsADTS = true
        }
        // What the decoder gives counts, not what the container says (HE-AAC).
        if stream.framesPerPacket != 1, stream.codec != .opus {
            try probe.decode(stream)
            if let shape = probe.shape {
                stream.sampleRate = Double(shape.sampleRate)
                stream.channelCount = shape.channelCount
            }
        }
        guard stream.sampleRate >= 1, (1...64).contains(stream.channelCount) else {
            throw AudioFailure(
                .malformedMedia,
                "The audio has a rate of \(stream.sampleRate) Hz and \(stream.channelCount) channels."
            )
        }

        counting =
            switch id {
            case AV_CODEC_ID_OPUS: .opus
            case AV_CODEC_ID_FLAC: .flac
            case AV_CODEC_ID_VORBIS: VorbisParser(headers: extradata).map { .vorbis($0) } ?? .timestamps
            // libavcodec numbers PCM and ADPCM codecs below all others of audio.
            case _ where id.rawValue < AV_CODEC_ID_AMR_NB.rawValue: .size
            case AV_CODEC_ID_WMAV1, AV_CODEC_ID_WMAV2: Self.windowsMedia(parameters, extradata)
            case _ where parameters.frame_size > 0 && probe.frameCount > 0: .constant(probe.frameCount)
            default: .timestamps
            }
        if case .constant(let frames) = counting { stream.framesPerPacket = frames }
        stream.primingFrames = FrameCount(Self.priming(of: stream, parameters, skip: probe.startSkip))
        description = stream
    }

    /// Frames in front of the recording, as the file states them.
    private static func priming(of stream: StreamDescription, _ parameters: AVCodecParameters, skip: Int64) -> Int64 {
        let stated = max(skip, Int64(parameters.initial_padding))
        switch stream.codec {
        // RFC 7845, 5.1: the pre-skip holds whatever the container says.
        case .opus where stream.configuration.count >= 12:
            return Int64(stream.configuration[10]) | Int64(stream.configuration[11]) << 8
        // Without a statement the 529 frames that every decoder has by its filters (528 + 1, as LAME counts them), which is
        // the least there is.
        case .foreign("mp3") where stated <= 0: return 529
        default: return min(max(stated, 0), 1 << 20)
        }
    }

    /// Frames of Windows Media Audio 1 and 2: their length follows from version and rate; with a bit reservoir a packet holds
    /// several.
    private static func windowsMedia(_ parameters: AVCodecParameters, _ extradata: [UInt8]) -> FrameCounter.Method {
        let isFirstVersion = parameters.codec_id == AV_CODEC_ID_WMAV1
        let length =
            switch parameters.sample_rate {
            case ...16_000: 512
            case ...22_050: 1024
            case ...32_000 where isFirstVersion: 1024
            default: 2048
            }
        let flags = isFirstVersion ? 2 : 4
        return extradata.count > flags && extradata[flags] & 2 != 0 ? .windowsMedia(length) : .constant(length)
    }

    private static func extradata(of parameters: AVCodecParameters) -> [UInt8] {
        guard let start = parameters.extradata, parameters.extradata_size > 0 else { return [] }
        return Array(UnsafeBufferPointer(start: start, count: Int(parameters.extradata_size)))
    }
}

/// The first packets of a stream and what a decoder makes of them.
private struct Probe {
    private(set) var firstPacket: [UInt8] = []
    /// Frames that the container wants cut off at the start.
    private(set) var startSkip: Int64 = 0
    private(set) var shape: FrameShape?
    /// Frames that the last of the packets decoded to.
    private(set) var frameCount = 0
    private var packets: [EncodedPacket] = []

    private static let packetCount = 4

    mutating func read(_ demuxer: Demuxer) throws(AudioFailure) {
        let packet = try Packet()
        while packets.count < Self.packetCount {
            do throws(AudioFailure) {
                guard try demuxer.read(packet) else { break }
            } catch  where error.code == .malformedMedia {
                break
            }
            if packets.isEmpty {
                firstPacket = Array(packet.bytes.prefix(16))
                startSkip = packet.skip.start
            }
            packets.append(EncodedPacket(bytes: packet.bytes, frames: 0))
        }
        if packets.isEmpty { throw AudioFailure(.malformedMedia, "The file has no packet of audio.") }
    }

    /// Damage is for the reading of the file to meet.
    mutating func decode(_ stream: StreamDescription) throws(AudioFailure) {
        var stream = stream
        // A placeholder where only decoding tells.
        stream.sampleRate = max(stream.sampleRate, 1)
        stream.channelCount = min(max(stream.channelCount, 1), 64)
        guard let plan = try DecoderPlan(stream), let context = try? plan.open() else { return }
        let packet = try Packet()
        let frame = try AudioFrame()
        for item in packets {
            var item = item
            if stream.codec == .aac, let header = ADTSHeader(item.bytes) { item.bytes.removeFirst(header.byteCount) }
            if item.bytes.isEmpty { continue }
            try packet.fill(item.bytes)
            guard context.send(packet) >= 0 else { continue }
            while context.receive(frame) >= 0 {
                guard frame.frameCount > 0, frame.channelCount > 0 else { continue }
                shape = FrameShape(frame)
                frameCount = frame.frameCount
            }
        }
    }
}

/// The fixed part of an ADTS header, ISO/IEC 13818-7, 6.2.1.
struct ADTSHeader {
    /// 7, or 9 with a checksum.
    let byteCount: Int
    /// One block of data with the channels in the header: the payload can stand alone.
    let isSimple: Bool
    let audioSpecificConfig: [UInt8]

    init?(_ bytes: [UInt8]) {
        guard bytes.count >= 7, bytes[0] == 0xFF, bytes[1] & 0xF6 == 0xF0 else { return nil }
        let length = bytes[1] & 1 == 1 ? 7 : 9
        guard bytes.count >= length else { return nil }
        byteCount = length
        let objectType = bytes[2] >> 6 + 1
        let frequencyIndex = bytes[2] >> 2 & 15
        let channels = (bytes[2] & 1) << 2 | bytes[3] >> 6
        isSimple = bytes[6] & 3 == 0 && channels != 0 && frequencyIndex < 13
        audioSpecificConfig = [objectType << 3 | frequencyIndex >> 1, frequencyIndex << 7 | channels << 3]
    }
}
