import TestSupport

/// What came out of all kills in virtual time, one row a pair.
struct VirtualKillTable {
    private struct Row {
        var kills = 0
        var read = 0
        var byOthers = 0
        var losses: [Double] = []
    }

    private var rows: [String: Row] = [:]

    mutating func add(_ verdict: VirtualVerdict, _ pair: RecordedPair) {
        var row = rows[pair.description] ?? Row()
        row.kills += 1
        row.read += verdict.isRead ? 1 : 0
        row.byOthers += verdict.readByOthers
        if let loss = verdict.loss { row.losses.append(Double(loss) / pair.sampleRate) }
        rows[pair.description] = row
    }

    /// In Markdown.
    var text: String {
        var lines = [
            "| codec, container | kills | read by Kayıt | by others | loss: median | most | may be |",
            "|---|--:|--:|--:|--:|--:|--:|",
        ]
        for pair in RecordedPair.all {
            guard let row = rows[pair.description] else { continue }
            let limit = Double(VirtualVerdict.limit(pair)) / pair.sampleRate
            lines.append(
                "| \(pair) | \(row.kills) | \(row.read)"
                    + " | \(row.byOthers) of \(row.kills * TakeReading.readers(pair).count)"
                    + " | \(KillTable.part(0.5, of: row.losses)) | \(KillTable.part(1, of: row.losses))"
                    + " | \(Int((limit * 1000).rounded())) ms |"
            )
        }
        return lines.joined(separator: "\n")
    }
}
