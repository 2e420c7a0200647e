import Foundation
import TestSupport

/// How large a campaign is to be, and where its result goes.
enum Campaign {
    /// A number out of the environment.
    static func number(_ name: String, default value: UInt64) -> UInt64 {
        ProcessInfo.processInfo.environment[name].flatMap(UInt64.init) ?? value
    }

    /// Prints a table, and leaves it in the folder `KAYIT_TABLES` where that is set: Scripts/campaign.sh puts it into the
    /// document.
    static func publish(_ table: String, as name: String) {
        print(table)
        guard let folder = ProcessInfo.processInfo.environment["KAYIT_TABLES"] else { return }
        try? (table + "\n").write(toFile: "\(folder)/\(name).md", atomically: true, encoding: .utf8)
    }

    /// A program that was built beside these tests.
    static func program(_ name: String) -> String {
        Kayit.path.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/"
            + name
    }
}
