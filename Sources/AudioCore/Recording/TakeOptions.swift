/// What a recording is asked for beyond what Apple's settings say.
package struct TakeOptions: Sendable, Equatable {
    /// When what was heard becomes part of the file: by frames, so that a recording in virtual time behaves the same.
    package struct Durability: Sendable, Equatable {
        /// A playable file, safe from the death of the process, at least this often.
        package var visibleEvery: Duration
        /// On the disk, safe from a power cut, at least this often.
        package var synchronizedEvery: Duration

        package init(visibleEvery: Duration, synchronizedEvery: Duration) {
            self.visibleEvery = visibleEvery
            self.synchronizedEvery = synchronizedEvery
        }

        package static let standard = Durability(
            visibleEvery: .milliseconds(40),
            synchronizedEvery: .milliseconds(250)
        )
        /// Writes seldom: for memory cards, which wear out by small writes.
        package static let longLife = Durability(visibleEvery: .seconds(1), synchronizedEvery: .seconds(10))
    }

    /// What happens when the microphone goes away while it records. Counts from the next loss on.
    package var microphoneLossPolicy = MicrophoneLossPolicy.stop
    package var durability = Durability.standard
    /// The length of the parts that a long recording is kept in; nil for one file from the start.
    package var partLength: Duration?
    /// Whether the parts stay once they are joined.
    package var keepsParts = false
    /// Folders on other disks where a recording goes on when its own disk fails, in order.
    package var rescueFolders: [String] = []

    package init() {}
}
