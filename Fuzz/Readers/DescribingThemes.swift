import AudioRuntime

/// Reads bytes as the description of a sound theme.
enum DescribingThemes {
    static func attempt(_ bytes: UnsafeBufferPointer<UInt8>) {
        let index = SoundThemeIndex(parsing: Array(bytes))
        precondition(index.folders.count <= 64 && index.parents.count <= 64, "A theme grows without bounds.")
        for folder in index.folders {
            let parts = folder.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
            let isInside = parts.allSatisfy { !$0.isEmpty && Array($0) != Array("..".utf8) }
            precondition(isInside, "A theme leads out of its folder.")
        }
        let areNames = index.parents.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) && $0 != ".." }
        precondition(areNames, "A theme inherits from a path.")
    }
}
