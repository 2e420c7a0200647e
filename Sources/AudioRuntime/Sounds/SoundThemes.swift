package import AudioCore

/// Finds the sounds of the desktop by their names, as freedesktop.org's Sound Theme Specification says.
package struct SoundThemes: Sendable {
    /// A sound that a theme has.
    package struct Entry: Sendable, Hashable {
        package var name: String
        package var path: String
    }

    /// The folders in which themes lie, the first one first.
    private let bases: [String]
    /// The folders of languages, the most special first, then none.
    private let languages: [String]
    private let files: any FileStore

    /// The theme in which everything is looked for in the end.
    private static let last = "freedesktop"
    private static let endings = [".oga", ".ogg", ".wav"]
    /// A file that says that there is no sound of the name, whatever other themes have.
    private static let silence = ".disabled"
    private static let mostThemes = 32
    private static let mostFiles = 10_000

    /// - Parameter environment: gives a variable, nil where it is not set.
    package init(files: any FileStore, environment: (String) -> String?) {
        self.files = files
        let home = environment("XDG_DATA_HOME") ?? environment("HOME").map { $0 + "/.local/share" }
        let shared = environment("XDG_DATA_DIRS") ?? "/usr/local/share:/usr/share"
        let folders = [home ?? ""] + shared.split(separator: ":").map(String.init)
        // Relative ones are to be ignored, as the Base Directory Specification says.
        bases = folders.filter { $0.hasPrefix("/") }.map { $0 + "/sounds" }
        let locale = environment("LC_ALL") ?? environment("LC_MESSAGES") ?? environment("LANG") ?? ""
        languages = Self.languages(of: locale).filter(SoundThemeIndex.isOnePart).map { $0 + "/" } + [""]
    }

    /// The themes of this machine.
    package static func system(_ files: any FileStore) -> SoundThemes {
        SoundThemes(files: files) { HostSelection.environment($0) }
    }

    /// The file of a sound; nil where no theme has it, or one says that there shall be none.
    ///
    /// Of "a-b-c" also "a-b" and "a" are looked for. What a theme has of them comes before what it inherits, so that the
    /// sounds of a desktop fit together.
    package func path(of name: String, in theme: String) -> String? {
        let places = indices(from: theme).map(folders) + [bases]
        for folders in places {
            var name = name[...]
            while true {
                switch find(String(name), in: folders) {
                case .file(let path): return path
                case .silence: return nil
                case .nothing: break
                }
                guard let dash = name.lastIndex(of: "-") else { break }
                name = name[..<dash]
            }
        }
        return nil
    }

    /// All sounds of the theme and of those that it inherits from, by their names.
    package func entries(in theme: String) -> [Entry] {
        let folders = indices(from: theme).flatMap(folders)
        var names: Set<String> = []
        for folder in folders {
            for language in languages {
                let contents = (try? files.contents(of: folder + "/" + language)) ?? []
                for file in contents.prefix(Self.mostFiles) {
                    guard let ending = Self.endings.first(where: file.hasSuffix) else { continue }
                    names.insert(String(file.dropLast(ending.count)))
                }
            }
        }
        return names.sorted().compactMap { name in
            guard case .file(let path) = find(name, in: folders) else { return nil }
            return Entry(name: name, path: path)
        }
    }

    // MARK: Names

    private enum Finding {
        case file(String)
        case silence
        case nothing
    }

    private func find(_ name: String, in folders: [String]) -> Finding {
        guard SoundThemeIndex.isOnePart(name) else { return .nothing }
        for folder in folders {
            for language in languages {
                let path = "\(folder)/\(language)\(name)"
                if isFile(path + Self.silence) { return .silence }
                for ending in Self.endings where isFile(path + ending) { return .file(path + ending) }
            }
        }
        return .nothing
    }

    private func isFile(_ path: String) -> Bool {
        guard let status = try? files.status(path) else { return false }
        return !status.isFolder
    }

    // MARK: Themes

    /// The theme, those that it inherits from, and the last one of all, each once.
    private func indices(from theme: String) -> [(theme: String, index: SoundThemeIndex)] {
        var found: [(String, SoundThemeIndex)] = []
        var seen: Set<String> = []
        var waiting = [theme, Self.last]
        while let next = waiting.first, found.count < Self.mostThemes {
            waiting.removeFirst()
            guard SoundThemeIndex.isThemeName(next), seen.insert(next).inserted, let index = index(of: next) else {
                continue
            }
            found.append((next, index))
            // Depth first: a parent's parents come before the next parent. The last theme stays the last.
            waiting = index.parents.filter { $0 != Self.last } + waiting
        }
        return found
    }

    /// The first description in the order of the bases counts.
    private func index(of theme: String) -> SoundThemeIndex? {
        for base in bases {
            let path = "\(base)/\(theme)/index.theme"
            guard let file = try? files.open(path, .reading) else { continue }
            defer { file.close() }
            guard let size = try? file.size() else { continue }
            let count = Int(clamping: min(max(size, 0), Int64(SoundThemeIndex.longestText)))
            guard let bytes = try? file.bytes(at: 0, count: count) else { continue }
            return SoundThemeIndex(parsing: bytes)
        }
        return nil
    }

    /// The folders of a theme in all bases: those made for two speakers first, then those that do not say.
    private func folders(of theme: String, _ index: SoundThemeIndex) -> [String] {
        let ranked =
            index.folders.filter { $0.profile == "stereo" } + index.folders.filter { $0.profile == nil }
            + index.folders.filter { $0.profile != nil && $0.profile != "stereo" }
        return ranked.flatMap { folder in bases.map { "\($0)/\(theme)/\(folder.path)" } }
    }

    /// "de_AT.UTF-8@euro" is looked for as "de_AT@euro", "de_AT" and "de".
    private static func languages(of locale: String) -> [String] {
        let isPlain = locale.isEmpty || locale == "C" || locale == "POSIX" || locale.hasPrefix("C.")
        if isPlain { return ["C"] }
        let modifier = locale.firstIndex(of: "@").map { String(locale[$0...]) } ?? ""
        let place = String(locale.prefix { $0 != "." && $0 != "@" })
        let language = String(place.prefix { $0 != "_" })
        var names: [String] = []
        for name in [place + modifier, place, language, "C"] where !name.isEmpty && !names.contains(name) {
            names.append(name)
        }
        return names
    }
}
