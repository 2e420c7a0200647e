/// Frames that can be read from any place on, whatever they are made of: one recording, or several put together. One
/// thread at a time; who wants to read at two places at once makes two.
package protocol FrameSource: AnyObject {
    /// What `read` gives.
    var format: PCMFormat { get }
    /// All frames; nil where only reading everything would tell.
    var length: FrameCount? { get }
    /// The frame that is read next, counted from the first.
    var position: FrameCount { get }

    /// Appends frames to `buffer`, up to its room, and returns how many; 0 only at the end (or without room).
    /// - Parameter buffer: of `format`.
    /// - Throws: `malformedMedia` once for a damaged place, after the frames before it were given: silence of its length
    ///   takes its place, and reading can go on.
    func read(into buffer: PCMBuffer) throws(AudioFailure) -> Int

    /// Moves so that `frame` is read next, exactly; clamped to 0 … `length`.
    func seek(to frame: FrameCount) throws(AudioFailure)
}
