package import AudioCore
import Glibc

/// Puts files into the trash of the desktop, as the Trash specification of freedesktop.org (1.0) lays it out, and gets
/// them back. Nothing is ever deleted here.
package struct Trash: Sendable {
    /// Whose trash it is.
    package struct Owner: Sendable {
        /// The folder of the home trash, which is made where it is missing.
        package var homeTrash: String?
        package var userID: UInt32

        package init(homeTrash: String?, userID: UInt32) {
            self.homeTrash = homeTrash
            self.userID = userID
        }

        /// Of the process: `$XDG_DATA_HOME/Trash`, else `~/.local/share/Trash`.
        package static var current: Owner {
            var folder = HostSelection.environment("XDG_DATA_HOME").flatMap { $0.hasPrefix("/") ? $0 : nil }
            if folder == nil, let home = HostSelection.environment("HOME"), home.hasPrefix("/") {
                folder = home + "/.local/share"
            }
            return Owner(homeTrash: folder.map { $0 + "/Trash" }, userID: getuid())
        }
    }

    /// One file in the trash.
    package struct Item: Sendable, Hashable {
        /// Where it was.
        package var original: String
        /// Where it is.
        package var path: String
        /// What says where it was.
        package var information: String
        /// When it was put there, in local time ("2026-11-30T20:15:00").
        package var date: String
    }

    let files: any FileStore
    let owner: Owner

    package init(files: any FileStore, owner: Owner = .current) {
        self.files = files
        self.owner = owner
    }

    /// Moves a file or folder into the trash.
    /// - Throws: where no trash on its file system can be used; the file is then where it was.
    package func discard(_ path: String) throws(AudioFailure) -> Item {
        try put(path) { (path, target) throws(AudioFailure) in
            try files.rename(path, to: target, replacing: false)
        }
    }

    /// Puts a second name of a file into the trash, so that the file is there when something takes the place of its first.
    /// - Throws: `unsupported` where the file system knows no second names.
    package func keep(_ path: String) throws(AudioFailure) -> Item {
        try put(path) { (path, target) throws(AudioFailure) in try files.link(path, to: target) }
    }

    private func put(_ path: String, _ move: (String, String) throws(AudioFailure) -> Void) throws(AudioFailure) -> Item
    {
        let path = FilePath.absolute(path)
        let place = try place(for: path)
        let item = try describe(path, in: place)
        do throws(AudioFailure) {
            try move(path, item.path)
        } catch {
            try? files.remove(item.information)
            throw error
        }
        for folder in [place.folder + "/files", place.folder + "/info", FilePath.folder(of: path)] {
            try? files.synchronizeFolder(folder)
        }
        return item
    }

    // MARK: Where

    struct Place {
        var folder: String
        /// What paths in it are relative to; nil for the home trash, which has whole ones.
        var top: String?
    }

    /// The trash on the file system of `path`: a move to another one would be a copy, and take the room that is missing.
    private func place(for path: String) throws(AudioFailure) -> Place {
        let folder = FilePath.folder(of: path)
        guard let volume = try files.volume(of: folder) else {
            throw AudioFailure(.notFound, "There is no folder '\(folder)'.", path: folder)
        }
        if let home = owner.homeTrash, try homeVolume(home) == volume {
            try makeFolders(home)
            return Place(folder: home, top: nil)
        }
        let top = try top(of: folder, volume)
        for place in sharedPlaces(top) {
            do throws(AudioFailure) {
                try makeFolders(place.folder)
                return place
            } catch {
                continue
            }
        }
        throw AudioFailure(.accessDenied, "There is no trash on the disk of '\(path)' that can be used.", path: path)
    }

    /// The trash folders of a volume: of the administrator's, where there is one, and of the user's own.
    private func sharedPlaces(_ top: String) -> [Place] {
        let root = top == "/" ? "" : top
        let own = Place(folder: "\(root)/.Trash-\(owner.userID)", top: top)
        let shared = "\(root)/.Trash"
        // Only a real folder with the sticky bit is to be trusted; who cannot tell uses the other.
        var information = stat()
        guard lstat(shared, &information) == 0, information.st_mode & S_IFMT == S_IFDIR,
            information.st_mode & S_ISVTX != 0
        else { return [own] }
        return [Place(folder: "\(shared)/\(owner.userID)", top: top), own]
    }

    private func homeVolume(_ home: String) throws(AudioFailure) -> UInt64? {
        var folder = home
        while folder != "/", folder != "." {
            if let volume = try files.volume(of: folder) { return volume }
            folder = FilePath.folder(of: folder)
        }
        return try files.volume(of: folder)
    }

    /// The highest folder on the same file system.
    private func top(of folder: String, _ volume: UInt64) throws(AudioFailure) -> String {
        var top = folder
        while top != "/" {
            let above = FilePath.folder(of: top)
            guard above != top, try files.volume(of: above) == volume else { return top }
            top = above
        }
        return top
    }

    private func makeFolders(_ trash: String) throws(AudioFailure) {
        for folder in [trash, trash + "/files", trash + "/info"] { try makeFolder(folder) }
    }

    private func makeFolder(_ folder: String) throws(AudioFailure) {
        if let status = try files.status(folder) {
            if status.isFolder { return }
            throw AudioFailure(.accessDenied, "'\(folder)' is not a folder.", path: folder)
        }
        if folder != "/" { try makeFolder(FilePath.folder(of: folder)) }
        do throws(AudioFailure) {
            try files.makePrivateFolder(folder)
        } catch {
            // Another process was faster.
            guard error.code == .alreadyExists else { throw error }
        }
    }

    // MARK: What

    /// Writes what says where the file was, under a name that nothing in the trash has.
    private func describe(_ path: String, in place: Place) throws(AudioFailure) -> Item {
        let name = FilePath.lastComponent(path)
        for number in 1...10_000 {
            let numbered = number == 1 ? name : "\(name).\(number)"
            let item = Item(
                original: path,
                path: "\(place.folder)/files/\(numbered)",
                information: "\(place.folder)/info/\(numbered).trashinfo",
                date: LocalTime.now.text
            )
            if try files.status(item.path) != nil { continue }
            do throws(AudioFailure) {
                let file = try files.open(item.information, .creatingExclusively)
                defer { file.close() }
                try file.write(Array(TrashInformation(item, relativeTo: place.top).text.utf8), at: 0)
                try file.synchronize()
                return item
            } catch {
                guard error.code == .alreadyExists else { throw error }
            }
        }
        throw AudioFailure(.limitReached, "The trash is full of files named '\(name)'.", path: path)
    }

    // MARK: Back

    /// What this program has put into the trash, of the home and of the file systems of `folders`; the newest first.
    package func items(near folders: [String] = []) -> [Item] {
        var places: [Place] = owner.homeTrash.map { [Place(folder: $0, top: nil)] } ?? []
        for folder in folders.map(FilePath.absolute) {
            guard let volume = try? files.volume(of: folder), let top = try? top(of: folder, volume) else { continue }
            places += sharedPlaces(top).filter { place in !places.contains { $0.folder == place.folder } }
        }
        var items: [Item] = []
        for place in places {
            for name in (try? files.contents(of: place.folder + "/info")) ?? [] where name.hasSuffix(".trashinfo") {
                if let item = item(name, in: place) { items.append(item) }
            }
        }
        return items.sorted { ($0.date, $0.path) > ($1.date, $1.path) }
    }

    private func item(_ name: String, in place: Place) -> Item? {
        let information = "\(place.folder)/info/\(name)"
        let path = "\(place.folder)/files/\(name.dropLast(".trashinfo".count))"
        guard let file = try? files.open(information, .reading) else { return nil }
        defer { file.close() }
        guard let size = try? file.size(), size < 64 << 10, let bytes = try? file.bytes(at: 0, count: Int(size)),
            let content = TrashInformation(reading: bytes, relativeTo: place.top), content.isOurs,
            (try? files.status(path)) ?? nil != nil
        else { return nil }
        return Item(original: content.path, path: path, information: information, date: content.date)
    }

    /// Puts a file back where it was, or beside what has its name now.
    /// - Returns: where it is.
    package func restore(_ item: Item) throws(AudioFailure) -> String {
        var target = item.original
        for number in 2...10_000 {
            do throws(AudioFailure) {
                try files.rename(item.path, to: target, replacing: false)
                try? files.synchronizeFolder(FilePath.folder(of: target))
                try? files.remove(item.information)
                return target
            } catch {
                guard error.code == .alreadyExists else { throw error }
                target = FilePath.numbered(item.original, "\(number)")
            }
        }
        throw AudioFailure(.limitReached, "All names for '\(item.original)' are taken.", path: item.original)
    }
}
