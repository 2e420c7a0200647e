import AudioCore
import Foundation
import MediaFFmpeg
import Testing

/// Damaged files: an answer or a typed failure, soon.
@Suite struct HostileFileTests {
    private static let media = MediaRegistry(providers: [FFmpegProvider()])

    @Test(arguments: [
        ("t.mp3", "-c:a libmp3lame"), ("t.aac", "-c:a aac"), ("t.ogg", "-c:a libvorbis"), ("t.oga", "-c:a flac"),
        ("t.mka", "-c:a libopus"), ("t.ac3", "-c:a ac3"), ("t.w64", ""), ("t.wma", "-c:a wmav2"),
        ("t.wv", "-c:a wavpack"),
        ("t.tta", "-c:a tta"), ("t.wav", "-c:a adpcm_ms"), ("t.m4a", "-c:a aac"), ("t.aiff", ""),
        ("t.caf", "-c:a alac"),
        ("t.au", ""), ("t.flac", ""), ("t.eac3", "-c:a eac3"), ("t.dts", "-strict -2 -c:a dca"),
    ]) func threeHundredFlips(_ name: String, _ arguments: String) throws {
        let tone = "sox -R -r 48000 -n -b 16 -c 2 t.wav synth 0.25 sine 440 sine 500 vol 0.5"
        let content = try Scratch.make(
            name,
            "\(tone) && mv t.wav s.wav && ffmpeg -v error -i s.wav \(arguments) \(name)"
        ).content
        let environment = ProcessInfo.processInfo.environment
        // For a long run by hand.
        var generator = SeededRandom(seed: environment["KAYIT_FLIP_SEED"].flatMap(UInt64.init) ?? 3)
        let rounds = environment["KAYIT_FLIPS"].flatMap(Int.init) ?? 300
        let clock = ContinuousClock()
        for round in 0..<rounds {
            var damaged = content
            // The header is where most fields are.
            let area = round.isMultiple(of: 2) ? min(256, damaged.count) : damaged.count
            for _ in 0..<Int.random(in: 1...8, using: &generator) {
                damaged[Int.random(in: 0..<area, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            if round % 7 == 0 { damaged.removeLast(Int.random(in: 1..<damaged.count, using: &generator)) }
            let took = clock.measure { read(Bytes(damaged)) }
            #expect(took < .seconds(6), "round \(round): \(took)")
        }
    }

    private func read(_ source: Bytes) {
        do {
            let reader = try FFmpegProvider().openReader(source, hint: nil)
            guard let reader, let decoder = try FFmpegProvider().makeDecoder(reader.stream) else { return }
            #expect((reader.validFrames?.value ?? 0) >= 0)
            let frames = FrameReader(reader: reader, decoder: decoder)
            let buffer = PCMBuffer(format: frames.format, capacity: 4096)
            // Ten seconds of audio at most: a header may promise years.
            for _ in 0..<120 {
                buffer.setFrameLength(0)
                do throws(AudioFailure) {
                    if try frames.read(into: buffer) == 0 { break }
                } catch  where error.code == .malformedMedia {
                    continue
                }
            }
            try frames.seek(to: FrameCount(5000))
            buffer.setFrameLength(0)
            _ = try frames.read(into: buffer)
            try frames.seek(to: FrameCount(Int64.max / 2))
        } catch {
            #expect(error.code != .internal, "\(error)")
        }
    }

    @Test func otherContentIsNotTaken() throws {
        var generator = SeededRandom(seed: 11)
        let noise = (0..<200_000).map { _ in UInt8.random(in: 0...255, using: &generator) }
        let contents: [[UInt8]] = [
            noise,
            [UInt8](repeating: 0, count: 100_000),
            Array("#EXTM3U\n#EXT-X-TARGETDURATION:10\n#EXTINF:9,\nfile:///etc/passwd\n#EXT-X-ENDLIST\n".utf8),
            Array("ffconcat version 1.0\nfile '/etc/passwd'\n".utf8),
            Array("v=0\no=- 0 0 IN IP4 127.0.0.1\nc=IN IP4 127.0.0.1\nm=audio 5004 RTP/AVP 0\n".utf8),
            Array("<?xml version=\"1.0\"?><MPD xmlns=\"urn:mpeg:dash:schema:mpd:2011\"></MPD>".utf8),
            Array("Some words that are no audio at all.\n".utf8),
            [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A],
            [0],
        ]
        for content in contents {
            #expect(try FFmpegProvider().openReader(Bytes(content), hint: nil) == nil)
        }
    }

    @Test func failuresOfTheSourceComeThrough() throws {
        final class Broken: ByteSource {
            let content: Bytes
            let limit: Int64
            init(_ content: Bytes, limit: Int64) {
                self.content = content
                self.limit = limit
            }
            func size() throws(AudioFailure) -> Int64 { try content.size() }
            func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
                if offset >= limit { throw AudioFailure(.inputOutput, "The disk does not answer.", errno: 5) }
                return try content.read(into: buffer, at: offset)
            }
        }
        let whole = try Scratch.make(
            "t.mp3",
            "sox -R -r 44100 -n -b 16 t.wav synth 20 sine 440 && lame --quiet t.wav t.mp3"
        )
        for limit in [0, 100_000] as [Int64] {
            let failure = #expect(throws: AudioFailure.self) {
                try Self.media.openReader(Broken(whole, limit: limit))
            }
            #expect(failure?.code == .inputOutput)
            #expect(failure?.errno == 5)
        }
    }
}
