/// What the `index.theme` of a sound theme says, as freedesktop.org's Sound Theme Specification has it.
package struct SoundThemeIndex: Sendable, Hashable {
    package struct Folder: Sendable, Hashable {
        /// Within the theme; may have several parts.
        package var path: String
        /// The arrangement of speakers that its sounds are made for ("stereo", "5.1"); nil where that is not said.
        package var profile: String?
    }

    /// The themes in which a sound is looked for that this one does not have.
    package var parents: [String] = []
    package var folders: [Folder] = []

    /// More of it is not read: real ones have some hundred bytes.
    package static let longestText = 64 << 10
    private static let mostEntries = 64

    /// Whatever the bytes are, what can be understood of them counts.
    package init(parsing bytes: [UInt8]) {
        var section = ""
        var directories: [String] = []
        var profiles: [String: String] = [:]
        for line in bytes.prefix(Self.longestText).split(whereSeparator: { $0 == 0x0A || $0 == 0x0D }) {
            let text = Self.trimmed(String(decoding: line, as: UTF8.self)[...])
            if text.hasPrefix("#") { continue }
            if text.hasPrefix("["), text.hasSuffix("]") {
                section = String(text.dropFirst().dropLast())
                continue
            }
            guard let equals = text.firstIndex(of: "=") else { continue }
            let key = Self.trimmed(text[..<equals])
            let value = Self.trimmed(text[text.index(after: equals)...])
            switch (section, key) {
            case ("Sound Theme", "Inherits"): parents = Self.list(value).filter(Self.isThemeName)
            case ("Sound Theme", "Directories"): directories = Self.list(value).filter(Self.isInside)
            case (_, "OutputProfile"): profiles[section] = String(value)
            default: break
            }
        }
        folders = directories.map { Folder(path: $0, profile: profiles[$0]) }
    }

    /// A name that is one folder and no way out of it.
    package static func isThemeName(_ name: String) -> Bool {
        isOnePart(name) && name.utf8.first != UInt8(ascii: ".")
    }

    /// A name without a slash, as the kernel sees it: for Swift, a slash and a mark behind it are another character.
    static func isOnePart(_ name: String) -> Bool {
        !name.isEmpty && !name.utf8.contains(UInt8(ascii: "/")) && !name.utf8.contains(0)
    }

    /// A path that stays below where it starts.
    private static func isInside(_ path: String) -> Bool {
        let parts = path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).map { String($0) }
        return parts.allSatisfy { part in part.map { isOnePart($0) && $0 != "." && $0 != ".." } ?? false }
    }

    /// Lists are comma-separated; icon themes taught some authors semicolons.
    private static func list(_ value: Substring) -> [String] {
        let parts = value.split(whereSeparator: { $0 == "," || $0 == ";" }).lazy.map { String(trimmed($0)) }
        return Array(parts.filter { !$0.isEmpty }.prefix(mostEntries))
    }

    private static func trimmed(_ text: Substring) -> Substring {
        var text = text
        while let first = text.first, first == " " || first == "\t" { text.removeFirst() }
        while let last = text.last, last == " " || last == "\t" { text.removeLast() }
        return text
    }
}
