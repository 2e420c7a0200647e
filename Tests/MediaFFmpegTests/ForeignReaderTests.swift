import AudioCore
import Foundation
import MediaFFmpeg
import Testing

private let media = MediaRegistry(providers: [FFmpegProvider()])

/// Other people's formats: the right length, the right place.
@Suite struct ForeignReaderTests {
    struct Fixture: Sendable, CustomTestStringConvertible {
        var name: String
        /// `ffmpeg` arguments, or a whole command line.
        var make: String
        var sampleRate = 44_100
        /// How far the length and the place may be off, in seconds.
        var tolerance: Double
        var container: String
        var codec: CodecID

        var testDescription: String { "\(name) \(make) \(sampleRate)" }

        /// `seconds` of a sine of 440 Hz, half full scale.
        func source(seconds: Int = 3) throws -> Bytes {
            let tone = "sox -R -r \(sampleRate) -n -b 16 t.wav synth \(seconds) sine 440 vol 0.5"
            let command = make.contains("t.wav") ? make : "ffmpeg -v error -i t.wav \(make) \(name)"
            return try Scratch.make(name, "\(tone) && \(command)")
        }
    }

    static let fixtures: [Fixture] = [
        // With delay information: to the frame, but never more than 1 ms.
        .init(
            name: "t.mp3",
            make: "-c:a libmp3lame -b:a 128k",
            tolerance: 0.001,
            container: "mp3",
            codec: .foreign("mp3")
        ),
        .init(
            name: "t.mp3",
            make: "lame --quiet -V 4 t.wav t.mp3",
            tolerance: 0.001,
            container: "mp3",
            codec: .foreign("mp3")
        ),
        .init(
            name: "t.mp3",
            make: "lame --quiet -V 4 t.wav t.mp3",
            sampleRate: 22_050,
            tolerance: 0.001,
            container: "mp3",
            codec: .foreign("mp3")
        ),
        .init(
            name: "t.mp3",
            make: "lame --quiet -b 64 t.wav t.mp3",
            sampleRate: 8000,
            tolerance: 0.001,
            container: "mp3",
            codec: .foreign("mp3")
        ),
        .init(
            name: "t.ogg",
            make: "-c:a libvorbis -q:a 4",
            tolerance: 0.001,
            container: "ogg",
            codec: .foreign("vorbis")
        ),
        .init(
            name: "t.ogg",
            make: "sox t.wav -t vorbis t.ogg",
            tolerance: 0.001,
            container: "ogg",
            codec: .foreign("vorbis")
        ),
        .init(name: "t.oga", make: "-c:a flac", tolerance: 0, container: "ogg", codec: .flac),
        .init(name: "t.oga", make: "flac --silent --ogg -o t.oga t.wav", tolerance: 0, container: "ogg", codec: .flac),
        .init(
            name: "t.flac",
            make: "flac --silent --stdout - < t.wav > t.flac",
            tolerance: 0,
            container: "flac",
            codec: .flac
        ),
        .init(name: "t.mka", make: "-c:a flac", tolerance: 0, container: "matroska", codec: .flac),
        .init(
            name: "t.mka",
            make: "-c:a libopus",
            sampleRate: 48_000,
            tolerance: 0.001,
            container: "matroska",
            codec: .opus
        ),
        .init(
            name: "t.webm",
            make: "-c:a libopus",
            sampleRate: 48_000,
            tolerance: 0.001,
            container: "matroska",
            codec: .opus
        ),
        .init(
            name: "t.opus",
            make: "opusenc --quiet t.wav t.opus",
            sampleRate: 48_000,
            tolerance: 0.001,
            container: "ogg",
            codec: .opus
        ),
        .init(name: "t.wv", make: "-c:a wavpack", tolerance: 0, container: "wv", codec: .foreign("wavpack")),
        .init(name: "t.tta", make: "-c:a tta", tolerance: 0, container: "tta", codec: .foreign("tta")),
        // Without: 50 ms.
        .init(
            name: "t.mp3",
            make: "-c:a libmp3lame -write_xing 0",
            tolerance: 0.05,
            container: "mp3",
            codec: .foreign("mp3")
        ),
        .init(name: "t.aac", make: "-c:a aac", tolerance: 0.05, container: "aac", codec: .aac),
        .init(name: "t.aac", make: "-c:a aac", sampleRate: 48_000, tolerance: 0.05, container: "aac", codec: .aac),
        .init(name: "t.mka", make: "-c:a aac", tolerance: 0.05, container: "matroska", codec: .aac),
        .init(name: "t.mka", make: "-c:a libvorbis", tolerance: 0.05, container: "matroska", codec: .foreign("vorbis")),
        .init(name: "t.mka", make: "-c:a libmp3lame", tolerance: 0.05, container: "matroska", codec: .foreign("mp3")),
        .init(
            name: "t.ac3",
            make: "-c:a ac3",
            sampleRate: 48_000,
            tolerance: 0.05,
            container: "ac3",
            codec: .foreign("ac3")
        ),
        .init(
            name: "t.eac3",
            make: "-c:a eac3",
            sampleRate: 48_000,
            tolerance: 0.05,
            container: "eac3",
            codec: .foreign("eac3")
        ),
        .init(name: "t.wma", make: "-c:a wmav2 -b:a 128k", tolerance: 0.05, container: "asf", codec: .foreign("wmav2")),
        .init(name: "t.mp2", make: "-c:a mp2", tolerance: 0.05, container: "mp3", codec: .foreign("mp2")),
    ]

    @Test(arguments: fixtures) func lengthAndPlace(_ item: Fixture) throws {
        let reader = try FrameReader(try item.source(), media: media)
        #expect(reader.reader.container == .foreign(item.container))
        #expect(reader.reader.stream.codec == item.codec)
        #expect(reader.reader.integrity == .complete)
        let rate = reader.format.sampleRate
        let length = try #require(reader.length).seconds(at: rate)
        #expect(abs(length - 3) <= item.tolerance, "\(length) s")

        let bytes = try reader.readAll()
        let frames = bytes.count / reader.format.bytesPerFrame
        #expect(frames == Int(try #require(reader.length).value))
        let first = frames / 2
        let inner = reader.channel(of: bytes, from: first, count: Int(rate) / 4)
        let level = Signal.amplitude(of: 440, in: inner[...], sampleRate: rate)
        // LAME lowers its input by 5 %.
        #expect(abs(level - 0.5) < 0.03, "\(level)")
        if item.tolerance <= 0.001 {
            // The sine lies where it was: a shift of 1 ms would leave a ratio of −7 dB.
            let ideal = inner.indices.map { 0.5 * sin(2 * Double.pi * 440 * Double(first + $0) / rate) }
            let ratio = Signal.ratio(of: ideal[...], to: inner[...])
            #expect(ratio > 20, "\(ratio) dB")
        }
    }

    /// PCM and ADPCM: decoded elsewhere, or in blocks. The count is the header's.
    @Test(arguments: [
        ("t.w64", "sox t.wav t.w64", 0), ("t.w64", "ffmpeg -v error -i t.wav t.w64", 0), ("t.au", "sox t.wav t.au", 0),
        ("t.sph", "ffmpeg -v error -i t.wav -f ircam t.sph", 0),
        ("t.aiff", "sox t.wav t.aiff", 0), ("t.wav", "cp t.wav u.wav", 0),
        ("t.m4a", "ffmpeg -v error -i t.wav t.m4a", 0),
        ("t.mov", "ffmpeg -v error -i t.wav -c:a adpcm_ima_qt t.mov", 64),
        ("u.wav", "ffmpeg -v error -i t.wav -c:a adpcm_ms u.wav", 1100),
        ("u.wav", "ffmpeg -v error -i t.wav -c:a adpcm_ima_wav u.wav", 2041),
    ]) func headersCount(_ name: String, _ command: String, padding: Int) throws {
        let source = try Scratch.make(name, "sox -R -r 44100 -n -b 16 t.wav synth 10 sine 440 vol 0.5 && \(command)")
        let reader = try #require(try FFmpegProvider().openReader(source, hint: nil))
        let length = try #require(reader.validFrames)
        #expect((441_000...(441_000 + Int64(padding))).contains(length.value), "\(length)")

        // Packets hold at least that, and a seek tells where it is.
        var total = 0
        while let packet = try reader.nextPacket() { total += packet.frames }
        #expect(total >= Int(length.value))
        for frame in [0, 1, 100_000, 250_001, 440_999] {
            var at = try reader.seek(toDecodedFrame: FrameCount(frame), preroll: 0).value
            #expect(at <= Int64(frame) && at > Int64(frame) - 100_000)
            while let packet = try reader.nextPacket() { at += Int64(packet.frames) }
            #expect(at == Int64(total))
        }
    }

    /// A file that ends too early: what is there is read, counted as it is.
    @Test(arguments: [
        ("t.mp3", "lame --quiet -V 4 t.wav t.mp3"), ("t.aac", "ffmpeg -v error -i t.wav t.aac"),
        ("t.ogg", "ffmpeg -v error -i t.wav -c:a libvorbis t.ogg"),
        ("t.mka", "ffmpeg -v error -i t.wav -c:a flac t.mka"),
        ("t.w64", "sox t.wav t.w64"),
    ]) func cutFiles(_ name: String, _ command: String) throws {
        let tone = "sox -R -r 44100 -n -b 16 t.wav synth 12 sine 440 vol 0.5"
        let whole = try Scratch.make(name, "\(tone) && \(command)")
        let cut = Bytes(Array(whole.content.prefix(whole.content.count * 2 / 3)))
        let reader = try #require(try FFmpegProvider().openReader(cut, hint: nil))
        let length = try #require(reader.validFrames)
        #expect(abs(length.seconds(at: 44_100) - 8) < 1.2, "\(length)")
        guard let decoder = try FFmpegProvider().makeDecoder(reader.stream) else { return }
        let frames = FrameReader(reader: reader, decoder: decoder)
        var total = 0
        var failures = 0
        let buffer = PCMBuffer(format: frames.format, capacity: 16_384)
        while true {
            buffer.setFrameLength(0)
            do throws(AudioFailure) {
                let read = try frames.read(into: buffer)
                if read == 0 { break }
                total += read
            } catch {
                failures += 1
            }
        }
        #expect(total == Int(length.value))
        #expect(failures <= 1)
    }

    /// One pitch for each second: after a seek the second tells where the reader is.
    @Test(arguments: [
        ("t.aac", "ffmpeg -v error -i t.wav -c:a aac -b:a 96k t.aac"),
        ("t.mp3", "lame --quiet -V 5 -t t.wav t.mp3"),
        ("t.mp3", "lame --quiet -V 2 t.wav t.mp3"),
        ("t.ogg", "ffmpeg -v error -i t.wav -c:a libvorbis t.ogg"),
        ("t.oga", "ffmpeg -v error -i t.wav -c:a flac t.oga"),
        ("t.oga", "flac --silent --ogg -o t.oga t.wav"),
        ("t.mka", "ffmpeg -v error -i t.wav -c:a aac t.mka"),
        ("t.mka", "ffmpeg -v error -i t.wav -c:a libvorbis t.mka"),
        ("t.ac3", "ffmpeg -v error -i t.wav -c:a ac3 t.ac3"),
        ("t.wma", "ffmpeg -v error -i t.wav -c:a wmav2 t.wma"),
    ]) func seeksLandOnTheRightSecond(_ name: String, _ command: String) throws {
        let staircase = try Self.staircase.get()
        let source = try Scratch.make(name, "ln -s '\(staircase.path)/s.wav' t.wav && \(command)")
        let reader = try FrameReader(source, media: media)
        let length = try #require(reader.length).seconds(at: 44_100)
        #expect(abs(length - 60) <= 0.05, "\(length)")

        // In counting: what is read after a seek is what is read there from the start.
        let all = try reader.readAll()
        let count = 1024
        var generator = SeededRandom(seed: 7)
        for _ in 0..<200 {
            let second = Int.random(in: 0..<60, using: &generator)
            let frame = second * 44_100 + 8000 + Int.random(in: 0..<20_000, using: &generator)
            try reader.seek(to: FrameCount(frame))
            let values = reader.channel(
                of: try reader.readAll(limit: count * reader.format.bytesPerFrame),
                count: count
            )
            let level = Signal.amplitude(of: Self.pitch(of: second), in: values[...], sampleRate: 44_100)
            #expect(level > 0.4, "second \(second): \(level)")
            let ratio = Signal.ratio(of: reader.channel(of: all, from: frame, count: count)[...], to: values[...])
            #expect(ratio > 40, "frame \(frame): \(ratio) dB")
        }
    }

    private static func pitch(of second: Int) -> Double { 300 + 100 * Double(second) }

    /// The WAV file of 60 pitches, made once.
    private static let staircase = Result {
        let scratch = try Scratch()
        let steps = (0..<60).map { "\"|sox -R -r 44100 -n -p synth 1 sine \(pitch(of: $0)) vol 0.5\"" }
        try scratch.run("sox \(steps.joined(separator: " ")) -b 16 s.wav")
        return scratch
    }
}
