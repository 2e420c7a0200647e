import Glibc

/// The text of a `.trashinfo` file: where a trashed file was, and since when it is there.
struct TrashInformation {
    var path: String
    var date: String
    /// Put there by this program.
    var isOurs = true
    private let statedPath: String

    /// Other programs must ignore lines that they do not know.
    private static let mark = "X-Kayit=1"

    init(_ item: Trash.Item, relativeTo top: String?) {
        let whole = item.original
        path = whole
        date = item.date
        let root = top == "/" ? "/" : top.map { $0 + "/" }
        statedPath = root.flatMap { whole.hasPrefix($0) ? String(whole.dropFirst($0.count)) : nil } ?? whole
    }

    /// Nil for what is no such text.
    init?(reading bytes: [UInt8], relativeTo top: String?) {
        let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\n")
        guard lines.first == "[Trash Info]" else { return nil }
        func value(_ key: String) -> Substring? {
            lines.first { $0.hasPrefix(key + "=") }?.dropFirst(key.count + 1)
        }
        guard let encoded = value("Path"), let decoded = Self.decoded(encoded), !decoded.isEmpty else { return nil }
        statedPath = decoded
        if decoded.hasPrefix("/") {
            path = decoded
        } else {
            guard let top, !decoded.split(separator: "/").contains("..") else { return nil }
            path = (top == "/" ? "" : top) + "/" + decoded
        }
        date = value("DeletionDate").map(String.init) ?? ""
        isOurs = lines.contains { $0 == Self.mark }
    }

    var text: String { "[Trash Info]\nPath=\(Self.encoded(statedPath))\nDeletionDate=\(date)\n\(Self.mark)\n" }

    private static func encoded(_ path: String) -> String {
        let plain = Set("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.~/".utf8)
        let digits = Array("0123456789ABCDEF")
        return path.utf8.reduce(into: "") { text, byte in
            if plain.contains(byte) {
                text.unicodeScalars.append(Unicode.Scalar(byte))
            } else {
                text += "%\(digits[Int(byte >> 4)])\(digits[Int(byte & 15)])"
            }
        }
    }

    private static func decoded(_ text: Substring) -> String? {
        var bytes: [UInt8] = []
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "%") else {
                bytes.append(byte)
                continue
            }
            guard rest.count >= 2, let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) else {
                return nil
            }
            bytes.append(value)
            rest = rest.dropFirst(2)
        }
        return String(validating: bytes, as: UTF8.self)
    }
}

/// A moment as people's clocks show it.
struct LocalTime {
    private let fields: tm

    static var now: LocalTime { LocalTime(secondsSince1970: Double(time(nil))) }

    init(secondsSince1970 seconds: Double) {
        var moment = time_t(exactly: seconds.rounded(.down)) ?? 0
        var fields = tm()
        localtime_r(&moment, &fields)
        self.fields = fields
    }

    /// "2026-11-30T20:15:00".
    var text: String { formatted("%Y-%m-%dT%H:%M:%S") }

    /// "2026-11-30 20.15.00": sorts by time, and no file system refuses it.
    var fileName: String { formatted("%Y-%m-%d %H.%M.%S") }

    private func formatted(_ format: String) -> String {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 64) { text in
            var fields = fields
            guard let start = text.baseAddress, strftime(start, text.count, format, &fields) > 0 else { return "" }
            return String(cString: start)
        }
    }
}
