import AudioCore
import AudioRuntime
import Foundation
import PlatformLinux
import TestSupport
import Testing

@Suite("Session file of parts")
struct PartsLogTests {
    let scratch: TemporaryFolder
    let files = LinuxFileStore()

    init() throws { scratch = try TemporaryFolder() }

    static let entries: [PartsLog.Entry] = [
        .recording(target: "Gespräch 100%=\n.m4a", keepsParts: true, replaces: .init(size: 5, modified: 1.5e9)),
        .stream(
            .m4a,
            StreamDescription(
                codec: .aac,
                sampleRate: 44_100,
                channelCount: 1,
                framesPerPacket: 1024,
                configuration: [0x12, 0x08],
                primingFrames: 1024
            )
        ),
        .stream(
            .wav,
            StreamDescription(
                codec: .linearPCM(LinearPCMLayout(bitsPerSample: 32, isFloat: true, isBigEndian: false)),
                sampleRate: 8_000,
                channelCount: 2,
                framesPerPacket: 1,
                bytesPerPacket: 8,
                bitsPerChannel: 32
            )
        ),
        .begun(part: 1, start: 0), .finished(part: 1, frames: 13_230_080), .ended(frames: 13_230_080), .joining,
        .publishing(source: "joining", target: "a b.m4a", frames: 13_230_080, mark: .init(size: 99, modified: 1.25)),
        .joined(target: "a b.m4a", frames: 13_230_080),
    ]

    @Test("entries come back as they were written, over several openings")
    func roundTrip() throws {
        var log = try PartsLog.create(in: scratch.path("."), files: files)
        for entry in Self.entries { try log.append([entry]) }
        #expect(log.entries == Self.entries)
        log.close()
        log = try PartsLog.open(in: scratch.path("."), files: files)
        try log.append(Self.entries)
        #expect(log.entries == Self.entries + Self.entries)
        log.close()
        #expect(PartsLog.entries(in: scratch.path("."), files: files).count == 2 * Self.entries.count)
        let text = String(decoding: try scratch.read(PartsLog.name), as: UTF8.self)
        #expect(text.split(separator: "\n").count == 2 * Self.entries.count, "one line each")
    }

    @Test("a damaged byte costs one line at most two; what is torn off costs what is torn")
    func damage() throws {
        let log = try PartsLog.create(in: scratch.path("."), files: files)
        try log.append(Self.entries)
        log.close()
        let bytes = try scratch.read(PartsLog.name)
        var random = SeededGenerator(seed: 7)
        for index in stride(from: 0, to: bytes.count, by: 5) {
            var damaged = bytes
            damaged[index] ^= UInt8.random(in: 1...255, using: &random)
            let folder = try TemporaryFolder()
            _ = try folder.write(damaged, to: PartsLog.name)
            let found = PartsLog.entries(in: folder.path("."), files: files)
            // A line's end that is damaged joins two lines.
            #expect(found.count >= Self.entries.count - 2)
            #expect(found.allSatisfy { Self.entries.contains($0) }, "byte \(index)")
        }
        for length in stride(from: 0, to: bytes.count, by: 37) {
            let folder = try TemporaryFolder()
            _ = try folder.write(Array(bytes[..<length]), to: PartsLog.name)
            let before = PartsLog.entries(in: folder.path("."), files: files)
            #expect(before == Array(Self.entries.prefix(before.count)))
            let torn = try PartsLog.open(in: folder.path("."), files: files)
            try torn.append([.joining])
            #expect(torn.entries == before + [.joining])
            torn.close()
        }
    }

    @Test("whoever works on the parts holds the lock")
    func lock() throws {
        let log = try PartsLog.create(in: scratch.path("."), files: files)
        let failure = #expect(throws: AudioFailure.self) { try PartsLog.open(in: scratch.path("."), files: files) }
        #expect(failure?.code == .busy)
        log.close()
        try PartsLog.open(in: scratch.path("."), files: files).close()
    }

    @Test("names that lead elsewhere are not taken")
    func hostileNames() throws {
        let log = try PartsLog.create(in: scratch.path("."), files: files)
        try log.append(["../x", "/etc/passwd", "..", ".", ""].map { .joined(target: $0, frames: 1) })
        #expect(log.entries.isEmpty)
        log.close()
    }
}
