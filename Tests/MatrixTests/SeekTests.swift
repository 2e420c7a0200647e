import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Random places in files: what is read after a seek is what is read there from the start, and finding it costs little.
@Suite("Seeks")
struct SeekTests {
    /// Seconds of processor that one seek, with what it reads, may take; a machine that is busy makes it wait, not work.
    private static let limit = 0.05
    private static let seeks = 200
    private static let count = 512

    @Test("in what we write", arguments: Pair.all)
    func inOurs(_ pair: Pair) throws {
        let folder = try TemporaryFolder()
        let url = folder.file("a.\(pair.container.name)")
        let frames = Int(4 * pair.rates[0]) + 123
        try SoundFile.write(Take(pair, rate: pair.rates[0], channels: 1, frames: frames), pair, to: url)
        // A decoder of Opus finds back to what it would have given within the 80 ms in front, but for some 15 dB on the average.
        let ratio = pair.container == .oggOpus ? 8.0 : 30
        try expectSeeks(in: url, isExact: pair.floor == nil, frames: frames, ratio: ratio)
    }

    /// Files whose heads say little or nothing of their lengths, and what lies behind a limit.
    static let odd: [(name: String, command: String)] = [
        ("vbr.mp3", "lame --quiet -V 4 IN OUT"),
        ("vbr-without-head.mp3", "lame --quiet -V 4 -t IN OUT"),
        ("adts.aac", "ffmpeg -v error -i IN -c:a aac -b:a 96k OUT"),
        ("vorbis.ogg", "oggenc --quiet -q 4 -o OUT IN"),
        (
            "chained.ogg",
            "oggenc --quiet -q 4 -s 1 -o OUT.1 IN && oggenc --quiet -q 4 -s 2 -o OUT.2 IN && cat OUT.1 OUT.2 >OUT"
        ),
        (
            "chained.opus",
            "opusenc --quiet --serial 1 IN OUT.1 && opusenc --quiet --serial 2 IN OUT.2 && cat OUT.1 OUT.2 >OUT"
        ),
        ("without-total.flac", "ffmpeg -v error -i IN -c:a flac -f flac - | cat >OUT"),
        ("streamed.wav", "ffmpeg -v error -i IN -f wav - | cat >OUT"),
    ]

    @Test(
        "in files that say little of themselves; their length is known at once",
        .enabled(if: ExternalTool.areInstalled("ffmpeg", "lame", "oggenc", "opusenc")),
        arguments: odd.map { $0.name }
    )
    func inOddOnes(_ name: String) throws {
        let folder = try TemporaryFolder()
        let command = try #require(Self.odd.first { $0.name == name }?.command)
        let frames = 8 * 48_000 + 77
        let file = ForeignFile(name: name, command: command, floor: 15, rates: [48_000])
        let url = try file.make(Take(rate: 48_000, channels: 1, frames: frames, bits: 16, floor: 15), in: folder)
        let chained = name.hasPrefix("chained")
        // The delay of the encoder, which nothing states, holds noise that the decoder makes up.
        let margin = name.hasSuffix(".aac") ? 2_048 : 0
        try expectSeeks(
            in: url,
            isExact: false,
            frames: chained ? 2 * frames : frames,
            within: 0.05,
            margin: margin,
            ratio: name.hasSuffix(".opus") ? 8 : 30
        )
    }

    /// - Parameters:
    ///   - frames: those of the sound at the rate at which it is read.
    ///   - tolerance: seconds by which the length may be another.
    ///   - margin: frames at both ends that are not compared.
    ///   - ratio: decibels by which what is read is above its difference to what was read from the start.
    private func expectSeeks(
        in url: URL,
        isExact: Bool,
        frames: Int,
        within tolerance: Double = 0,
        margin: Int = 0,
        ratio: Double
    )
        throws
    {
        let runtime = Runtime.system
        let reader = try FrameReader(try runtime.files.open(url.path, .reading), media: runtime.media)
        let rate = reader.format.sampleRate
        let length = try #require(reader.length, "the length is known as soon as it is open")
        #expect(abs(Double(Int(length.value) - frames)) <= tolerance * rate, "\(length) of \(frames)")
        let all = try Self.samples(reader, Int(length.value) + 1)
        #expect(all.count == Int(length.value), "as long as it says")
        var random = SeededGenerator(seed: UInt64(frames))
        var worst = 0.0
        var places = (0..<Self.seeks).map { _ in Int.random(in: 0..<all.count, using: &random) }
        places += [0, all.count - 1, all.count, 5]
        for place in places {
            let before = Self.processorSeconds
            try reader.seek(to: FrameCount(place))
            let heard = try Self.samples(reader, Self.count)
            worst = max(worst, Self.processorSeconds - before)
            let there = all[place..<min(place + Self.count, all.count)]
            #expect(heard.count == there.count, "frame \(place)")
            if isExact {
                #expect(heard.elementsEqual(there), "frame \(place)")
            } else {
                // Near silence decoders differ by noise of their own.
                var (signal, error) = (1e-3 * Double(there.count), 1e-12)
                for (a, b) in zip(heard, there) {
                    signal += Double(b) * Double(b)
                    error += Double(a - b) * Double(a - b)
                }
                let isDefined = margin == 0 || place >= margin && place + Self.count + margin <= all.count
                #expect(there.isEmpty || !isDefined || 10 * log10(signal / error) > ratio, "frame \(place)")
            }
        }
        #expect(worst < Self.limit, "\(worst) s at worst")
    }

    /// The first channel of up to `count` frames.
    private static func samples(_ reader: FrameReader, _ count: Int) throws -> [Float] {
        let buffer = PCMBuffer(format: reader.format, capacity: max(count, 1))
        while buffer.room > 0, try reader.read(into: buffer) > 0 {}
        let heard = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
        let converted = PCMBuffer(format: heard, capacity: max(count, 1))
        SampleConverter(from: reader.format, to: heard).convert(buffer, into: converted)
        let samples = converted.samples(as: Float.self)
        return (0..<converted.frameLength).map { samples[$0 * heard.channelCount] }
    }

    private static var processorSeconds: Double {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    @Test("behind 4 GiB of PCM: the frame that was asked for, and nothing is read on the way")
    func behindFourGibibytes() throws {
        let folder = try TemporaryFolder()
        let url = folder.file("large.wav")
        let size = Int64(5) << 30
        let mark: [UInt8] = [0x34, 0x12, 0xCC, 0xED]
        let place = Int64(4) << 30
        try Data(Self.rf64Header(dataBytes: size)).write(to: url)
        let handle = try FileHandle(forUpdating: url)
        try handle.truncate(atOffset: UInt64(80 + size))
        try handle.seek(toOffset: UInt64(80 + place))
        try handle.write(contentsOf: Data(mark))
        try handle.close()
        let runtime = Runtime.system
        let source = CountedSource(try runtime.files.open(url.path, .reading))
        let reader = try FrameReader(source, media: runtime.media)
        #expect(reader.length == FrameCount(size / 4))
        let opened = source.bytes
        try reader.seek(to: FrameCount(place / 4))
        let buffer = PCMBuffer(format: reader.format, capacity: 1)
        #expect(try reader.read(into: buffer) == 1)
        let samples = buffer.samples(as: Int16.self)
        #expect(samples[0] == 0x1234 && samples[1] == Int16(bitPattern: 0xEDCC))
        #expect(source.bytes - opened < 1 << 20, "\(source.bytes - opened) bytes")
    }

    /// 80 bytes: RF64, ds64, fmt (16 bits, 2 channels, 48 kHz), data.
    private static func rf64Header(dataBytes: Int64) -> [UInt8] {
        func little<Value: FixedWidthInteger>(_ value: Value) -> [UInt8] {
            withUnsafeBytes(of: value.littleEndian) { Array($0) }
        }
        var bytes = Array("RF64".utf8) + little(UInt32.max) + Array("WAVE".utf8)
        bytes += Array("ds64".utf8) + little(UInt32(28)) + little(UInt64(dataBytes + 72)) + little(UInt64(dataBytes))
        bytes += little(UInt64(dataBytes / 4)) + little(UInt32(0))
        bytes +=
            Array("fmt ".utf8) + little(UInt32(16)) + little(UInt16(1)) + little(UInt16(2)) + little(UInt32(48_000))
        bytes += little(UInt32(192_000)) + little(UInt16(4)) + little(UInt16(16))
        return bytes + Array("data".utf8) + little(UInt32.max)
    }
}

/// Counts the bytes that are read of a file.
private final class CountedSource: ByteSource, @unchecked Sendable {
    // Unchecked: one reader on one thread.
    private let base: any ByteSource
    private(set) var bytes = 0

    init(_ base: any ByteSource) { self.base = base }

    func size() throws(AudioFailure) -> Int64 { try base.size() }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        let count = try base.read(into: buffer, at: offset)
        bytes += count
        return count
    }
}
