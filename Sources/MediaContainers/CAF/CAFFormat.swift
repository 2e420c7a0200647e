import AudioCore

/// The `desc` chunk of a CAF file and what it says about a stream.
struct CAFFormat: Equatable {
    static let size = 32

    var sampleRate: Double
    var formatID: FourCC
    var flags: UInt32
    var bytesPerPacket: UInt32
    var framesPerPacket: UInt32
    var channelCount: UInt32
    var bitsPerChannel: UInt32

    private enum LinearFlag {
        static let float: UInt32 = 1
        static let littleEndian: UInt32 = 2
    }

    /// What the file says of a stream that we write.
    /// - Throws: `unsupported` for a codec or layout that CAF (as written here) does not hold.
    init(_ stream: StreamDescription) throws(AudioFailure) {
        guard stream.sampleRate.isFinite, stream.sampleRate > 0 else {
            throw AudioFailure(.invalidArgument, "A sample rate of \(stream.sampleRate) cannot be written.")
        }
        guard (1...CAFFormat.channelLimit).contains(stream.channelCount) else {
            throw AudioFailure(
                .invalidArgument,
                "CAF is written with 1 to \(CAFFormat.channelLimit) channels, not \(stream.channelCount)."
            )
        }
        sampleRate = stream.sampleRate
        channelCount = UInt32(stream.channelCount)
        flags = 0
        bytesPerPacket = 0
        framesPerPacket = 1
        bitsPerChannel = 0
        switch stream.codec {
        case .linearPCM(let layout):
            let known: [Int] = layout.isFloat ? [32, 64] : [8, 16, 24, 32]
            guard known.contains(layout.bitsPerSample), layout.isSigned else {
                throw AudioFailure(
                    .unsupported,
                    "CAF holds signed integers of 8, 16, 24 or 32 bits or floats of 32 or 64 bits."
                )
            }
            formatID = "lpcm"
            flags = (layout.isFloat ? LinearFlag.float : 0) | (layout.isBigEndian ? 0 : LinearFlag.littleEndian)
            bytesPerPacket = UInt32(layout.bytesPerSample * stream.channelCount)
            bitsPerChannel = UInt32(layout.bitsPerSample)
        case .muLaw, .aLaw:
            formatID = stream.codec == .muLaw ? "ulaw" : "alaw"
            bytesPerPacket = channelCount
            bitsPerChannel = 8
        case .ima4:
            formatID = "ima4"
            bytesPerPacket = 34 * channelCount  // 2 bytes of state and 64 nibbles for every channel
            framesPerPacket = 64
        case .alac:
            formatID = "alac"
            let depth = ALACCookie.bitDepth(try ALACCookie.plain(from: stream.configuration))
            // Apple's kAppleLosslessFormatFlag: 1, 2, 3, 4 for a source of 16, 20, 24, 32 bits.
            flags = UInt32(depth / 4 - 3 - (depth == 32 ? 1 : 0))
            framesPerPacket = UInt32(clamping: stream.framesPerPacket)
        case .aac:
            formatID = "aac "
            framesPerPacket = UInt32(clamping: stream.framesPerPacket)
        case .flac, .opus, .foreign:
            throw AudioFailure(
                .unsupported,
                "CAF is not written with \(stream.codec.name); it takes PCM, AAC, ALAC, IMA4, µ-law and A-law."
            )
        }
        guard framesPerPacket > 0 else {
            throw AudioFailure(.invalidArgument, "CAF needs to know how many frames every packet holds.")
        }
    }

    init(_ reader: inout ByteReader) throws(AudioFailure) {
        sampleRate = Double(bitPattern: try reader.big(UInt64.self))
        formatID = try reader.code()
        flags = try reader.big(UInt32.self)
        bytesPerPacket = try reader.big(UInt32.self)
        framesPerPacket = try reader.big(UInt32.self)
        channelCount = try reader.big(UInt32.self)
        bitsPerChannel = try reader.big(UInt32.self)
        guard sampleRate.isFinite, sampleRate >= 1, sampleRate <= 1e8 else {
            throw AudioFailure(.malformedMedia, "The CAF file states a sample rate of \(sampleRate).")
        }
        guard (1...UInt32(CAFFormat.channelLimit)).contains(channelCount) else {
            throw AudioFailure(.malformedMedia, "The CAF file states \(channelCount) channels.")
        }
        guard bytesPerPacket <= CAFFormat.packetLimit, framesPerPacket <= 1 << 20 else {
            throw AudioFailure(
                .malformedMedia,
                "The CAF file states packets of \(bytesPerPacket) bytes and \(framesPerPacket) frames."
            )
        }
    }

    /// More than any microphone array; a limit for what readers allocate.
    static let channelLimit = 1024
    /// Bytes in one packet.
    static let packetLimit: UInt32 = 16 << 20

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: CAFFormat.size)
        writer.big(sampleRate.bitPattern)
        writer.code(formatID)
        for field in [flags, bytesPerPacket, framesPerPacket, channelCount, bitsPerChannel] { writer.big(field) }
        return writer.bytes
    }

    /// The codec as the media seam knows it; nil for those that another adapter reads.
    var codec: CodecID? {
        switch formatID {
        case "lpcm": linearLayout.map { .linearPCM($0) }
        case "alac": .alac
        case "aac ": .aac
        case "ima4": bytesPerPacket == 34 * channelCount && framesPerPacket == 64 ? .ima4 : nil
        case "ulaw": bytesPerPacket == channelCount && framesPerPacket == 1 ? .muLaw : nil
        case "alaw": bytesPerPacket == channelCount && framesPerPacket == 1 ? .aLaw : nil
        case "opus": (1...2).contains(channelCount) && 48000.0.remainder(dividingBy: sampleRate) == 0 ? .opus : nil
        default: nil
        }
    }

    private var linearLayout: LinearPCMLayout? {
        guard framesPerPacket == 1, bytesPerPacket % channelCount == 0 else { return nil }
        let bytes = Int(bytesPerPacket / channelCount)
        let isFloat = flags & LinearFlag.float != 0
        // Fewer significant bits than the bytes hold lie at the top, so the container width is the layout.
        guard bitsPerChannel <= UInt32(bytes * 8), bitsPerChannel > UInt32((bytes - 1) * 8) else { return nil }
        guard (isFloat ? [4, 8] : [1, 2, 3, 4]).contains(bytes) else { return nil }
        return LinearPCMLayout(
            bitsPerSample: bytes * 8,
            isFloat: isFloat,
            isBigEndian: flags & LinearFlag.littleEndian == 0
        )
    }
}

/// One chunk header: a name and the length of what follows.
struct CAFChunk {
    static let headerSize = 12

    var name: FourCC
    /// −1 only for `data` that runs to the end of the file.
    var size: Int64

    init(_ name: FourCC, size: Int64) {
        self.name = name
        self.size = size
    }

    init(_ reader: inout ByteReader) throws(AudioFailure) {
        name = try reader.code()
        size = try reader.big(Int64.self)
    }

    var header: [UInt8] {
        var writer = ByteWriter(capacity: CAFChunk.headerSize)
        writer.code(name)
        writer.big(size)
        return writer.bytes
    }

    static func bytes(_ name: FourCC, _ body: [UInt8]) -> [UInt8] {
        CAFChunk(name, size: Int64(body.count)).header + body
    }
}

/// The fixed head of a `pakt` chunk.
struct CAFPacketTableHeader: Equatable {
    static let size = 24

    var packetCount: Int64
    var validFrames: Int64
    var primingFrames: Int32
    var remainderFrames: Int32

    init(packetCount: Int64, validFrames: Int64, primingFrames: Int32, remainderFrames: Int32) {
        self.packetCount = packetCount
        self.validFrames = validFrames
        self.primingFrames = primingFrames
        self.remainderFrames = remainderFrames
    }

    init(_ reader: inout ByteReader) throws(AudioFailure) {
        packetCount = try reader.big(Int64.self)
        validFrames = try reader.big(Int64.self)
        primingFrames = try reader.big(Int32.self)
        remainderFrames = try reader.big(Int32.self)
    }

    var bytes: [UInt8] {
        var writer = ByteWriter(capacity: CAFPacketTableHeader.size)
        writer.big(packetCount)
        writer.big(validFrames)
        writer.big(primingFrames)
        writer.big(remainderFrames)
        return writer.bytes
    }
}

/// Numbers of the packet table: seven bits a byte, most significant first, the top bit says that more follow.
enum CAFVariableInteger {
    static func append(_ value: Int, to bytes: inout [UInt8]) {
        var shift = 0
        while value >> shift > 0x7F { shift += 7 }
        while shift > 0 {
            bytes.append(UInt8(0x80 | (value >> shift & 0x7F)))
            shift -= 7
        }
        bytes.append(UInt8(value & 0x7F))
    }

    /// The number that starts at `position`, which moves behind it; nil where it is cut or does not fit in 32 bits.
    static func read(_ bytes: UnsafeRawBufferPointer, at position: inout Int) -> UInt32? {
        var value: UInt32 = 0
        while position < bytes.count, value <= UInt32.max >> 7 {
            let byte = bytes[position]
            position += 1
            value = value << 7 | UInt32(byte & 0x7F)
            if byte & 0x80 == 0 { return value }
        }
        return nil
    }
}
