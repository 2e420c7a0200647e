import Foundation

/// A folder of its own, removed with the object.
final class Scratch: Sendable {
    let folder: String

    init() throws {
        folder = NSTemporaryDirectory() + "/kayit-\(UUID().uuidString)"
        try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(atPath: folder) }

    func path(_ name: String) -> String { folder + "/" + name }

    var names: [String] { (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? [] }
}
