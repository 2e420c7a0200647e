import AudioCore
import AudioRuntime
import Foundation
import PlatformLinux
import TestSupport
import Testing

/// Sectors of the first page trashed, as a power cut can leave them: the audio is found, by a whole file of the same
/// settings where the file itself no longer says what it is.
@Suite("Damaged heads")
struct HeadDamageTests {
    private let bench: FileRecoveryTests

    init() throws { bench = try FileRecoveryTests() }

    /// Kinds whose audio does not begin within the first page are hit in their tables there; of the others the sectors
    /// behind the first are audio.
    @Test(arguments: FileRecoveryTests.kinds.indices)
    func theAudioBehindATrashedSectorIsFound(index: Int) throws {
        let (codec, container) = FileRecoveryTests.kinds[index]
        let ending = container.name
        let (path, take) = try bench.killed("torn.\(ending)", codec, container, frames: 100_000)
        let good = bench.folder + "/good.\(ending)"
        try take.write(0..<take.packets.count, leadIn: 0, to: good, container)
        let whole = try bench.content(path)
        let expected = try decoded(path, bench.runtime)
        let hasTables = container == .m4a || container == .caf
        var random = SeededGenerator(seed: UInt64(index))
        for (sector, first) in [(512, 0), (4096, 0)] + (hasTables ? (1..<8).map { (512, $0 * 512) } : []) {
            for isNoise in [false, true] {
                var torn = whole
                for place in first..<min(first + sector, torn.count) {
                    torn[place] = isNoise ? UInt8.random(in: 0...255, using: &random) : 0
                }
                _ = try bench.scratch.write(torn, to: "takes/torn.\(ending)")
                let options = FileRecovery.Options(
                    like: good,
                    folder: bench.scratch.path("out \(first) \(sector) \(isNoise)")
                )
                try bench.runtime.files.makeFolder(try #require(options.folder))
                let found = try #require(try bench.recovery(options).recover(file: path))
                let place: Comment =
                    "\(ending) \(codec): \(sector) bytes at \(first), \(isNoise ? "noise" : "zeros"): \(found)"
                let samples = try decoded(found.recording, bench.runtime)
                // Of audio that lay in the sector itself, nothing is asked.
                let lost = hasTables ? 0 : Self.framesIn(sector, codec)
                #expect(samples.count <= expected.count + 1024 && samples.count >= expected.count - lost, place)
                // Counted from the end: everything but the first stretch is what it was.
                let kept = min(samples.count, expected.count) - max(lost, 4096)
                #expect(difference(Array(expected.suffix(kept)), Array(samples.suffix(kept))) < -60, place)
                // The torn file stays.
                #expect(areEqual(try bench.content(path), torn) || found.recording == path, place)
            }
        }
    }

    /// Frames that so many bytes can hold: of FLAC and Opus everything up to the next frame or page.
    private static func framesIn(_ bytes: Int, _ codec: EncodingRequest.Codec) -> Int {
        switch codec {
        case .flac: 2 * 4096 * (bytes / 2048 + 1)
        case .opus: 48_000
        default: bytes
        }
    }
}
