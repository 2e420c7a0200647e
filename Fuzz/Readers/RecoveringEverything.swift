import AudioCore
import AudioRuntime
import MediaContainers

/// Whatever the bytes are, looking for audio in them ends: in a recording or in an error, without a trap and within bounds.
enum RecoveringEverything {
    private static let kinds: [ContainerKind] = [.m4a, .caf, .wav, .aiff, .aifc, .flac, .oggOpus]

    /// Of a recorder whose settings the bytes are taken to have.
    private static let examples: [ContainerKind: StreamDescription] = {
        let pcm = StreamDescription(
            codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)),
            sampleRate: 8000,
            channelCount: 1,
            framesPerPacket: 1,
            bytesPerPacket: 2,
            bitsPerChannel: 16
        )
        let alac = StreamDescription(
            codec: .alac,
            sampleRate: 8000,
            channelCount: 1,
            framesPerPacket: 4096,
            bitsPerChannel: 16,
            configuration: [0, 0, 16, 0, 0, 16, 40, 10, 14, 1, 0, 255, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 31, 64]
        )
        return [.wav: pcm, .caf: alac, .m4a: alac]
    }()

    static func attempt(_ source: any ByteSource) {
        for kind in kinds {
            do throws(AudioFailure) {
                let reader = try MediaSalvage.open(source, hint: kind, like: examples[kind]) {
                    stream throws(AudioFailure) in
                    try MediaRegistry.system.makePacketFinder(stream)
                }
                guard let reader else { continue }
                var packets = 0
                while packets < 1 << 16, try reader.nextPacket() != nil { packets += 1 }
                _ = try reader.seek(toDecodedFrame: 1000, preroll: 1)
                _ = try reader.nextPacket()
            } catch {
                // An error is an answer.
            }
        }
        _ = try? MediaSalvage.isUnfinishedRecording(source)
    }
}
