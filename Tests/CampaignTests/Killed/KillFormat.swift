/// A codec in a container, as `kayit record` is asked for it, and who can read it.
struct KillFormat: Sendable {
    /// Somebody else's decoder.
    enum Reader: String, Sendable { case ffmpeg, libsndfile }

    var name: String
    var file: String
    var options: [String] = []
    var sampleRate = 44_100.0
    var readers: [Reader]
    /// Frames at the start of other readers' output that are the encoder's delay, which they do not take off.
    var untrimmedPriming = false
    /// Frames that other readers may find behind the last: padding of a recording that was completed.
    var padding = 0
    /// Samples come back as they were heard, to one step of 16 bits.
    var isLossless = false
    /// Seconds that a killed recording may lack.
    var limit = 0.2

    /// What the promise of 200 ms is made for.
    static let all: [KillFormat] = [
        KillFormat(name: "AAC/M4A", file: "take.m4a", readers: [.ffmpeg], padding: 1023),
        // FFmpeg passes over `pakt`'s priming in CAF.
        KillFormat(
            name: "AAC/CAF",
            file: "take.caf",
            options: ["-f", "aac"],
            readers: [.ffmpeg],
            untrimmedPriming: true,
            padding: 1023
        ),
        KillFormat(name: "ALAC/M4A", file: "take.m4a", options: ["-f", "alac"], readers: [.ffmpeg], isLossless: true),
        KillFormat(
            name: "ALAC/CAF",
            file: "take.caf",
            options: ["-f", "alac"],
            readers: [.ffmpeg, .libsndfile],
            // libsndfile goes by the entries of the table: it finds a packet that its count does not state yet.
            padding: 4096,
            isLossless: true
        ),
        KillFormat(name: "IMA4/CAF", file: "take.caf", options: ["-f", "ima4"], readers: [.ffmpeg], padding: 63),
        KillFormat(name: "PCM/WAV", file: "take.wav", readers: [.ffmpeg, .libsndfile], isLossless: true),
        KillFormat(name: "PCM/AIFF", file: "take.aiff", readers: [.ffmpeg, .libsndfile], isLossless: true),
        KillFormat(
            name: "PCM/CAF",
            file: "take.caf",
            options: ["-f", "pcm"],
            readers: [.ffmpeg, .libsndfile],
            isLossless: true
        ),
        KillFormat(name: "FLAC", file: "take.flac", readers: [.ffmpeg, .libsndfile], isLossless: true),
        KillFormat(name: "Opus", file: "take.opus", sampleRate: 48_000, readers: [.ffmpeg]),
    ]

    /// Where packets of a fixed number of frames last longest.
    static let lowRate: [KillFormat] = [
        // An encoder of AAC holds up to three packets: the open one, the one that it looks ahead by, and the overlap.
        KillFormat(
            name: "AAC/M4A, 12 kHz",
            file: "take.m4a",
            options: ["-r", "12000"],
            sampleRate: 12_000,
            readers: [.ffmpeg],
            padding: 1023,
            limit: 0.35
        ),
        KillFormat(
            name: "AAC/M4A, 8 kHz",
            file: "take.m4a",
            options: ["-r", "8000"],
            sampleRate: 8000,
            readers: [.ffmpeg],
            padding: 1023,
            limit: 0.5
        ),
        KillFormat(
            name: "ALAC/M4A, 8 kHz",
            file: "take.m4a",
            options: ["-f", "alac", "-r", "8000"],
            sampleRate: 8000,
            readers: [.ffmpeg],
            isLossless: true
        ),
    ]
}
