/// A key that the commands know.
package enum Key: Sendable, Equatable {
    case space, quit, marker, left, right, up, down, next, previous, slower, faster
}

/// Makes keys of the bytes that a terminal sends; an arrow may come in several reads.
package struct KeyDecoder: Sendable {
    private var pending: [UInt8] = []

    package init() {}

    package mutating func decode(_ bytes: some Sequence<UInt8>) -> [Key] {
        var keys: [Key] = []
        for byte in bytes {
            if let key = decode(byte) { keys.append(key) }
        }
        return keys
    }

    private mutating func decode(_ byte: UInt8) -> Key? {
        switch (pending.count, byte) {
        case (_, 0x1B):
            pending = [byte]
        // Arrows are CSI A…D, or SS3 A…D in application mode (ECMA-48 8.3.16, DEC VT100 user guide 3.3.3).
        case (1, UInt8(ascii: "[")), (1, UInt8(ascii: "O")):
            pending.append(byte)
        case (2..., 0x40...0x7E):
            // The final byte of a sequence. With parameters between (shift and the like) it is none of ours.
            let isPlain = pending.count == 2
            pending = []
            return isPlain ? arrow(byte) : nil
        case (2..., _):
            pending.append(byte)
            if pending.count > 16 { pending = [] }
        default:
            pending = []
            return plain(byte)
        }
        return nil
    }

    private func arrow(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: "A"): .up
        case UInt8(ascii: "B"): .down
        case UInt8(ascii: "C"): .right
        case UInt8(ascii: "D"): .left
        default: nil
        }
    }

    private func plain(_ byte: UInt8) -> Key? {
        switch byte {
        case UInt8(ascii: " "): .space
        case UInt8(ascii: "m"), UInt8(ascii: "M"): .marker
        case UInt8(ascii: "n"), UInt8(ascii: "N"): .next
        case UInt8(ascii: "p"), UInt8(ascii: "P"): .previous
        case UInt8(ascii: "-"), UInt8(ascii: "["): .slower
        // The key of "+" without shift, too.
        case UInt8(ascii: "+"), UInt8(ascii: "="), UInt8(ascii: "]"): .faster
        // Ctrl-D, too: the end of the input.
        case UInt8(ascii: "q"), UInt8(ascii: "Q"), 0x04: .quit
        default: nil
        }
    }
}
