import AVFAudio
import AudioCore
import Foundation
import TestSupport
import Testing

/// Programs that read our files.
enum Reader: String, Sendable, CaseIterable {
    case ffmpeg = "FFmpeg"
    case sox = "SoX"
    case libsndfile
    case gstreamer = "GStreamer"
    /// `flac` and `opusdec`: the decoders of those who made the formats.
    case reference = "flac, opusdec"

    /// GStreamer is not asked about empty files: in some it waits for ever, in others now and then.
    func reads(_ take: Take) -> Bool { self != .gstreamer || take.frames > 0 }

    func reads(_ pair: Pair) -> Bool {
        self != .reference || pair.container == .flac || pair.container == .oggOpus
    }

    /// What the program makes of a file at `path`.
    func read(_ path: String, _ pair: Pair, _ take: Take) throws -> Reading {
        let scratch = try TemporaryFolder()
        guard let samples = try decode(path, pair, scratch) else { return .refused }
        // Opus runs at 48 kHz inside; most decoders put out that, these two the rate that went in.
        let isConverted = self == .gstreamer || self == .libsndfile
        let multiple = pair.format == kAudioFormatOpus && !isConverted ? Int(48_000 / take.rate) : 1
        return take.reading(samples, multiple: multiple, tolerance: self == .sox ? 0x1p-30 : 0)
    }

    /// Interleaved samples; nil where the program says that it cannot.
    private func decode(_ path: String, _ pair: Pair, _ scratch: TemporaryFolder) throws -> [Double]? {
        let output = scratch.path("out.raw")
        switch self {
        case .ffmpeg:
            let result = try ExternalTool.run(
                "ffmpeg",
                ["-v", "error", "-i", path, "-c:a", "pcm_f64le", "-f", "f64le", output]
            )
            guard result.status == 0 else { return nil }
        case .sox:
            let result = try ExternalTool.run("sox", [path, "-t", "raw", "-L", "-e", "float", "-b", "64", output])
            guard result.status == 0 else { return nil }
        case .libsndfile:
            let wave = scratch.file("out.wav")
            // On its way to floating point G.711 is not scaled.
            let kind = pair.bits == 0 && pair.floor == nil ? "-float64" : "-pcm32"
            let result = try ExternalTool.run("sndfile-convert", [kind, path, wave.path])
            guard result.status == 0 else { return nil }
            return try SoundFile.read(wave).samples
        case .gstreamer:
            guard try Self.gstreamer(path, output) else { return nil }
        case .reference where pair.container == .flac:
            let arguments = ["-d", "-s", "--force-raw-format", "--endian=little", "--sign=signed", "-o", output, path]
            let result = try ExternalTool.run("flac", arguments)
            guard result.status == 0 else { return nil }
            return Self.integers(try scratch.read("out.raw"), bits: pair.bits)
        case .reference:
            let wave = scratch.file("out.wav")
            let arguments = ["--quiet", "--rate", "48000", "--float", "--no-dither", path, wave.path]
            let result = try ExternalTool.run("opusdec", arguments)
            guard result.status == 0 else { return nil }
            return try SoundFile.read(wave).samples
        }
        return try scratch.read("out.raw").withUnsafeBytes { Array($0.bindMemory(to: Double.self)) }
    }

    /// GStreamer now and then waits for ever for a file that it reads the next time: what does not answer is asked again.
    ///
    /// - Returns: whether it read the file.
    private static func gstreamer(_ path: String, _ output: String) throws -> Bool {
        _ = registry
        let pipeline =
            ["filesrc", "location=\(path)", "!", "decodebin", "!", "audioconvert", "dithering=none", "!"]
            + ["audio/x-raw,format=F64LE,layout=interleaved", "!", "filesink", "location=\(output)"]
        for _ in 1...3 {
            let arguments = ["-k", "1", "40", "gst-launch-1.0", "-q"] + pipeline
            let result = try ExternalTool.run("timeout", arguments)
            // 124 and 137: ended by the limit.
            if result.status != 124, result.status != 137 { return result.status == 0 }
        }
        return false
    }

    /// Its first start on a machine looks through all plug-ins, which takes as long as a hundred files: done once, before the
    /// clock runs.
    private static let registry: Void = {
        _ = try? ExternalTool.run("gst-inspect-1.0", ["--version"])
        _ = try? ExternalTool.run("gst-inspect-1.0", ["decodebin"])
    }()

    private static func integers(_ bytes: [UInt8], bits: Int) -> [Double] {
        let width = bits / 8
        return stride(from: 0, to: bytes.count, by: width).map { start in
            let value = (0..<width).reduce(UInt32(0)) { $0 | UInt32(bytes[start + $1]) << (32 - bits + 8 * $1) }
            return Double(Int32(bitPattern: value)) * 0x1p-31
        }
    }
}
