extension FilePath {
    /// "Talk.m4a" with "recovered" is "Talk (recovered).m4a".
    static func numbered(_ path: String, _ addition: String) -> String {
        let name = lastComponent(path)
        let folder = path.dropLast(name.count)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else {
            return "\(folder)\(name) (\(addition))"
        }
        return "\(folder)\(name[..<dot]) (\(addition))\(name[dot...])"
    }

    /// The ending of a name without its dot; empty where there is none.
    static func fileExtension(_ path: String) -> String {
        let name = lastComponent(path)
        guard let dot = name.lastIndex(of: "."), dot != name.startIndex else { return "" }
        return String(name[name.index(after: dot)...])
    }
}
