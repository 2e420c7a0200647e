/// What a `MemoryFileStore` holds: what programs see, what is on the disk for sure, and the changes between the two.
struct MemoryDisk {
    enum FileChange {
        case write([UInt8], at: Int)
        case truncate(Int)

        func apply(to bytes: inout [UInt8]) {
            switch self {
            case .write(let part, let offset):
                let end = offset + part.count
                if bytes.count < end { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
                bytes.replaceSubrange(offset..<end, with: part)
            case .truncate(let size):
                if size < bytes.count { bytes.removeLast(bytes.count - size) }
                if size > bytes.count { bytes += [UInt8](repeating: 0, count: size - bytes.count) }
            }
        }
    }

    /// What lies in folders: files by number, and folders.
    struct Names {
        var files: [String: Int] = [:]
        var folders: Set<String> = ["/"]

        /// The names in `folder`, in order.
        func names(in folder: String) -> [String] {
            let prefix = folder == "/" ? 1 : folder.count + 1
            var names: [String] = []
            for path in Array(files.keys) + Array(folders) where path != "/" {
                if MemoryDisk.folder(of: path) == folder { names.append(String(path.dropFirst(prefix))) }
            }
            return names.sorted()
        }

        /// Takes away what lies in folders that are not there.
        mutating func removeUnreachable() {
            let folders = folders.filter { path in
                var path = path
                while path != "/", self.folders.contains(path) { path = MemoryDisk.folder(of: path) }
                return path == "/"
            }
            self.folders = folders
            files = files.filter { folders.contains(MemoryDisk.folder(of: $0.key)) }
        }
    }

    enum NameChange {
        case link(Int, String)
        case unlink(String)
        case move(Int, from: String, to: String)
        case makeFolder(String)
        case removeFolder(String)

        func apply(to names: inout Names) {
            switch self {
            case .link(let file, let path): names.files[path] = file
            case .unlink(let path): names.files[path] = nil
            case .move(let file, let path, let target):
                if names.files[path] == file { names.files[path] = nil }
                names.files[target] = file
            case .makeFolder(let path): names.folders.insert(path)
            case .removeFolder(let path):
                names.folders.remove(path)
                // A folder goes with what had been in it, even where the disk has not heard that it is gone.
                names.files = names.files.filter { MemoryDisk.folder(of: $0.key) != path }
            }
        }

        var path: String {
            switch self {
            case .link(_, let path), .unlink(let path), .move(_, _, let path), .makeFolder(let path),
                .removeFolder(let path):
                path
            }
        }
    }

    struct File {
        var bytes: [UInt8] = []
        var durable: [UInt8] = []
        var changes: [FileChange] = []
        /// The end of the room that is reserved.
        var reserved = 0
        /// As it was set: there is no clock.
        var modified: Double = 0

        /// The room that it takes.
        var roomBytes: Int { max(bytes.count, reserved) }

        mutating func reserve(upTo size: Int) { reserved = max(reserved, size) }
    }

    /// Sizes beyond are refused: a file's bytes are all in memory.
    static let sizeLimit: Int64 = 1 << 30
    /// The largest size of a file that the process is allowed.
    var largestFile: Int64?

    var files: [Int: File] = [:]
    var names = Names()
    var durableNames = Names()
    /// Times of folders, as they were set.
    var folderTimes: [String: Double] = [:]
    var nameChanges: [NameChange] = []
    var locks: [Int: ObjectIdentifier] = [:]
    var capacity: Int64?
    private var nextNumber = 0

    init(folders: [String]) {
        for folder in folders {
            var path = folder
            while names.folders.insert(path).inserted { path = Self.folder(of: path) }
        }
        durableNames = names
    }

    static func folder(of path: String) -> String {
        guard let slash = path.lastIndex(of: "/"), slash > path.startIndex else { return "/" }
        return String(path[..<slash])
    }

    var usedBytes: Int64 { files.values.reduce(0) { $0 + Int64($1.roomBytes) } }

    /// The length up to `end` that a file can have within the capacity.
    func fitting(_ number: Int, upTo end: Int) -> Int {
        guard let capacity, let file = files[number], end > file.roomBytes else { return end }
        return min(end, file.roomBytes + Int(max(capacity - usedBytes, 0)))
    }

    mutating func create(_ path: String) -> Int {
        nextNumber += 1
        files[nextNumber] = File()
        change(.link(nextNumber, path))
        return nextNumber
    }

    mutating func change(_ change: NameChange) {
        change.apply(to: &names)
        nameChanges.append(change)
    }

    mutating func change(_ change: FileChange, of number: Int) {
        // Taken out, so that its bytes are changed in their place.
        guard var file = files.removeValue(forKey: number) else { return }
        change.apply(to: &file.bytes)
        file.changes.append(change)
        if case .truncate(let size) = change { file.reserved = size }
        files[number] = file
    }

    mutating func synchronize(file number: Int) {
        guard var file = files.removeValue(forKey: number) else { return }
        for change in file.changes { change.apply(to: &file.durable) }
        file.changes = []
        files[number] = file
    }

    mutating func synchronize(folder: String) {
        for change in nameChanges where Self.folder(of: change.path) == folder { change.apply(to: &durableNames) }
        nameChanges.removeAll { Self.folder(of: $0.path) == folder }
    }
}
