import AudioCore

/// The set-up bytes of Apple Lossless in the forms that files hold them.
enum ALACCookie {
    /// Bytes of a plain `ALACSpecificConfig`.
    static let plainSize = 24

    /// The plain configuration out of any form: bare (24 bytes, or 48 with the channel layout behind), inside an `alac`
    /// atom, or behind the `frma` atom of old QuickTime.
    /// - Throws: `malformedMedia` where none is found or its values make no sense.
    static func plain(from cookie: [UInt8]) throws(AudioFailure) -> [UInt8] {
        var rest = cookie[...]
        // An atom is its length, its name, and for `alac` four bytes of version and flags.
        if hasName("frma", rest) { rest = rest.dropFirst(12) }
        if hasName("alac", rest) { rest = rest.dropFirst(12) }
        guard rest.count >= plainSize else {
            throw AudioFailure(.malformedMedia, "The ALAC set-up has \(cookie.count) bytes, which is no known form.")
        }
        let plain = Array(rest.prefix(plainSize))
        try check(plain)
        return plain
    }

    /// Bits of a source sample, as a plain configuration states them.
    static func bitDepth(_ plain: [UInt8]) -> Int { plain.count > 5 ? Int(plain[5]) : 0 }

    /// Frames in a full packet.
    static func framesPerPacket(_ plain: [UInt8]) -> Int {
        plain.count < 4 ? 0 : Int(plain[0]) << 24 | Int(plain[1]) << 16 | Int(plain[2]) << 8 | Int(plain[3])
    }

    /// Frames in one packet, which may state a count below the full one in its header; nil where its first element is
    /// not one that carries samples.
    static func frames(inPacket head: [UInt8], full: Int) -> Int? {
        // Bits: element 3, instance 4, unused 12, partial 1, shift 2, escape 1, then the count if partial.
        guard head.count >= 7 else { return nil }
        let element = head[0] >> 5
        guard element == 0 || element == 1 || element == 3 else { return nil }
        guard head[2] & 0x10 != 0 else { return full }
        var bits: UInt64 = 0
        for byte in head[0..<7] { bits = bits << 8 | UInt64(byte) }
        let count = Int(bits >> 1 & 0xFFFF_FFFF)
        return count <= full ? count : nil
    }

    private static func hasName(_ name: FourCC, _ bytes: ArraySlice<UInt8>) -> Bool {
        bytes.count >= 12 && bytes.dropFirst(4).prefix(4).reduce(0) { $0 << 8 | UInt32($1) } == name.rawValue
    }

    private static func check(_ plain: [UInt8]) throws(AudioFailure) {
        let frames = framesPerPacket(plain)
        let channels = plain[9]
        // 16 384 is four times what Apple's encoder uses; decoders allocate by it.
        guard (1...16384).contains(frames), plain[4] == 0, [16, 20, 24, 32].contains(plain[5]),
            (1...8).contains(channels)
        else {
            throw AudioFailure(
                .malformedMedia,
                "The ALAC set-up is damaged: \(frames) frames in a packet, \(plain[5]) bits, \(channels) channels."
            )
        }
    }
}
