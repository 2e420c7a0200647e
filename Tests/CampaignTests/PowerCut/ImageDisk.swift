import Foundation
import Glibc
import TestSupport

/// A real ext4 file system in an image, of which a copy can be taken at any moment: what a machine finds whose power
/// failed then.
///
/// The image lies in a second file system that is frozen for the copy. Freezing lets the request to the image's disk that
/// is under way end, and holds back all that follow: so the copy is the disk at one moment, also in the midst of a
/// synchronisation. What the kernel still held in memory is not in it.
final class ImageDisk: Sendable {
    /// Where the file system of the image is mounted.
    let mountPoint: String
    private let folder: TemporaryFolder
    private let outer: String

    /// Whether this process may mount images, and why not.
    static let isPossible: Bool = {
        guard geteuid() == 0, ExternalTool.areInstalled("mkfs.ext4", "e2fsck", "mount", "umount") else { return false }
        return (try? ImageDisk()) != nil
    }()

    init() throws {
        folder = try TemporaryFolder()
        outer = folder.path("outer")
        mountPoint = folder.path("inner")
        for point in [outer, mountPoint] {
            try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        }
        let outerImage = folder.path("outer.img")
        do {
            // No journal outside: the copy is of what was written, by a disk that keeps the order of its requests.
            try Self.makeImage(outerImage, megabytes: 80, options: ["-O", "^has_journal"])
            try Self.run("mount", ["-o", "loop,noatime", outerImage, outer])
            try Self.makeImage("\(outer)/disk.img", megabytes: 64, options: [])
            try Self.run("mount", ["-o", "loop", "\(outer)/disk.img", mountPoint])
        } catch {
            unmount()
            throw error
        }
    }

    deinit { unmount() }

    private func unmount() {
        // A file that is still open would hold it.
        for point in [mountPoint, outer] {
            eventually(within: 10) { (try? ExternalTool.run("umount", [point]).status) == 0 || !Self.isMounted(point) }
        }
    }

    private static func isMounted(_ point: String) -> Bool {
        let mounts = (try? String(contentsOfFile: "/proc/self/mounts", encoding: .utf8)) ?? ""
        return mounts.contains(" \(point) ")
    }

    private static func makeImage(_ path: String, megabytes: Int, options: [String]) throws {
        try run("truncate", ["-s", "\(megabytes)M", path])
        try run("mkfs.ext4", ["-q", "-F", "-b", "4096"] + options + [path])
    }

    private static func run(_ name: String, _ arguments: [String]) throws {
        let result = try ExternalTool.run(name, arguments)
        if result.status != 0 { throw SetupFailure("\(name): \(result.messages)") }
    }

    /// Copies the image as it is now.
    func copy(to path: String) throws {
        let descriptor = open(outer, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw SetupFailure("'\(outer)' cannot be opened.") }
        defer { close(descriptor) }
        // FIFREEZE and FITHAW (ioctl_fifreeze in the kernel's fs.h).
        var nothing: Int32 = 0
        guard ioctl(descriptor, 0xC004_5877, &nothing) == 0 else { throw SetupFailure("It does not freeze.") }
        defer { _ = ioctl(descriptor, 0xC004_5878, &nothing) }
        try FileManager.default.copyItem(atPath: "\(outer)/disk.img", toPath: path)
    }

    /// Looks at a copy as a machine does that starts again: has its journal replayed, checks it, mounts it for reading.
    static func inspect(_ image: String, _ body: (_ mountPoint: String) throws -> Void) throws {
        // 1: the journal was replayed, or something else was put right.
        let repair = try ExternalTool.run("e2fsck", ["-p", image])
        guard repair.status <= 1 else { throw SetupFailure("e2fsck: \(repair.text)") }
        let check = try ExternalTool.run("e2fsck", ["-fn", image])
        guard check.status == 0 else { throw SetupFailure("e2fsck finds: \(check.text)") }
        let folder = try TemporaryFolder()
        let point = folder.path("copy")
        try FileManager.default.createDirectory(atPath: point, withIntermediateDirectories: true)
        try run("mount", ["-o", "loop,ro", image, point])
        defer { eventually(within: 10) { (try? ExternalTool.run("umount", [point]).status) == 0 } }
        try body(point)
    }
}
