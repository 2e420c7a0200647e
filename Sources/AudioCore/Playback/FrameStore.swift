/// Interleaved frames on their way from one step to the next, first in, first out. One thread at a time.
struct FrameStore {
    let channelCount: Int
    private var samples: [Float] = []
    /// Samples at the front that were taken.
    private var head = 0

    init(channelCount: Int) { self.channelCount = channelCount }

    var frameCount: Int { (samples.count - head) / channelCount }

    mutating func append(_ source: UnsafePointer<Float>, frames: Int) {
        compact()
        samples.append(contentsOf: UnsafeBufferPointer(start: source, count: frames * channelCount))
    }

    mutating func append(_ source: ArraySlice<Float>) {
        compact()
        samples.append(contentsOf: source)
    }

    mutating func take(into target: UnsafeMutablePointer<Float>, frames: Int) -> Int {
        let count = min(frames, frameCount)
        guard count > 0 else { return 0 }
        samples.withUnsafeBufferPointer { all in
            guard let base = all.baseAddress else { return }
            target.update(from: base + head, count: count * channelCount)
        }
        dropFirst(count)
        return count
    }

    mutating func dropFirst(_ frames: Int) { head = min(head + max(frames, 0) * channelCount, samples.count) }

    mutating func removeAll() {
        samples.removeAll(keepingCapacity: true)
        head = 0
    }

    /// The samples of the frames from `first` (0 is the oldest) on.
    func samples(from first: Int, frames: Int) -> ArraySlice<Float> {
        let start = head + first * channelCount
        return samples[start..<start + frames * channelCount]
    }

    /// Samples that were taken are moved away once they are the greater part, so that each is moved once at most.
    private mutating func compact() {
        guard head > 0, head * 2 >= samples.count else { return }
        samples.removeFirst(head)
        head = 0
    }
}
