import AudioCore
import AudioRuntime
import AudioSimulation
import Foundation
import TestSupport
import Testing

/// Files may have a largest size, of any number of bytes: a recording is refused at its start, or uses what there is.
@Suite("Largest size of files")
struct SizeLimitTests {
    /// Every size up to 256 KiB in steps of 1 KiB, and odd ones, where all of it is asked for; otherwise some of each.
    static let limits: [Int64] = {
        let isWhole = ProcessInfo.processInfo.environment["KAYIT_SIZE_LIMITS"] != nil
        let whole = (1...256 as ClosedRange<Int64>).map { $0 << 10 } + [511, 20_479, 65_537, 81_921, 131_071]
        if isWhole { return whole }
        var random = SeededGenerator(seed: 41)
        return [1 << 10, 20 << 10, 64 << 10, 81_921]
            + (0..<2).map { _ in
                Int64.random(in: 48 << 10...256 << 10, using: &random)
            }
    }()

    /// Beside the sound: what the ending keeps for itself, and what packets leave at its end.
    static let unused: Int64 = 40 << 10

    @Test("a recording is refused, or everything up to the limit is kept", arguments: RecordedKind.all)
    func limits(_ kind: RecordedKind) async throws {
        var started = 0
        for limit in Self.limits {
            for partLength in [nil, Duration.seconds(300)] {
                started += try await take(kind, limit, partLength) ? 1 : 0
            }
        }
        // A tenth of a megabyte holds no three seconds of every kind.
        let needsLittle = kind.codec == .aac || kind.codec == .opus
        #expect(started > 0 || !needsLittle)
    }

    /// - Returns: false where it was refused.
    private func take(_ kind: RecordedKind, _ limit: Int64, _ partLength: Duration?) async throws -> Bool {
        let bench = FaultBench(kind)
        bench.memory.setLargestFile(limit)
        let engine = bench.engine()
        engine.options.partLength = partLength
        let place = "\(kind.name), \(limit) bytes\(partLength == nil ? "" : ", in parts")"
        do {
            try engine.record()
        } catch {
            #expect(error.code == .noSpace, "\(place): \(error)")
            let says = error.message.contains("\(limit)") || error.message.contains("File too large")
            #expect(says, "\(place): \(error.message)")
            #expect(bench.memory.names(in: "/takes").isEmpty, "\(place)")
            // What has room for a few seconds, and for the heads of the file, is not refused.
            let rate = Double(kind.bytesPerSecond)
            #expect(Double(limit) < 3 * rate + Double(Self.unused), "\(place) is refused: \(error.message)")
            return false
        }
        let stream = try #require(bench.host.capture)
        for index in 0..<400 {
            guard stream.hear(FaultBench.noise(9_600, seed: UInt64(index))) else { break }
            let frames = Int64(index * 9_600)
            #expect(await eventually { engine.frames.value >= frames || engine.phase == .stopped })
        }
        #expect(await eventually { engine.phase == .stopped }, "\(place): the limit is reached")
        _ = engine.joinJob?.wait()
        let reports = await bench.reported(engine)
        #expect(reports == ["failed noSpace", "finished false"], "\(place): \(reports)")
        let frames = try FaultBench.frames(in: bench.memory).count
        let size = Int64(bench.memory.content(of: FaultBench.path)?.count ?? 0)
        #expect(frames > 48_000, "\(place): \(frames) frames")
        #expect(size > limit - Self.unused, "\(place): \(size) bytes")
        #expect(try FaultBench.integrity(in: bench.memory) == .complete, "\(place)")
        return true
    }
}

extension RecordedKind {
    /// About the bytes that a second of noise takes at 48 kHz.
    fileprivate var bytesPerSecond: Int {
        switch codec {
        case .aac: 12_000
        case .opus: 8_000
        case .ima4: 25_500
        default: 96_000
        }
    }
}
