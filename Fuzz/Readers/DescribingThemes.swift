import AudioRuntime

/// Reads bytes as the description of a sound theme.
enum DescribingThemes {
    static func attempt(_ bytes: UnsafeBufferPointer<UInt8>) {
        let index = SoundThemeIndex(parsing: Array(bytes))
        precondition(index.folders.count <= 64 && index.parents.count <= 64, "A theme grows without bounds.")
        for folder in index.folders {
            let parts = folder.path.split(separator: "/", omittingEmptySubsequences: false)
            precondition(parts.allSatisfy { !$0.isEmpty && $0 != ".." }, "A theme leads out of its folder.")
        }
        precondition(index.parents.allSatisfy { !$0.contains("/") && $0 != ".." }, "A theme inherits from a path.")
    }
}
