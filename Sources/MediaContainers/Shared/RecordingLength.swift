import AudioCore

/// The frames of a file that is being written: what the packets hold, less what is trimmed at either end.
struct RecordingLength: Equatable {
    /// Frames of all packets, priming among them.
    var decoded: Int64 = 0
    let priming: Int64
    /// What `finish` stated; nil while recording, when everything behind the priming is valid.
    var stated: Int64?

    init(priming: FrameCount) { self.priming = priming.value }

    var valid: Int64 { stated ?? max(0, decoded - priming) }

    /// - Throws: `invalidArgument` where the packets hold fewer frames.
    mutating func state(_ frames: FrameCount) throws(AudioFailure) {
        guard (0...max(0, decoded - priming)).contains(frames.value) else {
            throw AudioFailure(
                .invalidArgument,
                "\(frames) were announced at the end, but the packets hold \(max(0, decoded - priming))."
            )
        }
        stated = frames.value
    }

    static func checkPriming(_ stream: StreamDescription) throws(AudioFailure) {
        guard (0...Int64(Int32.max)).contains(stream.primingFrames.value) else {
            throw AudioFailure(.invalidArgument, "A priming of \(stream.primingFrames) cannot be written.")
        }
    }
}
