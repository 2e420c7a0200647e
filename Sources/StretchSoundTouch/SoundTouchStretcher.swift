package import AudioCore
import CSoundTouch

/// Stretchers of SoundTouch: overlapping pieces of the sound itself, at places where they fit.
package struct SoundTouchProvider: StretcherProvider {
    package init() {}

    package func makeStretcher(sampleRate: Double, channelCount: Int) throws(AudioFailure) -> any TimeStretcher {
        guard kayit_stretcher_load() else {
            throw AudioFailure(
                .unsupported,
                "To play at another speed, SoundTouch is needed (libSoundTouchDll.so.1, on Debian from libsoundtouch1)."
            )
        }
        guard let rate = UInt32(exactly: sampleRate.rounded()), let channels = UInt32(exactly: channelCount),
            rate > 0, let handle = kayit_stretcher_create(rate, channels)
        else {
            throw AudioFailure(
                .unsupported,
                "A sound of \(channelCount) channels at \(sampleRate) Hz can be played at its own speed only."
            )
        }
        return SoundTouchStretcher(handle)
    }
}

private final class SoundTouchStretcher: TimeStretcher {
    private let handle: UnsafeMutableRawPointer

    init(_ handle: UnsafeMutableRawPointer) { self.handle = handle }

    deinit { kayit_stretcher_destroy(handle) }

    var rate = 1.0 {
        didSet { if rate != oldValue { kayit_stretcher_set_tempo(handle, Float(rate)) } }
    }

    func put(_ samples: UnsafePointer<Float>, frames: Int) throws(AudioFailure) {
        guard kayit_stretcher_put(handle, samples, UInt32(clamping: frames)) else {
            throw AudioFailure(.limitReached, "There is no memory to play at another speed.")
        }
    }

    func take(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        Int(kayit_stretcher_take(handle, samples, UInt32(clamping: frames)))
    }

    func reset() { kayit_stretcher_clear(handle) }
}
