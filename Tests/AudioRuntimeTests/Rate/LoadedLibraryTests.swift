import AudioCore
import AudioRuntime
import PlatformLinux
import StretchSoundTouch
import TestSupport
import Testing

/// Libraries that are loaded while the program runs leave it as it was.
@Suite struct LoadedLibraryTests {
    @inline(never) private static func half(_ value: Double) -> Double { value / 2 }

    @Test("numbers near zero are no zeros, though Debian's SoundTouch was linked with -ffast-math")
    func arithmetic() throws {
        let small = Double.leastNormalMagnitude
        #expect(Self.half(small) != 0, "before")
        _ = try SoundTouchProvider().makeStretcher(sampleRate: 44_100, channelCount: 2)
        _ = try Runtime.system.media.makeEncoder(EncodingRequest(codec: .aac, sampleRate: 44_100, channelCount: 1))
        #expect(Self.half(small) != 0)
        // A thread begins with what the one that makes it has.
        let other = Recorded<Double>()
        let thread = NamedThread(name: "arithmetic") { other.append(Self.half(small)) }
        thread.join()
        #expect(other.all.allSatisfy { $0 != 0 } && other.all.count == 1)
    }
}
