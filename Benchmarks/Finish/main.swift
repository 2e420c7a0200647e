// How long the end of a file takes, after eight seconds and after eight hours, in one file and in parts of five minutes: the
// writers alone, with packets made up. A recorder's `stop()` waits for this, and for what its device still holds.
//
//   FinishTime FOLDER
//
// Before the end everything is on the disk, as a recorder's checkpoint leaves it every 250 ms.

import AudioCore
import AudioRuntime
import Foundation

struct Kind {
    var name: String
    var container: ContainerKind
    var codec: EncodingRequest.Codec
    var rate: Double
}

let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
let kinds = [
    Kind(name: "AAC in M4A", container: .m4a, codec: .aac, rate: 44_100),
    Kind(name: "ALAC in M4A", container: .m4a, codec: .alac, rate: 44_100),
    Kind(name: "AAC in CAF", container: .caf, codec: .aac, rate: 44_100),
    Kind(name: "PCM in CAF", container: .caf, codec: .linearPCM(pcm), rate: 16_000),
    Kind(name: "PCM in WAV", container: .wav, codec: .linearPCM(pcm), rate: 16_000),
    Kind(name: "FLAC", container: .flac, codec: .flac, rate: 16_000),
    Kind(name: "Opus", container: .oggOpus, codec: .opus, rate: 48_000),
]
guard CommandLine.arguments.count == 2 else {
    FileHandle.standardError.write(Data("FinishTime FOLDER\n".utf8))
    exit(64)
}

/// A second of sound, encoded.
func second(_ encoder: any PacketEncoder, rate: Double) throws -> [EncodedPacket] {
    let floats = PCMFormat(sampleRate: rate, channelCount: 1)
    let source = PCMBuffer(format: floats, capacity: Int(rate))
    let converted = PCMBuffer(format: encoder.input, capacity: Int(rate))
    for index in 0..<Int(rate) { source.samples(as: Float.self)[index] = Float(0.4 * sin(Double(index) * 0.07)) }
    source.setFrameLength(Int(rate))
    SampleConverter(from: floats, to: encoder.input).convert(source, into: converted)
    var packets: [EncodedPacket] = []
    for _ in 0..<4 { try encoder.encode(converted) { packet throws(AudioFailure) in packets.append(packet) } }
    return packets
}

/// The folder of a recording in parts, with its session file.
final class PartFolder: PartedWriter.Place {
    let path: String
    private let container: ContainerKind
    private let files = Runtime.system.files
    private let log: PartsLog

    init(_ path: String, _ container: ContainerKind) throws(AudioFailure) {
        self.path = path
        self.container = container
        try files.makeFolder(path)
        log = try PartsLog.create(in: path, files: files)
    }

    func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile {
        let file = try files.open("\(path)/\(number).\(container.name)", .creatingExclusively)
        try log.append([.begun(part: number, start: start)])
        return file
    }

    func partIsReady(_ number: Int) throws(AudioFailure) { try files.synchronizeFolder(path) }
    func partFailed(_ number: Int) {}
    func partIsFinished(_ number: Int, frames: FrameCount) {
        try? log.append([.finished(part: number, frames: frames)])
    }
    func recordingIsFinished(frames: FrameCount) {
        try? log.append([.ended(frames: frames)])
        log.close()
    }
}

func finish(_ kind: Kind, seconds: Double, inParts: Bool) throws -> Duration {
    let request = EncodingRequest(codec: kind.codec, sampleRate: kind.rate, channelCount: 1)
    let encoder = try MediaRegistry.system.makeEncoder(request)
    let packets = try second(encoder, rate: kind.rate)
    let path = "\(CommandLine.arguments[1])/take.\(kind.container.name)"
    defer { try? FileManager.default.removeItem(atPath: path) }
    let writer: any ContainerWriter
    var file: (any StoredFile)?
    defer { file?.close() }
    if inParts {
        writer = try PartedWriter(
            PartedWriter.Plan(container: kind.container, length: FrameCount(seconds: 300, sampleRate: kind.rate)),
            stream: encoder.stream,
            media: .system,
            place: PartFolder(path, kind.container)
        )
    } else {
        let opened = try Runtime.system.files.open(path, .creatingExclusively)
        file = opened
        writer = try MediaRegistry.system.makeWriter(kind.container, stream: encoder.stream, file: opened)
    }
    var frames: Int64 = 0
    var checkpoint: Int64 = 0
    var next = 0
    while Double(frames) < seconds * kind.rate {
        let packet = packets[next % packets.count]
        try writer.append(packet)
        frames += Int64(packet.frames)
        next += 1
        if Double(frames - checkpoint) >= kind.rate / 4 {
            try writer.checkpoint(synchronize: false)
            checkpoint = frames
        }
    }
    try writer.checkpoint(synchronize: true)
    try writer.append(packets[0])
    let start = ContinuousClock.now
    try writer.finish(validFrames: FrameCount(frames) - encoder.stream.primingFrames)
    return ContinuousClock.now - start
}

for kind in kinds {
    for inParts in [false, true] {
        var medians: [String] = []
        for seconds: Double in [8, 28_800] {
            var times: [Duration] = []
            for _ in 0..<3 { times.append(try finish(kind, seconds: seconds, inParts: inParts)) }
            times.sort()
            medians.append(String(format: "%.1f", times[1] / Duration.milliseconds(1)))
        }
        print(
            "\(kind.name)\(inParts ? " in parts" : ""): \(medians[0]) ms after 8 seconds, \(medians[1]) ms after 8 hours"
        )
    }
}
