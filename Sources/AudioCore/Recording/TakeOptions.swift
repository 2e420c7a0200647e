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

    /// When a recording ends by itself: by the clock, so that pauses, interruptions and a machine's sleep count.
    package enum Deadline: Sendable, Hashable {
        /// So long after its start.
        case after(Duration)
        /// At this time of day, in seconds since 1970.
        case at(Double)
    }

    /// What happens when the microphone goes away while it records. Counts from the next loss on.
    package var microphoneLossPolicy = MicrophoneLossPolicy.stop
    /// Which of the microphone's channels are recorded; nil leaves it to the device layer, which may halve a voice whose
    /// other channel is dead. Counts from the next recording on.
    package var channelSelection: ChannelSelection?
    package var durability = Durability.standard
    /// The length of the parts that a long recording is kept in; nil for one file from the start.
    package var partLength: Duration?
    /// Whether the time of an interruption is silence in the file; otherwise the file has none of it, and a gap of no length
    /// marks the place. Counts from the next interruption on.
    package var fillsInterruptions = false
    /// Whether the parts stay once they are joined.
    package var keepsParts = false
    /// Folders on other disks where a recording goes on when its own disk fails, in order.
    package var rescueFolders: [String] = []

    /// When the recording ends by itself; nil for never. Counts at once.
    package var deadline: Deadline?

    /// What the recording is called, in the file; nil for nothing.
    package var title: String?

    package init() {}

    /// What the file says of itself.
    package func metadata(at date: String) -> MediaMetadata {
        var metadata = MediaMetadata()
        // Some containers keep texts in one page, with all that changes.
        metadata.title = title.map { $0.prefix(utf8: 500) }
        metadata.date = date
        metadata.encoder = "kayit"
        return metadata
    }
}

extension String {
    /// As many whole characters as fit into `limit` bytes.
    package func prefix(utf8 limit: Int) -> String {
        if utf8.count <= limit { return self }
        var result = ""
        var count = 0
        for character in self {
            count += character.utf8.count
            if count > limit { break }
            result.append(character)
        }
        return result
    }
}
