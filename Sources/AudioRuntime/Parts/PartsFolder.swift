package import AudioCore

/// The folder of a recording in parts, beside the file that it becomes:
///
///     Interview.m4a.parts/0001.m4a 0002.m4a … recording.log
package struct PartsFolder: Sendable {
    /// One part as its name says.
    package struct Part: Sendable, Hashable {
        /// From 1 on.
        package var number: Int
        package var path: String
    }

    package let path: String

    package init(path: String) {
        var path = path
        while path.utf8.count > 1, path.utf8.last == UInt8(ascii: "/") { path.removeLast() }
        self.path = path
    }

    package static let suffix = ".parts"

    /// True for the name or path of such a folder.
    static func isName(_ path: String) -> Bool { path.hasSuffix(suffix) && path != suffix }

    /// The joined recording until it has its name, in the folder.
    static let joining = "joining"
    /// Names that are tried for one recording.
    static let nameLimit = 10_000

    /// Makes a new folder for the parts of `target`. One that is there already holds a recording that was not joined: it
    /// is left as it is, and another number is taken.
    static func make(for target: String, files: any FileStore) throws(AudioFailure) -> PartsFolder {
        for number in 1...nameLimit {
            let path = number == 1 ? target + suffix : "\(target).\(number)\(suffix)"
            do throws(AudioFailure) {
                try files.makeFolder(path)
                return PartsFolder(path: path)
            } catch {
                if error.code != .alreadyExists { throw error }
            }
        }
        throw AudioFailure(.limitReached, "There are \(nameLimit) folders of parts of '\(target)'.", path: target)
    }

    static func name(of part: Int, in container: ContainerKind) -> String {
        let digits = String(part)
        return String(repeating: "0", count: max(4 - digits.count, 0)) + digits + "." + container.name
    }

    func path(of part: Int, in container: ContainerKind) -> String {
        "\(path)/\(Self.name(of: part, in: container))"
    }

    /// The parts that lie here, in order; of one container, which is that of the first where `container` is nil.
    package func parts(of container: ContainerKind? = nil, files: any FileStore) throws(AudioFailure) -> [Part] {
        var found: [(part: Part, container: ContainerKind)] = []
        for name in try files.contents(of: path) {
            let pieces = name.split(separator: ".", omittingEmptySubsequences: false)
            guard pieces.count == 2, pieces[0].utf8.count >= 4,
                pieces[0].utf8.allSatisfy({ (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) }),
                let number = Int(pieces[0]), number > 0, let kind = ContainerKind(fileExtension: String(pieces[1])),
                name == Self.name(of: number, in: kind)
            else { continue }
            found.append((Part(number: number, path: "\(path)/\(name)"), kind))
        }
        found.sort { $0.part.number < $1.part.number }
        let kind = container ?? found.first?.container
        return found.filter { $0.container == kind }.map(\.part)
    }

    /// Removes the parts, the session file and the folder; something else that lies there stays, with the folder.
    func remove(in runtime: Runtime) throws(AudioFailure) {
        let files = runtime.files
        guard try files.status(path) != nil else { return }
        let container = PartsSession(PartsLog.entries(in: path, files: files)).container
        for part in try parts(of: container, files: files) { try files.remove(part.path) }
        for name in [Self.joining, PartsLog.name] where try files.status("\(path)/\(name)") != nil {
            try files.remove("\(path)/\(name)")
        }
        if try files.contents(of: path).isEmpty { try files.removeFolder(path) }
    }

    /// The name of the file that the parts become, as the folder's own name tells it: "Interview.m4a" of
    /// "Interview.m4a.parts" and of "Interview.m4a.2.parts".
    var targetName: String? {
        let name = FilePath.lastComponent(path)
        guard name.hasSuffix(Self.suffix), name.utf8.count > Self.suffix.utf8.count else { return nil }
        let target = String(name.dropLast(Self.suffix.count))
        let pieces = target.split(separator: ".", omittingEmptySubsequences: false)
        if pieces.count > 2, let last = pieces.last, Int(last) != nil {
            return pieces.dropLast().joined(separator: ".")
        }
        return target
    }
}
