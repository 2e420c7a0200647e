// Makes what against-ffmpeg.sh joins: parts of five minutes, all cut from one encoder's stream. Or joins them inside this
// process, as a program does that has long started, and prints the medians of seconds and of seconds of processor.
//
//   JoinParts FOLDER COUNT EXTENSION
//   JoinParts --join OUT PART…

import AudioCore
import AudioRuntime
import Foundation

struct Kind {
    var codec: EncodingRequest.Codec
    var container: ContainerKind
    /// Packets that a part repeats from the one before.
    var leadIn: Int
}

let kinds: [String: Kind] = [
    "m4a": Kind(codec: .aac, container: .m4a, leadIn: 1),
    "caf": Kind(codec: .aac, container: .caf, leadIn: 1),
    "wav": Kind(
        codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)),
        container: .wav,
        leadIn: 0
    ),
    "flac": Kind(codec: .flac, container: .flac, leadIn: 0),
    "opus": Kind(codec: .opus, container: .oggOpus, leadIn: 4),
]
let arguments = CommandLine.arguments
if arguments.count > 3, arguments[1] == "--join" {
    try measureJoining(Array(arguments[3...]), into: arguments[2])
    exit(0)
}
guard arguments.count == 4, let count = Int(arguments[2]), count > 0, let kind = kinds[arguments[3]] else {
    FileHandle.standardError.write(
        Data("JoinParts FOLDER COUNT m4a|caf|wav|flac|opus\nJoinParts --join OUT PART…\n".utf8)
    )
    exit(64)
}

/// Seconds of processor of this process.
func processorSeconds() -> Double {
    var time = timespec()
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
    return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
}

func measureJoining(_ parts: [String], into target: String) throws {
    let runtime = Runtime.system
    guard let container = ContainerKind(fileExtension: URL(fileURLWithPath: target).pathExtension) else {
        throw AudioFailure(.invalidArgument, "The kind of file of '\(target)' is not known.")
    }
    var (wall, processor): ([Double], [Double]) = ([], [])
    for _ in 0..<5 {
        if try runtime.files.status(target) != nil { try runtime.files.remove(target) }
        sync()
        var job = MediaJob(.join, of: parts, to: target, container)
        job.waitsForDisk = false
        let (start, before) = (ContinuousClock.now, processorSeconds())
        _ = try job.run(in: runtime)
        processor.append(processorSeconds() - before)
        wall.append((ContinuousClock.now - start) / .seconds(1))
    }
    print(String(format: "%.3f %.3f", wall.sorted()[2], processor.sorted()[2]))
}

/// A minute of something like speech: a tone that comes and goes, with noise.
func minute(_ encoder: any PacketEncoder, rate: Double) throws -> [EncodedPacket] {
    let floats = PCMFormat(sampleRate: rate, channelCount: 1)
    let block = Int(rate)
    let source = PCMBuffer(format: floats, capacity: block)
    let converted = PCMBuffer(format: encoder.input, capacity: block)
    let converter = SampleConverter(from: floats, to: encoder.input)
    let samples = source.bytes.bindMemory(to: Float.self, capacity: block)
    var noise: UInt32 = 1
    var packets: [EncodedPacket] = []
    for second in 0..<60 {
        for index in 0..<block {
            let time = Double(second) + Double(index) / rate
            noise = noise &* 1_664_525 &+ 1_013_904_223
            let hiss = Double(noise >> 8) / Double(1 << 24) - 0.5
            samples[index] = Float((0.3 * sin(1_382 * time) + 0.2 * hiss) * (0.6 + 0.4 * sin(9 * time)))
        }
        source.setFrameLength(block)
        converter.convert(source, into: converted)
        try encoder.encode(converted) { packet throws(AudioFailure) in packets.append(packet) }
    }
    return packets
}

func fiveMinutes(_ request: EncodingRequest, rate: Double) throws -> [EncodedPacket] {
    let encoder = try MediaRegistry.system.makeEncoder(request)
    var packets: [EncodedPacket] = []
    for _ in 0..<5 { packets += try minute(encoder, rate: rate) }
    try encoder.finish { packet throws(AudioFailure) in packets.append(packet) }
    return packets
}

let rate = kind.codec == .opus ? 48_000.0 : 44_100
let isAAC = kind.codec == .aac
let request = EncodingRequest(codec: kind.codec, sampleRate: rate, channelCount: 1, bitRate: isAAC ? 96_000 : nil)
let encoder = try MediaRegistry.system.makeEncoder(request)
let packets = try minute(encoder, rate: rate)
var start = 0
for index in 0..<count {
    var stream = encoder.stream
    let lead = index == 0 ? [] : (start - kind.leadIn..<start).map { packets[$0 % packets.count] }
    if index > 0 { stream.primingFrames = FrameCount(lead.reduce(0) { $0 + $1.frames }) }
    if stream.codec == .opus {
        // The pre-skip of the header.
        let priming = Int(stream.primingFrames.value)
        stream.configuration[10] = UInt8(priming & 0xFF)
        stream.configuration[11] = UInt8(priming >> 8 & 0xFF)
    }
    let path = "\(arguments[1])/part-\(index < 9 ? "00" : index < 99 ? "0" : "")\(index + 1).\(arguments[3])"
    let file = try Runtime.system.files.open(path, .creatingExclusively)
    let writer = try MediaRegistry.system.makeWriter(
        kind.container,
        stream: stream,
        file: file,
        options: WriterOptions(expectedFrames: FrameCount(Int(rate) * 300))
    )
    // FLAC numbers its packets, so that every part has its own; the others have the same minute again and again, because
    // joining looks at no sound.
    let own =
        kind.codec == .flac
        ? try fiveMinutes(request, rate: rate)
        : (start..<start + 5 * packets.count).map { packets[$0 % packets.count] }
    var frames: Int64 = 0
    for (place, packet) in (lead + own).enumerated() {
        try writer.append(packet)
        frames += Int64(packet.frames)
        if place % 1_000 == 999 { try writer.checkpoint(synchronize: false) }
    }
    try writer.finish(validFrames: FrameCount(frames) - stream.primingFrames)
    file.close()
    start += own.count
}
