// Names of media and of files, from AVMediaFormat.h.

/// What a stream holds.
public struct AVMediaType: RawRepresentable, Hashable, Sendable {
    /// Four characters.
    public let rawValue: String

    /// A type by its four characters.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A type by its four characters.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// Moving pictures.
    public static let video = AVMediaType("vide")
    /// Sound.
    public static let audio = AVMediaType("soun")
    /// Text.
    public static let text = AVMediaType("text")
    /// Closed captions.
    public static let closedCaption = AVMediaType("clcp")
    /// Subtitles.
    public static let subtitle = AVMediaType("sbtl")
    /// Time codes.
    public static let timecode = AVMediaType("tmcd")
    /// Metadata over time.
    public static let metadata = AVMediaType("meta")
    /// Several media in one stream.
    public static let muxed = AVMediaType("muxx")
}

/// The kind of a file, as a uniform type identifier.
public struct AVFileType: RawRepresentable, Hashable, Sendable {
    /// The uniform type identifier.
    public let rawValue: String

    /// A kind by its uniform type identifier.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// A kind by its uniform type identifier.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// QuickTime movie, `.mov`.
    public static let mov = AVFileType("com.apple.quicktime-movie")
    /// MPEG-4, `.mp4`.
    public static let mp4 = AVFileType("public.mpeg-4")
    /// iTunes video, `.m4v`.
    public static let m4v = AVFileType("com.apple.m4v-video")
    /// MPEG-4 audio, `.m4a`.
    public static let m4a = AVFileType("com.apple.m4a-audio")
    /// 3GPP, `.3gp`.
    public static let mobile3GPP = AVFileType("public.3gpp")
    /// 3GPP2, `.3g2`.
    public static let mobile3GPP2 = AVFileType("public.3gpp2")
    /// Core Audio Format, `.caf`.
    public static let caf = AVFileType("com.apple.coreaudio-format")
    /// WAVE, `.wav`.
    public static let wav = AVFileType("com.microsoft.waveform-audio")
    /// AIFF, `.aif`, `.aiff`.
    public static let aiff = AVFileType("public.aiff-audio")
    /// AIFF-C, `.aifc`.
    public static let aifc = AVFileType("public.aifc-audio")
    /// AMR, `.amr`.
    public static let amr = AVFileType("org.3gpp.adaptive-multi-rate-audio")
    /// MPEG layer 3, `.mp3`.
    public static let mp3 = AVFileType("public.mp3")
    /// NeXT / Sun, `.au`, `.snd`.
    public static let au = AVFileType("public.au-audio")
    /// AC-3, `.ac3`.
    public static let ac3 = AVFileType("public.ac3-audio")
    /// Enhanced AC-3, `.eac3`.
    public static let eac3 = AVFileType("public.enhanced-ac3-audio")
}
