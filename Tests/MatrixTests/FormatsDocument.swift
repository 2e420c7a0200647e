import AudioCore
import Foundation
import Testing

/// The tables of docs/formats.md, out of those that the tests hold to.
@Suite("docs/formats.md") struct FormatsDocument {
    private static let path = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("docs/formats.md")

    /// With KAYIT_WRITE_DOCS=1 the tables are written anew.
    @Test("the tables are those of the tests") func tablesAreTheTests() throws {
        let text = try String(contentsOf: Self.path, encoding: .utf8)
        var wanted = text
        for (name, table) in [("written", Self.written), ("foreign", Self.foreign)] {
            wanted = try #require(Self.replace(name, by: table, in: wanted), "no place for the table \(name)")
        }
        if ProcessInfo.processInfo.environment["KAYIT_WRITE_DOCS"] == "1" {
            try wanted.write(to: Self.path, atomically: true, encoding: .utf8)
        } else {
            #expect(text == wanted, "Run this test with KAYIT_WRITE_DOCS=1.")
        }
    }

    private static func replace(_ name: String, by table: String, in text: String) -> String? {
        guard let start = text.range(of: "<!-- \(name) -->\n"),
            let end = text.range(of: "<!-- end -->", range: start.upperBound..<text.endIndex)
        else { return nil }
        return text.replacingCharacters(in: start.upperBound..<end.lowerBound, with: table)
    }

    private static func row(_ cells: [String]) -> String { "| " + cells.joined(separator: " | ") + " |\n" }

    private static var written: String {
        let head = ["file", "codec", "what we state"] + Reader.allCases.map(\.rawValue)
        let rows = Pair.all.map { pair in
            row([pair.container.name, pair.codec, pair.stated] + Reader.allCases.map { cell($0, pair) })
        }
        return row(head) + row(head.map { _ in "---" }) + rows.joined()
    }

    private static func cell(_ reader: Reader, _ pair: Pair) -> String {
        guard reader.reads(pair) else { return "" }
        var reasons: [String] = []
        for take in pair.takes where reader.reads(take) {
            let reason = reader.deviation(pair, take)?.reason ?? ""
            if !reason.isEmpty, !reasons.contains(reason) { reasons.append(reason) }
        }
        return reasons.isEmpty ? "exact" : reasons.joined(separator: "; ")
    }

    private static var foreign: String {
        let head = ["file", "made by", "we read"]
        let rows = ForeignFile.all.map { file in
            row([
                String(file.name.drop { $0 != "." }.dropFirst()), "`\(file.shown)`",
                Set(file.takes.compactMap { file.deviation($0)?.reason }).first ?? "exact",
            ])
        }
        return row(head) + row(head.map { _ in "---" }) + rows.joined()
    }
}
