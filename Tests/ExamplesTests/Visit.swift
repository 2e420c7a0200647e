import Foundation
import Testing

import TestSupport

/// One run of an example, with folders of its own, and what it printed.
struct Visit {
    /// Home and temporary folder of the example; its files lie here until this is gone.
    let folder: TemporaryFolder
    /// What it printed.
    let output: String
    private let messages: String
    private let status: Int32

    /// - Parameters:
    ///   - example: the name of its target.
    ///   - argument: what kind of visit.
    ///   - environment: beside the simulated device.
    ///   - fileLimit: bytes after which the system refuses to let a file grow, as a full disk does.
    init(
        _ example: String,
        _ argument: String? = nil,
        environment: [String: String] = [:],
        fileLimit: Int? = nil
    ) throws {
        folder = try TemporaryFolder()
        let path = folder.url.path
        // Foundation takes the home folder from the password file unless this name says otherwise.
        var variables = ["KAYIT_AUDIO": "simulated", "CFFIXED_USER_HOME": path, "TMPDIR": path + "/"]
        variables.merge(environment) { $1 }
        let program = Self.products.appendingPathComponent(example).path
        // The signal that comes with the limit is set aside, so that the write fails with an error as on a full disk.
        // The limit counts blocks of 512 bytes.
        let limit = fileLimit.map { "trap '' XFSZ; ulimit -f \($0 / 512); " } ?? ""
        let result = try ExternalTool.run(
            "sh",
            ["-c", limit + "exec \"$@\"", "sh", program] + (argument.map { [$0] } ?? []),
            environment: variables
        )
        output = result.text
        messages = result.messages
        status = result.status
    }

    /// Where the build puts programs: beside the test bundle, which is this process.
    private static var products: URL {
        URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    }

    /// The lines about a point: "A01 kept: …".
    func lines(of point: String) -> [Substring] {
        output.split(separator: "\n").filter { $0.hasPrefix(point + " ") }
    }

    /// What the example noted about a point, in order.
    func notes(of point: String) -> [String] {
        lines(of: point).compactMap { line in
            line.hasPrefix("\(point) note: ") ? String(line.dropFirst(point.count + 7)) : nil
        }
    }

    /// Fails the test for each promise that was not kept, and for each point without one.
    func expectKept(_ points: [String], location: SourceLocation = #_sourceLocation) {
        let broken = output.split(separator: "\n").filter { $0.contains(" BROKEN: ") }
        #expect(broken.isEmpty, "\(output)\n\(messages)", sourceLocation: location)
        for point in points {
            #expect(
                lines(of: point).contains { $0.hasPrefix("\(point) kept: ") },
                "\(point) has no promise that was kept:\n\(output)\n\(messages)",
                sourceLocation: location
            )
        }
        #expect(status == 0, "\(messages)", sourceLocation: location)
    }
}

/// What an independent reader says of a file.
struct Probe: Equatable {
    var codec: String
    var sampleRate: Int
    var channels: Int

    init(codec: String, sampleRate: Int, channels: Int) {
        self.codec = codec
        self.sampleRate = sampleRate
        self.channels = channels
    }

    init(file: String) throws {
        let entries = "stream=codec_name,sample_rate,channels"
        let result = try ExternalTool.run(
            "ffprobe",
            ["-v", "error", "-show_entries", entries, "-of", "default=noprint_wrappers=1", "file:" + file]
        )
        var values: [Substring: Substring] = [:]
        for line in result.text.split(separator: "\n") {
            let parts = line.split(separator: "=", maxSplits: 1)
            if parts.count == 2 { values[parts[0]] = parts[1] }
        }
        codec = String(values["codec_name"] ?? "none: \(result.messages)")
        sampleRate = values["sample_rate"].flatMap { Int($0) } ?? 0
        channels = values["channels"].flatMap { Int($0) } ?? 0
    }
}
