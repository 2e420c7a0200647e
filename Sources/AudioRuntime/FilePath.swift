/// Paths as the kernel sees them: bytes between slashes.
enum FilePath {
    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return "." }
        return slash == path.startIndex ? "/" : String(path[..<slash])
    }

    static func lastComponent(_ path: String) -> String {
        guard let slash = path.lastIndex(of: "/") else { return path }
        return String(path[path.index(after: slash)...])
    }

    /// A hidden name of its own in the same folder, short whatever the length of `path`'s own name.
    static func sibling(of path: String) -> String {
        let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder(of: path))/.kayit-\(unique).part"
    }
}
