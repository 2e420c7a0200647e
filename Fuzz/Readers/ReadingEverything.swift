import AudioCore
import AudioRuntime

/// Whatever the bytes are, reading them ends: in a recording or in an error, without a trap and within bounds.
enum ReadingEverything {
    /// More frames than a small file can hold by right are not read: a loop without end would look like this.
    private static let mostFrames: Int64 = 1 << 22

    static func attempt(_ source: any ByteSource) {
        do throws(AudioFailure) {
            let reader = try FrameReader(source, media: .system)
            let buffer = PCMBuffer(format: reader.format, capacity: 4096)
            try readOn(reader, into: buffer)
            if let length = reader.length {
                try reader.seek(to: FrameCount(length.value / 2))
                try readOn(reader, into: buffer)
            }
        } catch {
            // An error is an answer.
        }
    }

    private static func readOn(_ reader: FrameReader, into buffer: PCMBuffer) throws(AudioFailure) {
        var frames: Int64 = 0
        var damaged = 0
        while frames < mostFrames, damaged < 64 {
            buffer.setFrameLength(0)
            do throws(AudioFailure) {
                let count = try reader.read(into: buffer)
                if count == 0 { return }
                frames += Int64(count)
            } catch {
                guard error.code == .malformedMedia else { throw error }
                damaged += 1
            }
        }
    }
}
