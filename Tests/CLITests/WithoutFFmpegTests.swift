import Foundation
import TestSupport
import Testing

/// FFmpeg's libraries are loaded when they are first needed: what needs none of them starts quickly, and works without.
struct WithoutFFmpegTests {
    /// Stands in front of the libraries with files that are none.
    private static func environment(_ folder: TemporaryFolder) throws -> [String: String] {
        for version in 50..<80 { _ = try folder.write(Array("none".utf8), to: "libavcodec.so.\(version)") }
        return Kayit.simulated.merging(["LD_LIBRARY_PATH": folder.url.path]) { $1 }
    }

    @Test func theProgramIsNotLinkedWithThem() throws {
        // What ldd(1) does.
        let libraries = try ExternalTool.run("env", ["LD_TRACE_LOADED_OBJECTS=1", Kayit.path]).text
        #expect(libraries.contains("libpulse.so"))
        #expect(!libraries.contains("libav"))
        #expect(!libraries.contains("libswresample"))
    }

    @Test func recordingPCMAndJoiningNeedNone() throws {
        let (folder, fakes) = (try TemporaryFolder(), try TemporaryFolder())
        let environment = try Self.environment(fakes)
        func kayit(_ arguments: String...) throws -> Int32 {
            try RunningKayit(arguments, in: folder, environment: environment).wait()
        }
        #expect(try kayit("record", "a.wav", "-d", "0.2") == 0)
        #expect(try kayit("record", "b.wav", "-d", "0.2") == 0)
        #expect(try kayit("join", "all.wav", "a.wav", "b.wav") == 0)
        #expect(try kayit("info", "all.wav") == 0)
        #expect(try kayit("recover", ".") == 0)
        #expect(folder.names == ["a.wav", "all.wav", "b.wav"])
    }

    @Test func whatNeedsThemSaysSo() throws {
        let (folder, fakes) = (try TemporaryFolder(), try TemporaryFolder())
        let environment = try Self.environment(fakes)
        _ = try folder.write(Array("no audio at all".utf8), to: "a.mp3")
        for arguments in [["record", "a.m4a", "-d", "0.2"], ["info", "a.mp3"]] {
            let kayit = try RunningKayit(arguments, in: folder, environment: environment)
            #expect(kayit.wait() != 0)
            #expect(kayit.errors.contains("This needs FFmpeg's libraries"))
        }
        #expect(folder.names == ["a.mp3"])
    }
}
