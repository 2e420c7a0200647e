internal import AudioCore
internal import CFFmpeg

/// What the FFmpeg libraries answer, as a failure of ours.
///
/// - Parameters:
///   - status: a negative return value.
///   - action: what was tried, as the start of a sentence ("The AAC encoder could not be opened").
///   - code: the meaning where `status` itself has none.
func libraryFailure(_ status: Int32, _ action: String, code: AudioFailure.Code = .internal) -> AudioFailure {
    let meaning: AudioFailure.Code =
        switch status {
        case kayit_averror_invaliddata(), kayit_averror_eof(): .malformedMedia
        case kayit_averror(ENOMEM), kayit_averror_exit(): .limitReached
        case kayit_averror(EIO): .inputOutput
        default: code
        }
    let reason = withUnsafeTemporaryAllocation(of: CChar.self, capacity: Int(AV_ERROR_MAX_STRING_SIZE)) { text in
        guard let start = text.baseAddress, av_strerror(status, start, text.count) == 0 else {
            return "error \(status)"
        }
        return String(cString: start)
    }
    return AudioFailure(meaning, "\(action): \(reason).")
}

/// The libraries themselves, loaded and set up for the whole process when they are first needed.
enum Library {
    /// Messages of the libraries do not go to the standard error stream: what matters is in the failures thrown. One
    /// allocation is bounded, because sizes come from files.
    private static let problem: String? = {
        if let problem = kayit_ffmpeg_load() { return String(cString: problem) }
        av_log_set_level(AV_LOG_QUIET)
        av_max_alloc(64 << 20)
        return nil
    }()

    /// Comes before any call into the libraries.
    /// - Throws: `unsupported` where they are not on this machine.
    static func load() throws(AudioFailure) {
        guard let problem else { return }
        throw AudioFailure(
            .unsupported,
            "This needs FFmpeg's libraries, which cannot be loaded: \(problem). Debian has them as libavcodec59 and"
                + " libavformat59."
        )
    }
}
