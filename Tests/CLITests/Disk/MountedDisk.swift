import Foundation
import Glibc
import TestSupport

/// A file system of the test's own, gone when the test is.
final class MountedDisk: Sendable {
    enum Kind: Sendable {
        /// In memory, of so many bytes and files.
        case memory(bytes: Int, files: Int? = nil)
        /// ext4 in an image file of so many MiB.
        case ext4(megabytes: Int)
    }

    private let scratch: TemporaryFolder
    let path: String

    /// Whether this machine lets us mount: root may, most builders may not.
    static let canMount = canMount(.memory(bytes: 1 << 20))
    /// Whether it has loop devices too.
    static let canMountImages = canMount && canMount(.ext4(megabytes: 8))

    private static func canMount(_ kind: Kind) -> Bool { (try? MountedDisk(kind)) != nil }

    init(_ kind: Kind) throws {
        scratch = try TemporaryFolder()
        path = scratch.path("disk")
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        switch kind {
        case .memory(let bytes, let files):
            let options = "size=\(bytes)" + (files.map { ",nr_inodes=\($0)" } ?? "")
            try Self.run("mount", ["-t", "tmpfs", "-o", options, "none", path])
        case .ext4(let megabytes):
            try Self.run("truncate", ["-s", "\(megabytes)M", scratch.path("image")])
            try Self.run("mkfs.ext4", ["-q", scratch.path("image")])
            try mountImage()
        }
    }

    deinit { _ = try? Self.run("umount", ["--lazy", path]) }

    func file(_ name: String) -> URL { URL(fileURLWithPath: path).appendingPathComponent(name) }

    var names: [String] {
        ((try? FileManager.default.contentsOfDirectory(atPath: path)) ?? []).filter { $0 != "lost+found" }.sorted()
    }

    private func mountImage() throws { try Self.run("mount", ["-o", "loop", scratch.path("image"), path]) }

    /// Stops the file system as an error of the disk does: every call fails from now on (EXT4_IOC_SHUTDOWN, with what is in
    /// the journal brought to the disk).
    func shutDown() throws {
        let script = "open(my $f, '<', $ARGV[0]) or die $!; my $a = pack('L', 1); ioctl($f, 0x8004587d, $a) or die $!;"
        try Self.run("perl", ["-e", script, path])
    }

    /// Mounts the image anew, as the next start of the machine does.
    func mountAgain() throws {
        try Self.run("umount", [path])
        try mountImage()
    }

    @discardableResult
    static func run(_ name: String, _ arguments: [String]) throws -> String {
        // What is not in everybody's search path.
        let path = (ProcessInfo.processInfo.environment["PATH"] ?? "") + ":/usr/sbin:/sbin"
        let result = try ExternalTool.run("env", ["PATH=\(path)", name] + arguments)
        guard result.status == 0 else { throw SetupFailure("\(name): \(result.messages)") }
        return result.text
    }
}
