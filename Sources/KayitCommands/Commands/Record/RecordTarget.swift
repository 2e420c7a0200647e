package import Foundation
package import RecordingKit

/// Where a recording goes.
package enum RecordTarget {
    /// A name that no other recording has.
    case reserved(ReservedFile)
    /// A file that may be replaced.
    case replacing(URL)

    package var url: URL {
        switch self {
        case .reserved(let file): file.url
        case .replacing(let url): url
        }
    }

    /// Takes away an empty file that was made for a recording that never began.
    package func release() {
        if case .reserved(let file) = self { file.release() }
    }

    /// Chooses and takes the name.
    /// - Parameters:
    ///   - date: the moment that a dated name shows.
    ///   - environment: names the notes folder.
    package static func choose(_ options: RecordOptions, date: Date, environment: [String: String]) throws
        -> RecordTarget
    {
        if let file = options.file {
            let url = try FileArgument.url(file)
            return options.replaces ? .replacing(url) : try named(url, as: file)
        }
        let folder = notesFolder(environment)
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw RecordingError(
                .accessDenied,
                "Cannot make the notes folder '\(folder.path)': \((error as NSError).localizedDescription)"
                    + " KAYIT_NOTES names another."
            )
        }
        return .reserved(
            try ReservedFile(name: datedName(date, TimeZone.current), fileExtension: options.fileExtension, in: folder)
        )
    }

    private static func named(_ url: URL, as file: String) throws(RecordingError) -> RecordTarget {
        do throws(RecordingError) {
            return .reserved(try ReservedFile(url))
        } catch {
            guard error.code == .alreadyExists else { throw error }
            throw RecordingError(
                .alreadyExists,
                "'\(file)' exists and was left as it is. Choose another name, or replace it with --force.",
                path: file
            )
        }
    }

    /// Where a recording goes on when its disk takes no more: the folder that was named, none, or else folders that are
    /// likely to be on other disks.
    package static func rescueFolders(_ named: String?, _ environment: [String: String]) throws(UsageError) -> [URL] {
        if named == "none" { return [] }
        if let named { return [try FileArgument.url(named)] }
        let folders = [notesFolder(environment).path, NSHomeDirectory() + "/Recordings"]
        let others = [environment["XDG_RUNTIME_DIR"], "/tmp"].compactMap { $0 }.filter { !$0.isEmpty }
        return (folders + others).map { URL(fileURLWithPath: $0, isDirectory: true) }
    }

    /// `KAYIT_NOTES`, else `Recordings` in the home folder.
    package static func notesFolder(_ environment: [String: String]) -> URL {
        if let folder = environment["KAYIT_NOTES"], !folder.isEmpty {
            return (try? FileArgument.url(folder)) ?? URL(fileURLWithPath: folder, isDirectory: true)
        }
        return URL(fileURLWithPath: NSHomeDirectory() + "/Recordings", isDirectory: true)
    }

    /// "2025-06-14 09.30.12": sorts by time, and no file system refuses it.
    package static func datedName(_ date: Date, _ zone: TimeZone) -> String {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = zone
        let parts = calendar.dateComponents([.year, .month, .day, .hour, .minute, .second], from: date)
        let numbers = [parts.year, parts.month, parts.day, parts.hour, parts.minute, parts.second].map { $0 ?? 0 }
        return String(
            format: "%04d-%02d-%02d %02d.%02d.%02d",
            numbers[0],
            numbers[1],
            numbers[2],
            numbers[3],
            numbers[4],
            numbers[5]
        )
    }
}
