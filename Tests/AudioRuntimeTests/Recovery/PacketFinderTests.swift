import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// The finders of packets by themselves: bytes in, sizes out.
@Suite("Packet finders")
struct PacketFinderTests {
    struct Kind: Sendable, CustomTestStringConvertible {
        var codec: EncodingRequest.Codec
        var channels: Int
        var testDescription: String { "\(codec), \(channels) channels" }
    }

    static let kinds = [
        Kind(codec: .aac, channels: 1), Kind(codec: .aac, channels: 2), Kind(codec: .alac, channels: 1),
        Kind(codec: .alac, channels: 2),
    ]

    private let runtime = Runtime.test()

    private func take(_ kind: Kind, seconds: Int = 6) throws -> CutTake {
        var random = SeededGenerator(seed: 8)
        return try CutTake(
            EncodingRequest(codec: kind.codec, sampleRate: 44_100, channelCount: kind.channels),
            frames: seconds * 44_100,
            runtime: runtime
        ) { time in
            // Speech-like: it swells, and never repeats itself.
            let swell = 0.5 + 0.5 * sin(3 * time)
            return swell * (0.3 * sin(2_765 * time) + Double.random(in: -0.1...0.1, using: &random))
        }
    }

    /// The places of packets in `bytes`, found as a stream that has lost its table is read: on from each place where some
    /// packets follow each other, and byte by byte between them.
    private func places(_ bytes: [UInt8], _ finder: any PacketFinder) throws -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = 0
        while start < bytes.count {
            let rest = Array(bytes[start...])
            let mayStart = finder.mayStart(with: bytes[start]) || found.last?.upperBound ?? 0 == start
            let sizes = mayStart ? try finder.sizes(in: rest, isEnd: true) : []
            // What fits by chance is not followed by others that fit.
            guard sizes.count > 3 || sizes.reduce(start, +) == bytes.count else {
                start += 1
                continue
            }
            for size in sizes {
                found.append(start..<start + size)
                start += size
            }
        }
        return found
    }

    private static func places(_ packets: [EncodedPacket]) -> [Range<Int>] {
        var start = 0
        return packets.map { packet in
            defer { start += packet.bytes.count }
            return start..<start + packet.bytes.count
        }
    }

    @Test("every packet of a stream without its table", arguments: kinds)
    func all(_ kind: Kind) throws {
        let take = try take(kind)
        let finder = try #require(try runtime.media.makePacketFinder(take.stream))
        let sizes = try finder.sizes(in: take.packets.flatMap(\.bytes), isEnd: true)
        let expected = take.packets.map(\.bytes.count)
        let isEqual = areEqual(sizes, expected)
        #expect(isEqual, "\(sizes.count) of \(expected.count)")
        #expect(take.packets.allSatisfy { $0.bytes.count <= finder.longestPacket })
        // Some packets of AAC begin with what an encoder says of itself, or with padding.
        let starts = take.packets.filter { finder.mayStart(with: $0.bytes[0]) }
        #expect(starts.count * 2 > take.packets.count)
    }

    @Test("a packet that is cut is not there", arguments: kinds)
    func cut(_ kind: Kind) throws {
        let take = try take(kind, seconds: 2)
        let finder = try #require(try runtime.media.makePacketFinder(take.stream))
        let bytes = take.packets.prefix(8).flatMap(\.bytes)
        let sizes = try finder.sizes(in: Array(bytes.dropLast(9)), isEnd: false)
        #expect(sizes == Array(take.packets.prefix(sizes.count).map(\.bytes.count)))
        #expect((6...7).contains(sizes.count), "\(sizes.count)")
    }

    /// Damage ends the run of packets in the one that it hits or right behind; from the next whole packet on all are found.
    @Test("damage in the middle costs the packets that it hits", arguments: kinds)
    func damage(_ kind: Kind) throws {
        let take = try take(kind, seconds: 3)
        let finder = try #require(try runtime.media.makePacketFinder(take.stream))
        let expected = Self.places(take.packets)
        let middle = expected[expected.count / 2]
        var bytes = take.packets.flatMap(\.bytes)
        var random = SeededGenerator(seed: 5)
        let hit = middle.lowerBound + 5..<middle.lowerBound + 25
        for index in hit { bytes[index] = UInt8.random(in: 0...255, using: &random) }
        let found = Set(try places(bytes, finder))
        let missing = expected.filter { !found.contains($0) }
        // The packet, and of AAC the one behind it, which a decoder reads together with it.
        #expect(missing.count <= 2, "\(missing.count) of \(expected.count)")
        #expect(missing.allSatisfy { $0.upperBound >= middle.lowerBound && $0.lowerBound <= middle.upperBound + 4_096 })
    }

    @Test("noise ends in linear time, and is no stream", arguments: kinds)
    func noise(_ kind: Kind) throws {
        let take = try take(kind, seconds: 1)
        let finder = try #require(try runtime.media.makePacketFinder(take.stream))
        var random = SeededGenerator(seed: 6)
        let noise = (0..<1 << 16).map { _ in UInt8.random(in: 0...255, using: &random) }
        func seconds(_ count: Int) throws -> Double {
            let start = ContinuousClock.now
            // As a search does: from every place where one could start, as far as a few packets reach.
            for index in 0..<count where finder.mayStart(with: noise[index]) {
                let piece = Array(noise[index..<min(index + 8 * finder.longestPacket, count)])
                let sizes = try finder.sizes(in: piece, isEnd: false)
                #expect(sizes.count < 6)
            }
            return (ContinuousClock.now - start) / .seconds(1)
        }
        let small = try seconds(noise.count / 8)
        let large = try seconds(noise.count)
        // Eight times as much, with room for a busy machine; quadratic would be 64 times.
        #expect(large < 32 * small + 1, "\(small) s, \(large) s")
        for bytes in [[UInt8](repeating: 0, count: 1 << 16), [UInt8](repeating: 0xFF, count: 1 << 16), []] {
            _ = try finder.sizes(in: bytes, isEnd: true)
        }
    }
}
