import Foundation

/// A program that was built beside these tests.
package enum SiblingProgram {
    package static func path(_ name: String) -> String {
        let own = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        return own.split(separator: "/", omittingEmptySubsequences: false).dropLast().joined(separator: "/") + "/"
            + name
    }
}
