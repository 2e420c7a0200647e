import AudioCore
import CGIO
import Synchronization

/// What the person has chosen about sounds, where desktops keep it (GSettings, `org.gnome.desktop.sound`). Other desktops,
/// and machines without one, have the defaults.
final class SoundSettings: @unchecked Sendable {
    // Unchecked: `settings` is made and asked with `lock` held.
    private let lock = Mutex<Void>(())
    private var settings: UnsafeMutablePointer<GSettings>?
    private var wasLookedFor = false

    private static let schema = "org.gnome.desktop.sound"
    private static let theme = "theme-name"
    private static let eventSounds = "event-sounds"

    init() {}

    deinit { if let settings { g_object_unref(settings) } }

    var now: SoundPreferences {
        lock.withLock { _ in
            if !wasLookedFor {
                wasLookedFor = true
                settings = Self.open()
            }
            var preferences = SoundPreferences()
            guard let settings else { return preferences }
            preferences.playsEventSounds = g_settings_get_boolean(settings, Self.eventSounds) != 0
            if let name = g_settings_get_string(settings, Self.theme) {
                defer { g_free(name) }
                let theme = String(cString: name)
                // Made-up names of "custom" and "no sounds" themes are themes without files, and looked for as such.
                if !theme.isEmpty { preferences.theme = theme }
            }
            return preferences
        }
    }

    /// Asked for a schema or a key that is not there, GLib would end the program.
    private static func open() -> UnsafeMutablePointer<GSettings>? {
        guard let source = g_settings_schema_source_get_default(),
            let schema = g_settings_schema_source_lookup(source, Self.schema, 1)
        else { return nil }
        defer { g_settings_schema_unref(schema) }
        for key in [theme, eventSounds] where g_settings_schema_has_key(schema, key) == 0 { return nil }
        return g_settings_new_full(schema, nil, nil)
    }
}
