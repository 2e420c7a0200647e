import AudioCore
import MediaCodecs
import MediaContainers
import MediaFFmpeg
import Testing
import TestSupport

/// From the file to the frames: what is damaged becomes silence of its own length, and seeking is exact.
@Suite(.enabled(if: ExternalTool.areInstalled("flac", "opusenc")))
struct DecodedInPlaceTests {
    private static let media = MediaRegistry(providers: [ContainerProvider(), PCMCodecProvider(), FFmpegProvider()])

    /// Mono frames from `start` on; failures of packets are counted.
    private func frames(of bytes: [UInt8], from start: FrameCount = 0) throws -> (samples: [Float], failures: Int) {
        let reader = try FrameReader(MemoryFile(bytes, isRecording: false), media: Self.media)
        try reader.seek(to: start)
        let floats = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: 1)
        let buffer = PCMBuffer(format: reader.format, capacity: 4_096)
        let converted = PCMBuffer(format: floats, capacity: 4_096)
        let converter = SampleConverter(from: reader.format, to: floats)
        var result: [Float] = []
        var failures = 0
        while true {
            buffer.setFrameLength(0)
            do throws(AudioFailure) {
                if try reader.read(into: buffer) == 0 { break }
            } catch {
                #expect(error.code == .malformedMedia)
                failures += 1
                continue
            }
            converter.convert(buffer, into: converted)
            result += converted.samples(as: Float.self).prefix(converted.frameLength)
        }
        return (result, failures)
    }

    @Test func flac() throws {
        let encoded = try FLACTests.encoded(channels: 1)
        let whole = try frames(of: encoded.file)
        let source = try LivePCMTakes.frames(of: encoded.source).1
        #expect(whole.samples == source && whole.failures == 0)
        for start in [1, 4_095, 4_096, 33_333] {
            #expect(try frames(of: encoded.file, from: FrameCount(start)).samples == Array(source[start...]))
        }
        var damaged = encoded.file
        let audioStart = damaged.count - encoded.packets.reduce(0) { $0 + $1.bytes.count }
        damaged[audioStart + encoded.packets[0].bytes.count + encoded.packets[1].bytes.count / 2] ^= 0x55
        let found = try frames(of: damaged)
        #expect(found.failures == 1 && found.samples.count == source.count)
        #expect(found.samples[..<4_096] == source[..<4_096])
        #expect(found.samples[4_096..<8_192].allSatisfy { $0 == 0 })
        #expect(found.samples[8_192...] == source[8_192...])
    }

    @Test func opus() throws {
        let encoded = try OggOpusTests.encoded(channels: 1)
        let whole = try frames(of: encoded.file)
        #expect(whole.samples.count == 100_000 && whole.failures == 0)
        let part = try frames(of: encoded.file, from: 70_001).samples
        #expect(part.count == 29_999)
        // The decoder converges behind the 80 ms of pre-roll; one frame beside would be an error of 0.02 and more.
        #expect(Self.error(part, whole.samples[70_001...]) < 0.01)

        let file = MemoryFile()
        let writer = try LivePCMTakes.media.makeWriter(.oggOpus, stream: encoded.stream, file: file)
        for packet in encoded.packets { try writer.append(packet) }
        try writer.finish(validFrames: 100_000)
        var damaged = file.bytes
        let pages = damaged.indices.filter { damaged[$0...].starts(with: Array("OggS".utf8)) }
        damaged[pages[5] + 100] ^= 0xFF
        let found = try frames(of: damaged)
        #expect(found.failures == 1 && found.samples.count == 100_000)
        // Pages 2 to 4 hold 28 800 frames, the pre-skip of 312 among them; then 200 ms are silent.
        #expect(found.samples[28_500..<38_000].allSatisfy { abs($0) < 1e-6 })
        #expect(Self.error(found.samples[48_000...], whole.samples[48_000...]) < 0.01)
    }

    /// Root mean square of the difference.
    private static func error(_ found: some Sequence<Float>, _ expected: some Sequence<Float>) -> Float {
        var (sum, count) = (Float(0), Float(0))
        for (first, second) in zip(found, expected) {
            sum += (first - second) * (first - second)
            count += 1
        }
        return (sum / max(count, 1)).squareRoot()
    }
}
