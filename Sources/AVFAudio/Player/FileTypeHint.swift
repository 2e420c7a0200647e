import AudioCore

extension ContainerKind {
    /// The kind that a uniform type identifier (the raw value of an `AVFileType`) names; nil for one that says nothing here.
    init?(typeIdentifier: String) {
        switch typeIdentifier {
        case "com.apple.m4a-audio", "public.mpeg-4", "public.mpeg-4-audio", "com.apple.quicktime-movie": self = .m4a
        case "com.apple.coreaudio-format": self = .caf
        case "com.microsoft.waveform-audio": self = .wav
        case "public.aiff-audio": self = .aiff
        case "public.aifc-audio": self = .aifc
        case "org.xiph.flac": self = .flac
        case "org.xiph.opus", "org.xiph.ogg-audio": self = .oggOpus
        case "public.mp3": self = .foreign("mp3")
        case "public.aac-audio": self = .foreign("aac")
        case "public.ac3-audio": self = .foreign("ac3")
        case "public.enhanced-ac3-audio": self = .foreign("eac3")
        case "public.au-audio", "public.ulaw-audio": self = .foreign("au")
        case "org.3gpp.adaptive-multi-rate-audio": self = .foreign("amr")
        default: return nil
        }
    }
}
