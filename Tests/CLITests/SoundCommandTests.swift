import Foundation
import TestSupport
import Testing

/// `kayit sound` on simulated devices, with a theme that the tests make up.
@Suite(.serialized) struct SoundCommandTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        let theme = folder.file("data/sounds/freedesktop")
        try FileManager.default.createDirectory(
            at: theme.appendingPathComponent("stereo"),
            withIntermediateDirectories: true
        )
        let index = "[Sound Theme]\nName=Test\nDirectories=stereo\n\n[stereo]\nOutputProfile=stereo\n"
        try Data(index.utf8).write(to: theme.appendingPathComponent("index.theme"))
        for name in ["bell", "camera-shutter", "message"] {
            let tone = WaveFile.tone(440, frames: 4_800, rate: 48_000)
            try Data(tone).write(to: theme.appendingPathComponent("stereo/\(name).wav"))
        }
    }

    private func kayit(_ arguments: String..., adding more: [String: String] = [:]) throws -> RunningKayit {
        var environment = Kayit.simulated
        environment["XDG_DATA_HOME"] = folder.path("none")
        environment["XDG_DATA_DIRS"] = folder.path("data")
        environment["XDG_CONFIG_HOME"] = folder.path("config")
        environment["GSETTINGS_BACKEND"] = "keyfile"
        environment.merge(more) { $1 }
        return try RunningKayit(["sound"] + arguments, in: folder, environment: environment)
    }

    @Test func filesNamesAndNumbersArePlayed() throws {
        _ = try folder.write(WaveFile.tone(440, frames: 2_400, rate: 8_000), to: "ding.wav")
        let kayit = try kayit("--json", "ding.wav", "bell", "1108", "message-new-email", "--alert", "4096")
        #expect(kayit.wait() == 0, "\(kayit.errors)")
        let objects = try #require(kayit.objects)
        let sounds = ["ding.wav", "bell", "1108", "message-new-email", "4096"]
        #expect(objects.map { $0["sound"] as? String } == sounds.flatMap { [$0, $0] })
        #expect(objects.map { $0["event"] as? String } == sounds.flatMap { _ in ["started", "finished"] })
    }

    @Test func numbersWithoutASoundSayWhy() throws {
        let kayit = try kayit("1201", "1000", "1001", "17")
        #expect(kayit.wait() == 0)
        #expect(kayit.errors.contains("1201 (telephone key 1): a desktop has no sound for it."))
        #expect(!kayit.errors.contains("1000"), "'message' stands for it")
        #expect(kayit.errors.contains("Apple's systems have no sound 17"))
    }

    @Test func soundsAreListed() throws {
        let text = try kayit("--list")
        #expect(text.wait() == 0)
        for line in [
            "  bell\n", "  camera-shutter\n", "  1108  camera shutter: camera-shutter\n", "  4095  vibration: –\n",
        ] {
            #expect(text.output.contains(line), "\(text.output)")
        }
        let json = try kayit("--list", "--json")
        #expect(json.wait() == 0)
        let objects = try #require(json.objects)
        let bell = objects.first { $0["name"] as? String == "bell" && $0["number"] == nil }
        #expect(bell?["path"] as? String == folder.path("data/sounds/freedesktop/stereo/bell.wav"))
        let shutter = objects.first { $0["number"] as? Int == 1108 }
        #expect(shutter?["path"] as? String == folder.path("data/sounds/freedesktop/stereo/camera-shutter.wav"))
        let none = try kayit("--list", adding: ["XDG_DATA_DIRS": folder.path("nothing")])
        #expect(none.wait() == 0)
        #expect(none.output.contains("sound-theme-freedesktop"))
    }

    @Test func failuresHaveTheirCodes() throws {
        _ = try folder.write(Array("no sound".utf8), to: "text.wav")
        _ = try folder.write(WaveFile.bytes(Array(repeating: 1, count: 31 * 8_000), rate: 8_000), to: "long.wav")
        let missing = try kayit("--json", "./none.wav", "bell")
        #expect(missing.wait() == 66)
        #expect(missing.objects?.map { $0["event"] as? String } == ["started", "error", "started", "finished"])
        let name = try kayit("bel")
        #expect(name.wait() == 66)
        #expect(name.errors.contains("Did you mean bell?"))
        let text = try kayit("text.wav")
        #expect(text.wait() == 65)
        let long = try kayit("long.wav")
        #expect(long.wait() == 64)
        #expect(long.errors.contains("30 seconds"))
        let number = try kayit("5000")
        #expect(number.wait() == 64)
        let nothing = try kayit()
        #expect(nothing.wait() == 64)
        #expect(nothing.errors.contains("--list"))
        let server = try kayit(
            "bell",
            adding: ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:" + folder.path("nobody")]
        )
        #expect(server.wait() == 69)
        #expect(server.errors.contains("sound server"))
    }

    @Test(
        "the theme is the one that the user has chosen",
        .enabled(
            if: FileManager.default.fileExists(
                atPath: "/usr/share/glib-2.0/schemas/org.gnome.desktop.sound.gschema.xml"
            ),
            "gsettings-desktop-schemas is not installed"
        )
    )
    func theUsersTheme() throws {
        let settings = folder.file("config/glib-2.0/settings")
        let theme = folder.file("data/sounds/other")
        for folder in [settings, theme.appendingPathComponent("stereo")] {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        }
        try Data("[org/gnome/desktop/sound]\nevent-sounds=false\ntheme-name='other'\n".utf8)
            .write(to: settings.appendingPathComponent("keyfile"))
        try Data("[Sound Theme]\nDirectories=stereo\n".utf8).write(to: theme.appendingPathComponent("index.theme"))
        let tone = WaveFile.tone(440, frames: 4_800, rate: 48_000)
        try Data(tone).write(to: theme.appendingPathComponent("stereo/only-here.wav"))
        // The settings are described in the machine's own folder.
        let shared = ["XDG_DATA_DIRS": folder.path("data") + ":/usr/share"]
        let list = try kayit("--list", "--json", adding: shared)
        #expect(list.wait() == 0)
        let names = try #require(list.objects).compactMap { $0["name"] as? String }
        #expect(names.contains("only-here") && names.contains("bell"))
        // Heard, although event sounds are not wanted: without a server it fails.
        let nobody = ["KAYIT_AUDIO": "pulse", "PULSE_SERVER": "unix:" + folder.path("nobody")]
        let played = try kayit("only-here", adding: shared.merging(nobody) { $1 })
        #expect(played.wait() == 69)
    }
}
