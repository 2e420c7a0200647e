package import Foundation

/// Where files were left, for `kayit play --resume`. Kept in one file, which is read once and written as a whole; what is
/// wrong with it costs the positions, never the playing.
package final class PlayPositions {
    private struct Entry: Codable {
        var path: String
        var size: Int64
        var seconds: Double
        /// Counts on with each change, so that the oldest go first.
        var turn: Int
    }

    private let file: URL?
    private var entries: [Entry]

    private static let most = 1000
    /// What is shorter is not worth it.
    private static let margin = 3.0
    /// A file of ours is smaller; another one is not read.
    private static let largest = 4 << 20

    /// - Parameter environment: `XDG_STATE_HOME`, or else `HOME`, says where.
    package init(_ environment: [String: String]) {
        let state = environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
        let home = environment["HOME"].flatMap { $0.hasPrefix("/") ? $0 + "/.local/state" : nil }
        file = (state ?? home).map { URL(fileURLWithPath: $0 + "/kayit/positions.json", isDirectory: false) }
        entries = file.map(Self.read) ?? []
    }

    private static func read(_ file: URL) -> [Entry] {
        let attributes = try? FileManager.default.attributesOfItem(atPath: file.path)
        guard attributes?[.type] as? FileAttributeType == .typeRegular,
            let size = attributes?[.size] as? NSNumber, size.int64Value <= Int64(largest),
            let data = try? Data(contentsOf: file),
            let entries = try? JSONDecoder().decode([Entry].self, from: data)
        else { return [] }
        return entries.filter { $0.seconds.isFinite && $0.seconds > 0 }
    }

    /// Seconds at which the file was left; nil where it begins at its start.
    package func position(of url: URL) -> Double? {
        guard let size = Self.size(url) else { return nil }
        return entries.last { $0.path == url.path && $0.size == size }?.seconds
    }

    /// Remembers where a file is left. Its beginning and its end are forgotten.
    package func note(_ seconds: Double, of duration: Double, in url: URL) {
        guard let file, let size = Self.size(url) else { return }
        // Another program may have noted something meanwhile.
        entries = Self.read(file)
        let isWorthIt = seconds > Self.margin && seconds < duration - Self.margin
        let before = entries.count
        entries.removeAll { $0.path == url.path }
        if !isWorthIt, entries.count == before { return }
        if isWorthIt {
            let turn = (entries.map(\.turn).max() ?? 0) &+ 1
            entries.append(Entry(path: url.path, size: size, seconds: seconds, turn: turn))
        }
        if entries.count > Self.most {
            entries = Array(entries.sorted { $0.turn < $1.turn }.suffix(Self.most))
        }
        write(file)
    }

    private static func size(_ url: URL) -> Int64? {
        let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
        return (attributes?[.size] as? NSNumber)?.int64Value
    }

    /// In the place of the old one at once, so that nobody finds half of it.
    private func write(_ file: URL) {
        guard let data = try? JSONEncoder().encode(entries) else { return }
        let folder = file.deletingLastPathComponent()
        let rights: [FileAttributeKey: Any] = [.posixPermissions: 0o700]
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true, attributes: rights)
        try? data.write(to: file, options: .atomic)
    }
}
