import AudioCore
import AudioRuntime
import Foundation
import TestSupport

/// One encoder's packets, written as one file and as parts that begin with repeated packets.
struct CutTake {
    let stream: StreamDescription
    let packets: [EncodedPacket]
    let frames: Int
    let runtime: Runtime

    init(_ stream: StreamDescription, _ packets: [EncodedPacket], frames: Int, runtime: Runtime) {
        self.stream = stream
        self.packets = packets
        self.frames = frames
        self.runtime = runtime
    }

    /// - Parameter signal: the sample at a time in seconds.
    init(
        _ request: EncodingRequest,
        frames: Int,
        runtime: Runtime,
        signal: (Double) -> Double = { 0.4 * sin(2765 * $0) + 0.2 * sin((1885 + 1257 * $0) * $0) }
    ) throws {
        self.runtime = runtime
        self.frames = frames
        let encoder = try runtime.media.makeEncoder(request)
        var packets: [EncodedPacket] = []
        let floats = PCMFormat(sampleRate: request.sampleRate, channelCount: request.channelCount)
        let block = 10_000
        let source = PCMBuffer(format: floats, capacity: block)
        let samples = source.bytes.bindMemory(to: Float.self, capacity: block * request.channelCount)
        let converted = PCMBuffer(format: encoder.input, capacity: block)
        let converter = SampleConverter(from: floats, to: encoder.input)
        for start in stride(from: 0, to: frames, by: block) {
            let count = min(block, frames - start)
            for index in 0..<count * request.channelCount {
                let time = Double(start + index / request.channelCount) / request.sampleRate
                samples[index] = Float(signal(time))
            }
            source.setFrameLength(count)
            converter.convert(source, into: converted)
            try encoder.encode(converted) { packet throws(AudioFailure) in packets.append(packet) }
        }
        try encoder.finish { packet throws(AudioFailure) in packets.append(packet) }
        stream = encoder.stream
        self.packets = packets
    }

    /// Writes packets `range` behind `leadIn` repeated ones; only the last packets of the take are trimmed.
    func write(
        _ range: Range<Int>,
        leadIn: Int,
        to path: String,
        _ container: ContainerKind,
        metadata: MediaMetadata = MediaMetadata(),
        finishes: Bool = true
    ) throws {
        var part = stream
        let first = range.lowerBound
        let lead = packets[max(first - leadIn, 0)..<first]
        if first > 0 { part.primingFrames = FrameCount(lead.reduce(0) { $0 + $1.frames }) }
        if part.codec == .opus {
            let preSkip = Int(part.primingFrames.value) * 48_000 / Int(part.sampleRate)
            part.configuration[10] = UInt8(preSkip & 0xFF)
            part.configuration[11] = UInt8(preSkip >> 8)
        }
        let file = try runtime.files.open(path, .creatingExclusively)
        defer { file.close() }
        let writer = try runtime.media.makeWriter(
            container,
            stream: part,
            file: file,
            options: WriterOptions(metadata: metadata)
        )
        for packet in lead + packets[range] { try writer.append(packet) }
        try writer.checkpoint(synchronize: false)
        guard finishes else { return }
        let before = packets[..<first].reduce(0) { $0 + $1.frames }
        let start = max(before - Int(stream.primingFrames.value), 0)
        let end = before + packets[range].reduce(0) { $0 + $1.frames } - Int(stream.primingFrames.value)
        try writer.finish(validFrames: FrameCount(min(end, frames) - start))
    }
}

/// All samples of a file.
func decoded(_ path: String, _ runtime: Runtime) throws -> [Float] {
    let file = try runtime.files.open(path, .reading)
    defer { file.close() }
    let reader = try FrameReader(file, media: runtime.media)
    let buffer = PCMBuffer(format: reader.format, capacity: 8_192)
    let floats = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: reader.format.channelCount)
    let converted = PCMBuffer(format: floats, capacity: 8_192)
    let converter = SampleConverter(from: reader.format, to: floats)
    var samples: [Float] = []
    while true {
        buffer.setFrameLength(0)
        if try reader.read(into: buffer) == 0 { return samples }
        converter.convert(buffer, into: converted)
        samples += converted.samples(as: Float.self).prefix(converted.frameLength * floats.channelCount)
    }
}

/// Of long arrays: `#expect` on the arrays themselves would look for the shortest way from one to the other, for hours.
func areEqual<Element: Equatable>(_ a: [Element], _ b: [Element]) -> Bool { a == b }

/// The level of what two recordings do not have in common, in decibels below the first.
func difference(_ a: [Float], _ b: [Float]) -> Double {
    var (signal, noise) = (1e-20, 1e-20)
    for index in 0..<min(a.count, b.count) {
        signal += Double(a[index]) * Double(a[index])
        noise += Double(a[index] - b[index]) * Double(a[index] - b[index])
    }
    return 10 * log10(noise / signal)
}

func packets(of path: String, _ runtime: Runtime) throws -> [[UInt8]] {
    let file = try runtime.files.open(path, .reading)
    defer { file.close() }
    let reader = try runtime.media.openReader(file)
    var packets: [[UInt8]] = []
    while let packet = try reader.nextPacket() { packets.append(packet.bytes) }
    return packets
}
