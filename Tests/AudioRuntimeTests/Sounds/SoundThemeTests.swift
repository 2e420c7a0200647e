import AudioCore
import AudioRuntime
import Foundation
import PlatformLinux
import TestSupport
import Testing

/// Sounds by name, in themes that the tests make up.
@Suite("Sound themes")
struct SoundThemeTests {
    let scratch: TemporaryFolder

    init() throws { scratch = try TemporaryFolder() }

    func themes(_ environment: [String: String] = [:]) -> SoundThemes {
        var all = ["XDG_DATA_HOME": scratch.path("home"), "XDG_DATA_DIRS": scratch.path("a") + ":" + scratch.path("b")]
        all.merge(environment) { $1 }
        return SoundThemes(files: LinuxFileStore()) { all[$0] }
    }

    func make(_ path: String, _ text: String = "x") throws {
        let file = scratch.file(path)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(text.utf8).write(to: file)
    }

    func makeTheme(_ name: String, in base: String = "a", inherits: String? = nil, folders: String = "stereo") throws {
        var text = "# a theme\n[Sound Theme]\nName=\(name)\nDirectories=\(folders)\n"
        if let inherits { text += "Inherits=\(inherits)\n" }
        text += "\n[stereo]\nOutputProfile=stereo\n[5.1]\nOutputProfile = 5.1\n"
        try make("\(base)/sounds/\(name)/index.theme", text)
    }

    @Test("a sound is found in its theme, then in those that it inherits from, then in freedesktop")
    func inheritance() throws {
        try makeTheme("top", inherits: "middle,other")
        try makeTheme("middle", inherits: "top, deep")
        try makeTheme("deep")
        try makeTheme("other", in: "b")
        try makeTheme("freedesktop", in: "b")
        for (theme, base) in [("top", "a"), ("middle", "a"), ("deep", "a"), ("other", "b"), ("freedesktop", "b")] {
            try make("\(base)/sounds/\(theme)/stereo/in-\(theme).oga")
            try make("\(base)/sounds/\(theme)/stereo/all.oga")
        }
        let themes = self.themes()
        #expect(themes.path(of: "all", in: "top") == scratch.path("a/sounds/top/stereo/all.oga"))
        #expect(themes.path(of: "in-middle", in: "top") == scratch.path("a/sounds/middle/stereo/in-middle.oga"))
        #expect(themes.path(of: "in-deep", in: "top") == scratch.path("a/sounds/deep/stereo/in-deep.oga"))
        #expect(themes.path(of: "in-other", in: "top") == scratch.path("b/sounds/other/stereo/in-other.oga"))
        #expect(themes.path(of: "in-freedesktop", in: "top") != nil)
        #expect(themes.path(of: "in-freedesktop", in: "there is no such theme") != nil)
        #expect(themes.path(of: "nowhere", in: "top") == nil)
        #expect(
            themes.entries(in: "top").map(\.name) == [
                "all", "in-deep", "in-freedesktop", "in-middle", "in-other", "in-top",
            ]
        )
        #expect(themes.entries(in: "top").first?.path == scratch.path("a/sounds/top/stereo/all.oga"))
    }

    @Test("a general sound of the theme comes before a special one of its parent")
    func generalNames() throws {
        try makeTheme("top", inherits: "parent")
        try makeTheme("parent")
        try make("a/sounds/top/stereo/message.wav")
        try make("a/sounds/parent/stereo/message-new-email.oga")
        let themes = self.themes()
        #expect(themes.path(of: "message-new-email", in: "top") == scratch.path("a/sounds/top/stereo/message.wav"))
        #expect(themes.path(of: "message-new-email", in: "parent")?.hasSuffix("message-new-email.oga") == true)
        #expect(themes.path(of: "messages", in: "top") == nil)
    }

    @Test("a file .disabled is silence, whatever others have")
    func disabled() throws {
        try makeTheme("top", inherits: "parent")
        try makeTheme("parent")
        try make("a/sounds/top/stereo/bell.disabled", "")
        try make("a/sounds/parent/stereo/bell.oga")
        #expect(themes().path(of: "bell", in: "top") == nil)
        #expect(themes().entries(in: "top").isEmpty)
        #expect(themes().path(of: "bell", in: "parent") != nil)
    }

    @Test("the user's folder comes first, stereo before other profiles, .oga before .ogg before .wav")
    func order() throws {
        try makeTheme("t", folders: "5.1,stereo")
        try make("a/sounds/t/5.1/x.oga")
        try make("a/sounds/t/stereo/x.wav")
        #expect(themes().path(of: "x", in: "t")?.hasSuffix("t/stereo/x.wav") == true)
        try make("a/sounds/t/stereo/x.ogg")
        #expect(themes().path(of: "x", in: "t")?.hasSuffix("x.ogg") == true)
        try make("a/sounds/t/stereo/x.oga")
        #expect(themes().path(of: "x", in: "t")?.hasSuffix("stereo/x.oga") == true)
        try make("home/sounds/t/stereo/x.wav")
        #expect(themes().path(of: "x", in: "t") == scratch.path("home/sounds/t/stereo/x.wav"))
    }

    @Test("spoken sounds are taken in the user's language")
    func languages() throws {
        try makeTheme("t")
        for folder in ["", "de/", "de_AT/", "C/"] { try make("a/sounds/t/stereo/\(folder)hello.oga") }
        func found(_ variables: [String: String]) -> String? { themes(variables).path(of: "hello", in: "t") }
        #expect(found(["LANG": "de_AT.UTF-8"])?.hasSuffix("stereo/de_AT/hello.oga") == true)
        #expect(found(["LANG": "en_US.UTF-8", "LC_ALL": "de_DE@euro"])?.hasSuffix("stereo/de/hello.oga") == true)
        #expect(found(["LANG": "fr"])?.hasSuffix("stereo/C/hello.oga") == true)
        #expect(found(["LANG": "../../../.."])?.hasSuffix("stereo/C/hello.oga") == true)
    }

    @Test("sounds beside the themes are found last")
    func unthemed() throws {
        try make("b/sounds/loose.wav")
        #expect(themes().path(of: "loose", in: "t") == scratch.path("b/sounds/loose.wav"))
    }

    @Test("no name and no theme leads out of the folders")
    func ways() throws {
        try make("secret.wav")
        try make(
            "a/sounds/evil/index.theme",
            "[Sound Theme]\nDirectories=../..,/etc,stereo//x,.\nInherits=../../..,.x,/\n"
        )
        let evil = try #require(try? Data(contentsOf: scratch.file("a/sounds/evil/index.theme")))
        let index = SoundThemeIndex(parsing: Array(evil))
        #expect(index.folders.isEmpty)
        #expect(index.parents.isEmpty)
        let hidden = SoundThemeIndex(
            parsing: Array("[Sound Theme]\nDirectories=../\u{301}x\nInherits=a/\u{301}b\n".utf8)
        )
        #expect(hidden.folders.isEmpty && hidden.parents.isEmpty, "a slash is one also with a mark behind it")
        for name in ["../../secret", "/secret", "", "a\0b", "..", "../../../secret"] {
            #expect(themes().path(of: name, in: "evil") == nil)
            #expect(themes().path(of: "secret", in: name) == nil)
        }
    }

    @Test("descriptions of any form are understood as far as they can be")
    func forms() {
        let text =
            "junk\r\nDirectories=no\r\n[Sound Theme]\r\n  Directories = one , two;three ,, \r\nDirectories\r\n[one]\r\nOutputProfile=stereo\r\n[one"
        let index = SoundThemeIndex(parsing: Array(text.utf8))
        #expect(index.folders.map(\.path) == ["one", "two", "three"])
        #expect(index.folders.map(\.profile) == ["stereo", nil, nil])
        #expect(SoundThemeIndex(parsing: []).folders.isEmpty)
        let many = "[Sound Theme]\nDirectories=" + (0..<100_000).map { "d\($0)" }.joined(separator: ",")
        #expect(SoundThemeIndex(parsing: Array(many.utf8)).folders.count <= 64)
        #expect(SoundThemeIndex(parsing: [0xFF, 0xFE, 0x0A, 0x5B, 0x5D]).parents.isEmpty)
    }

    @Test("damaged descriptions never lead out of the folders, nor grow")
    func damage() {
        var random = SeededGenerator(seed: 8)
        let text = "[Sound Theme]\nInherits=a,b\nDirectories=stereo,a/b,..,/x\n[stereo]\nOutputProfile=stereo\n"
        let pieces = ["[", "]", "=", ",", "/", "..", "\n", "\0", "Directories", "Inherits", ";", "\u{301}", " "]
        for _ in 0..<3_000 {
            var bytes = Array(text.utf8)
            for _ in 0..<Int.random(in: 1...8, using: &random) {
                let place = Int.random(in: 0...bytes.count, using: &random)
                let piece = Array(pieces.randomElement(using: &random)?.utf8 ?? "".utf8)
                let end = min(place + Int.random(in: 0...6, using: &random), bytes.count)
                bytes.replaceSubrange(place..<end, with: piece)
            }
            let index = SoundThemeIndex(parsing: bytes)
            let isInside = index.folders.allSatisfy { folder in
                let parts = folder.path.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false)
                return parts.allSatisfy { !$0.isEmpty && Array($0) != Array("..".utf8) }
            }
            #expect(isInside && index.folders.count <= 64)
            #expect(index.parents.allSatisfy { !$0.utf8.contains(UInt8(ascii: "/")) && $0 != ".." })
        }
    }

    @Test("Apple's numbers are there once each, and each name begins with one of the naming specification")
    func numbers() {
        let numbers = NumberedSound.all.map(\.number)
        #expect(Set(numbers).count == numbers.count)
        #expect(NumberedSound.find(1108)?.name == "camera-shutter")
        #expect(NumberedSound.find(0x1000)?.name == "bell")
        #expect(NumberedSound.find(0xFFF)?.name == nil)
        #expect(NumberedSound.find(999) == nil)
        let contexts = [
            "alarm", "audio", "battery", "bell", "button", "camera", "complete", "desktop", "dialog", "message",
            "phone",
            "power", "window",
        ]
        for name in NumberedSound.all.compactMap(\.name) {
            #expect(contexts.contains { name == $0 || name.hasPrefix($0 + "-") }, "\(name)")
        }
    }
}
