import AudioCore
import AudioRuntime
import Foundation

/// Files made with what the library itself writes.
enum TestAudio {
    /// A sine of 440 Hz at half of full scale, the right channel at a quarter.
    static func sine(frames: Int, rate: Double, channels: Int) -> [Float] {
        (0..<frames).flatMap { frame in
            let value = Float(sin(2 * Double.pi * 440 * Double(frame) / rate))
            return (0..<channels).map { value / Float(2 << $0) }
        }
    }

    /// Writes a sine; with `finishes` false only up to a checkpoint, as a killed recorder leaves it.
    static func write(
        to url: URL,
        _ container: ContainerKind,
        _ request: EncodingRequest,
        frames: Int,
        metadata: MediaMetadata = MediaMetadata(),
        finishes: Bool = true
    ) throws {
        let runtime = Runtime.current
        let encoder = try runtime.media.makeEncoder(request)
        let file = try runtime.files.open(url.path, .creatingExclusively)
        defer { file.close() }
        let writer = try runtime.media.makeWriter(
            container,
            stream: encoder.stream,
            file: file,
            options: WriterOptions(metadata: metadata)
        )
        let output = FrameWriter(encoder: encoder, writer: writer)

        let samples = sine(frames: frames, rate: request.sampleRate, channels: request.channelCount)
        let floats = PCMFormat(sampleRate: request.sampleRate, channelCount: request.channelCount)
        let source = PCMBuffer(format: floats, capacity: frames)
        samples.withUnsafeBytes { bytes in
            if let base = bytes.baseAddress { source.bytes.copyMemory(from: base, byteCount: bytes.count) }
        }
        source.setFrameLength(frames)
        let converted = PCMBuffer(format: encoder.input, capacity: frames)
        SampleConverter(from: floats, to: encoder.input).convert(source, into: converted)
        try output.write(converted)
        if finishes { try output.finish() } else { try output.checkpoint(synchronize: false) }
    }
}
