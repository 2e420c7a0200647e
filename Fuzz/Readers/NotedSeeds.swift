import AudioCore
import AudioRuntime
import Foundation

/// Files of our own with markers and gaps, to begin with: no other program makes such. Written where `KAYIT_FUZZ_SEEDS` says.
@_cdecl("LLVMFuzzerInitialize")
func writeNotedSeeds(_ count: UnsafeMutablePointer<CInt>?, _ arguments: UnsafeMutableRawPointer?) -> CInt {
    guard let folder = ProcessInfo.processInfo.environment["KAYIT_FUZZ_SEEDS"] else { return 0 }
    let formats: [(String, ContainerKind, EncodingRequest.Codec)] = [
        ("noted.m4a", .m4a, .aac), ("noted-table.caf", .caf, .alac), ("noted.caf", .caf, .ima4),
        ("noted.wav", .wav, .muLaw), ("noted.aifc", .aifc, .ima4), ("noted.flac", .flac, .flac),
        ("noted.opus", .oggOpus, .opus),
    ]
    do {
        try Data(SessionLines.seed).write(to: URL(fileURLWithPath: "\(folder)/recording.log"))
    } catch {
        print("No seed of a session file: \(error)")
    }
    for (name, container, codec) in formats {
        for isFinished in [false, true] {
            do {
                let path = "\(folder)/\(isFinished ? "" : "live-")\(name)"
                if !FileManager.default.fileExists(atPath: path) {
                    try NotedSeed(container: container, codec: codec).write(to: path, isFinished: isFinished)
                }
            } catch {
                print("No seed \(name): \(error)")
            }
        }
    }
    return 0
}

private struct NotedSeed {
    var container: ContainerKind
    var codec: EncodingRequest.Codec

    func write(to path: String, isFinished: Bool) throws {
        let media = Runtime.system.media
        let encoder = try media.makeEncoder(EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 1))
        let file = try Runtime.system.files.open(path, .creatingExclusively)
        defer { file.close() }
        var metadata = MediaMetadata()
        metadata.title = "seed"
        let options = WriterOptions(expectedFrames: 9_600, metadata: metadata, noteRoom: 2_000)
        let writer = try media.makeWriter(container, stream: encoder.stream, file: file, options: options)
        let silence = PCMBuffer(format: encoder.input, capacity: 9_600)
        silence.bytes.initializeMemory(as: UInt8.self, repeating: 0, count: 9_600 * encoder.input.bytesPerFrame)
        silence.setFrameLength(9_600)
        try encoder.encode(silence) { packet throws(AudioFailure) in try writer.append(packet) }
        for index in 0..<5 {
            try writer.note(.marker(MediaMetadata.Marker(frame: FrameCount(index * 1_000), name: "Marker \(index)")))
        }
        try writer.note(.gap(RecordingGap(start: 2_500, length: 480, reason: .deviceLost)))
        try writer.checkpoint(synchronize: false)
        if isFinished { try writer.finish(validFrames: writer.checkpointedFrames) }
    }
}
