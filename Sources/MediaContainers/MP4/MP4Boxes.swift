extension ByteWriter {
    /// Appends a box. Its size counts `extra` bytes that will follow in the file but are not written here.
    mutating func box(_ type: FourCC, extra: Int = 0, _ body: (inout ByteWriter) -> Void) {
        let start = count
        big(UInt32(0))
        code(type)
        body(&self)
        patchBig(UInt32(count - start + extra), at: start)
    }

    mutating func fullBox(
        _ type: FourCC,
        version: UInt8 = 0,
        flags: UInt32 = 0,
        extra: Int = 0,
        _ body: (inout ByteWriter) -> Void
    ) {
        box(type, extra: extra) { writer in
            writer.big(UInt32(version) << 24 | flags)
            body(&writer)
        }
    }
}

/// The heads of boxes that are written on their own.
enum MP4Header {
    /// A box of a size below 4 GiB.
    static func small(_ type: FourCC, size: Int64) -> [UInt8] {
        var writer = ByteWriter(capacity: 8)
        writer.big(UInt32(clamping: size))
        writer.code(type)
        return writer.bytes
    }

    /// A box with a 64-bit size, 16 bytes.
    static func large(_ type: FourCC, size: Int64) -> [UInt8] {
        var writer = ByteWriter(capacity: 16)
        writer.big(UInt32(1))
        writer.code(type)
        writer.big(UInt64(clamping: size))
        return writer.bytes
    }

    /// 16 bytes that open an `mdat` to the end of the file, and that one write can turn into `large("mdat")`.
    static let openMediaData = small("free", size: 8) + small("mdat", size: 0)
}
