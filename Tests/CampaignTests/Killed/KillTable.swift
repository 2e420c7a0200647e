import Foundation

/// What came out of all kills, one row a format.
struct KillTable {
    private struct Row {
        var kills = 0
        var read = 0
        var byOthers = 0
        var readers = 0
        var losses: [Double] = []
        var lossesForOthers: [Double] = []
        /// Kills whose loss is over the limit, which a busy machine explains.
        var late = 0
    }

    private var rows: [String: Row] = [:]

    mutating func add(_ verdict: Verdict, _ format: KillFormat) {
        var row = rows[format.name] ?? Row()
        row.kills += 1
        row.read += verdict.isRead ? 1 : 0
        row.byOthers += verdict.readByOthers
        row.readers += format.readers.count
        if let loss = verdict.loss { row.losses.append(loss) }
        if let loss = verdict.lossForOthers { row.lossesForOthers.append(loss) }
        if let loss = verdict.lossForOthers, loss > format.limit { row.late += 1 }
        rows[format.name] = row
    }

    /// In Markdown.
    func text(_ formats: [KillFormat]) -> String {
        var lines = [
            "| format | kills | read by Kayıt | by others | of these | loss: median | 95 % | most | for others: most | over the limit |",
            "|---|--:|--:|--:|---|--:|--:|--:|--:|--:|",
        ]
        for format in formats {
            guard let row = rows[format.name] else { continue }
            let readers = format.readers.map(\.rawValue).joined(separator: ", ")
            lines.append(
                "| \(format.name) | \(row.kills) | \(row.read) | \(row.byOthers) of \(row.readers) | \(readers)"
                    + " | \(Self.part(0.5, of: row.losses)) | \(Self.part(0.95, of: row.losses))"
                    + " | \(Self.part(1, of: row.losses)) | \(Self.part(1, of: row.lossesForOthers)) | \(row.late) |"
            )
        }
        return lines.joined(separator: "\n")
    }

    /// The loss that a share of the kills stays at or below.
    static func part(_ share: Double, of losses: [Double]) -> String {
        if losses.isEmpty { return "–" }
        let loss = losses.sorted()[Int(share * Double(losses.count - 1))]
        return "\(Int((loss * 1000).rounded())) ms"
    }
}
