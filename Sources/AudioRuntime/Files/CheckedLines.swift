/// An append-only text of lines that can each be trusted by themselves: a checksum (CRC-32 of the rest, eight hexadecimal
/// digits), a space, a word, and fields of the form `name=value`.
///
///     7229853b part number=3 name=0003.m4a
///
/// A line that was torn by a power cut or damaged otherwise is passed over; it never hides others.
package struct CheckedLine: Sendable, Equatable {
    package var word: String
    /// In order; a name may stand there several times.
    package var fields: [(name: String, value: String)]

    package init(_ word: String, _ fields: [(name: String, value: String)] = []) {
        self.word = word
        self.fields = fields
    }

    /// The first value of that name.
    package subscript(_ name: String) -> String? { fields.first { $0.name == name }?.value }

    /// All values of that name, in order.
    package func values(_ name: String) -> [String] { fields.filter { $0.name == name }.map(\.value) }

    package static func == (a: CheckedLine, b: CheckedLine) -> Bool {
        a.word == b.word && a.fields.elementsEqual(b.fields) { $0.name == $1.name && $0.value == $1.value }
    }

    /// The line as it stands in a file, with its end.
    package var bytes: [UInt8] {
        let text = fields.reduce(Self.escaped(word)) { text, field in
            "\(text) \(Self.escaped(field.name))=\(Self.escaped(field.value))"
        }
        return Array("\(Self.checksum(text)) \(text)\n".utf8)
    }

    /// Every whole line of a file.
    package static func all(in bytes: [UInt8]) -> [CheckedLine] {
        bytes.split(separator: UInt8(ascii: "\n")).compactMap { CheckedLine(reading: $0) }
    }

    private init?(reading line: ArraySlice<UInt8>) {
        let text = line.dropFirst(9)
        guard !text.isEmpty, line[line.startIndex + 8] == UInt8(ascii: " "),
            line.prefix(8).elementsEqual(Self.checksum(text).utf8),
            let string = String(validating: text, as: UTF8.self)
        else { return nil }
        var pieces = string.split(separator: " ")[...]
        guard let first = pieces.popFirst() else { return nil }
        word = Self.unescaped(first)
        fields = []
        for piece in pieces {
            guard let equals = piece.firstIndex(of: "=") else { return nil }
            fields.append((Self.unescaped(piece[..<equals]), Self.unescaped(piece[piece.index(after: equals)...])))
        }
    }

    // MARK: Text

    /// What would end a word or a line, as `%` and two hexadecimal digits.
    private static func escaped(_ text: String) -> String {
        var result: [UInt8] = []
        for byte in text.utf8 {
            if byte <= 0x20 || byte == 0x7F || byte == UInt8(ascii: "%") || byte == UInt8(ascii: "=") {
                result += [UInt8(ascii: "%")] + hexadecimal(UInt32(byte), digits: 2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func unescaped(_ text: Substring) -> String {
        var result: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), rest.count >= 2,
                let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16)
            {
                result.append(value)
                rest = rest.dropFirst(2)
            } else {
                result.append(byte)
            }
        }
        return String(decoding: result, as: UTF8.self)
    }

    private static func checksum(_ text: String) -> String { checksum(Array(text.utf8)[...]) }

    private static func checksum(_ bytes: ArraySlice<UInt8>) -> String {
        let value = bytes.reduce(~UInt32(0)) { table[Int(UInt8(truncatingIfNeeded: $0) ^ $1)] ^ ($0 >> 8) }
        return String(decoding: hexadecimal(~value, digits: 8), as: UTF8.self)
    }

    /// CRC-32 of ISO 3309, least significant bit first.
    private static let table: [UInt32] = (0..<256).map { index in
        (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
    }

    private static func hexadecimal(_ value: UInt32, digits: Int) -> [UInt8] {
        let text = String(value, radix: 16)
        return Array(repeating: UInt8(ascii: "0"), count: max(digits - text.utf8.count, 0)) + text.utf8
    }
}
