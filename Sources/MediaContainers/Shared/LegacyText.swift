import AudioCore

/// Texts of formats that are older than Unicode: written as UTF-8, as everybody does today.
enum LegacyText {
    /// The rest of `field` up to `limit` bytes, ended by a zero; bytes that are no UTF-8 are taken as Latin 1.
    static func read(_ field: inout ByteReader, limit: Int) -> String {
        let bytes = (try? field.raw(min(field.remaining, limit))) ?? []
        let content = bytes.prefix { $0 != 0 }
        if let text = String(validating: content, as: UTF8.self) { return text }
        return String(String.UnicodeScalarView(content.map { Unicode.Scalar($0) }))
    }

    /// The UTF-8 of as many whole characters of `text` as fit into `limit` bytes.
    static func bytes(of text: String, limit: Int) -> [UInt8] { Array(text.prefix(utf8: limit).utf8) }
}
