import AudioCore
import Glibc

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

    /// What the ending of a name says.
    static func container(of path: String) -> ContainerKind? {
        lastComponent(path).split(separator: ".").last.flatMap { ContainerKind(fileExtension: String($0)) }
    }

    /// What the hidden files beside recordings are, by their ending.
    enum Hidden: String {
        /// A take before it has its name.
        case take = "part"
        /// A file that is being made of others, which stay until it is complete.
        case half
        /// What is to be made of what: see `JobFile`.
        case job
    }

    private static let hiddenPrefix = ".kayit-"

    /// A hidden name of its own in the same folder, short whatever the length of `path`'s own name.
    static func sibling(of path: String, _ kind: Hidden = .take) -> String {
        let unique = String(UInt64.random(in: 0 ... .max), radix: 36)
        return "\(folder(of: path))/\(hiddenPrefix)\(unique).\(kind.rawValue)"
    }

    /// True for a name (not a path) that `sibling` gives.
    static func isHidden(_ name: String, _ kind: Hidden) -> Bool {
        name.hasPrefix(hiddenPrefix) && name.hasSuffix("." + kind.rawValue)
    }

    /// From the root of the file system on.
    static func absolute(_ path: String) -> String {
        if path.hasPrefix("/") { return path }
        guard let current = getcwd(nil, 0) else { return path }
        defer { free(current) }
        return String(cString: current) + "/" + path
    }
}
