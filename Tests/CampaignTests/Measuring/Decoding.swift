import AudioCore
import AudioRuntime
import TestSupport

/// One channel of a file, by our reader or by others.
enum Decoding {
    struct Own {
        /// Frames by what the file says.
        var stated: Int?
        var priming: Int
        var integrity: MediaIntegrity
        var samples: [Float] = []
        /// The packet at which decoding ended in front of the file's end.
        var damage: AudioFailure?
    }

    /// What our reader says and gives.
    /// - Parameter toDamage: a damaged packet ends it instead of being thrown, as what follows the last synchronisation may
    ///   be after a power cut.
    static func own(_ path: String, toDamage: Bool = false) throws -> Own {
        let file = try Runtime.system.files.open(path, .reading)
        defer { file.close() }
        let reader = try FrameReader(file, media: .system)
        let read = PCMBuffer(format: reader.format, capacity: 4096)
        let format = PCMFormat(sampleRate: reader.format.sampleRate, channelCount: 1)
        let converter = SampleConverter(from: reader.format, to: format)
        let floats = PCMBuffer(format: format, capacity: 4096)
        var own = Own(
            stated: reader.length.map { Int($0.value) },
            priming: Int(reader.reader.stream.primingFrames.value),
            integrity: reader.reader.integrity
        )
        do {
            while try reader.read(into: read) > 0 {
                converter.convert(read, into: floats)
                own.samples += floats.samples(as: Float.self).prefix(read.frameLength)
                read.setFrameLength(0)
            }
        } catch {
            guard toDamage, error.code == .malformedMedia else { throw error }
            own.damage = error
        }
        return own
    }

    /// What somebody else's decoder gives, at the rate of the file.
    static func other(_ reader: KillFormat.Reader, _ path: String) throws -> [Float] {
        switch reader {
        case .ffmpeg:
            let result = try ExternalTool.run("ffmpeg", ["-v", "error", "-i", path, "-f", "f32le", "-"])
            guard result.status == 0 else { throw SetupFailure("ffmpeg: \(result.messages)") }
            return result.output.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
        case .libsndfile:
            // As 16 bits: as floats the tool makes the loudest sample 1.
            let folder = try TemporaryFolder()
            let result = try ExternalTool.run("sndfile-convert", ["-pcm16", path, folder.path("a.wav")])
            guard result.status == 0 else { throw SetupFailure("sndfile-convert: \(result.messages)\(result.text)") }
            return try own(folder.path("a.wav")).samples
        }
    }
}
