public import AVFAudio
import AudioCore
import AudioRuntime

/// The short sounds of the desktop, by their names: what Apple's system sounds cannot say.
///
/// A desktop's sound theme has sounds for events ("bell", "camera-shutter", "message-new-instant"), as freedesktop.org's
/// specifications name them. Apple's functions play them by the numbers that Apple's systems have; here they are found by
/// name, and what went wrong is told. Any thread.
public enum DesktopSounds {
    /// A sound of the theme.
    public struct Sound: Sendable, Hashable {
        /// What the specification or the theme calls it.
        public var name: String
        /// Its file.
        public var url: URL
    }

    /// A sound that Apple's systems have under a number.
    public struct Numbered: Sendable, Hashable {
        /// What `AudioServicesPlaySystemSound` takes.
        public var id: SystemSoundID
        /// What it is about.
        public var title: String
        /// The name of the desktop's sound that is played in its place; nil where there is none.
        public var name: String?
        /// The file that the theme has for it; nil where nothing is heard.
        public var url: URL?
    }

    /// All sounds of the theme that the user has chosen and of those that it builds on, by name.
    public static var all: [Sound] {
        themes.entries(in: theme).map { Sound(name: $0.name, url: URL(fileURLWithPath: $0.path)) }
    }

    /// The sounds that Apple's systems have, by number.
    public static var numbered: [Numbered] {
        let themes = self.themes
        let theme = self.theme
        return NumberedSound.all.sorted { $0.number < $1.number }.map { sound in
            Numbered(
                id: sound.number,
                title: sound.title,
                name: sound.name,
                url: sound.name.flatMap { themes.path(of: $0, in: theme) }.map { URL(fileURLWithPath: $0) }
            )
        }
    }

    /// The file of a sound; nil where the theme has none. For a name with dashes a more general one may be found
    /// ("message-new" for "message-new-email").
    public static func url(named name: String) -> URL? {
        themes.path(of: name, in: theme).map { URL(fileURLWithPath: $0) }
    }

    /// Plays a file of at most 30 seconds, and returns when it was heard. Also where the user has switched event sounds off:
    /// this one was asked for.
    /// - Parameters:
    ///   - url: the file.
    ///   - isAlert: the machine also vibrates, where it can.
    /// - Throws: `limitReached` for a longer file; what else keeps it from being decoded or heard.
    public static func play(contentsOf url: URL, isAlert: Bool = false) async throws(RecordingError) {
        let id = try reporting { () throws(AudioFailure) in try SoundServices.shared.create(path: url.path) }
        defer { _ = SoundServices.shared.dispose(id) }
        try await play(id, isAlert: isAlert)
    }

    /// Plays a system sound, and returns when it was heard. Also where the user has switched event sounds off.
    /// - Parameters:
    ///   - id: one that was made of a file, or a number of the system's.
    ///   - isAlert: the machine also vibrates, where it can.
    /// - Throws: what keeps it from being heard. A number for which the desktop has nothing is no error.
    public static func play(_ id: SystemSoundID, isAlert: Bool = false) async throws(RecordingError) {
        let failure: AudioFailure? = await withCheckedContinuation { continuation in
            SoundServices.shared.play(id, asAlert: isAlert, isAskedFor: true) { continuation.resume(returning: $0) }
        }
        if let failure { throw RecordingError(failure) }
    }

    private static var themes: SoundThemes { .system(Runtime.current.files) }
    private static var theme: String { Runtime.current.desktop.soundPreferences().theme }
}
