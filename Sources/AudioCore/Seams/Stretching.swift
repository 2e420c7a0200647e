/// Makes stretchers.
package protocol StretcherProvider: Sendable {
    /// - Throws: `unsupported` where the library takes no sound of that rate or number of channels.
    func makeStretcher(sampleRate: Double, channelCount: Int) throws(AudioFailure) -> any TimeStretcher
}

/// Makes sound longer or shorter and keeps its pitch. One thread at a time.
///
/// What it gives begins with the first frame that was put, and stands `rate` frames of the source further with each frame:
/// it delays nothing, it only holds back frames that it still needs. Its memory is bounded where everything that is ready is
/// taken before more is put.
package protocol TimeStretcher: AnyObject {
    /// Frames of the source for each frame that is given, 0.5 … 2; counts for everything that is not ready yet.
    var rate: Double { get set }

    /// Takes interleaved frames.
    func put(_ samples: UnsafePointer<Float>, frames: Int) throws(AudioFailure)

    /// Gives up to `frames` frames that are ready, and returns how many.
    func take(into samples: UnsafeMutablePointer<Float>, frames: Int) -> Int

    /// Forgets everything that was put.
    func reset()
}

/// For programs without a stretcher: everything is refused, typed.
package struct NoStretchers: StretcherProvider {
    package init() {}

    package func makeStretcher(sampleRate: Double, channelCount: Int) throws(AudioFailure) -> any TimeStretcher {
        throw AudioFailure(.unsupported, "Sounds can be played at their own speed only.")
    }
}
