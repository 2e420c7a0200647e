import AVFoundation
import RecordingKit

/// What is heard and what comes behind it: opens files a little before their turn, so that each begins in the frame in
/// which the one before it ends.
@MainActor
final class PlayQueue {
    /// One turn of the list: a file that can be heard, or one that cannot.
    enum Entry {
        case group(PlayGroup)
        case failed(any Error, index: Int)

        var index: Int {
            switch self {
            case .group(let group): group.index
            case .failed(_, let index): index
            }
        }
    }

    private(set) var entries: [Entry] = []
    private var list: PlayList
    /// What was heard before, the last one last.
    private var history: [Int] = []
    private let open: (Int) throws -> PlayGroup

    /// What begins by its moment is told so long before (`AVAudioPlayer.play(atTime:)`).
    static let lead = 0.25
    /// How far ahead of its turn a file is opened, in seconds.
    private static let horizon = 3.0
    /// Very short files: so many streams at once.
    private static let most = 16

    init(_ list: PlayList, open: @escaping (Int) throws -> PlayGroup) {
        self.list = list
        self.open = open
    }

    /// What is heard now.
    var current: PlayGroup? {
        if case .group(let group)? = entries.first { group } else { nil }
    }

    /// The entry whose turn it is, opened if it was not; nil at the end of the list.
    func first() -> Entry? {
        if entries.isEmpty, let index = list.next() { append(index) }
        return entries.first
    }

    private func append(_ index: Int) {
        do {
            entries.append(.group(try open(index)))
        } catch {
            entries.append(.failed(error, index: index))
        }
    }

    /// The first entry is over.
    func dropFirst() {
        guard !entries.isEmpty else { return }
        let entry = entries.removeFirst()
        if case .group(let group) = entry {
            group.stop()
            history.append(group.index)
            if history.count > 1000 { history.removeFirst() }
        }
    }

    /// Goes back to what was heard before; without one, what is heard now comes again.
    func goBack() {
        returnFollowers()
        returnLast()
        if let before = history.popLast() { list.putBack(before) }
    }

    /// Takes back what was to begin behind the first entry.
    func returnFollowers() {
        while entries.count > 1 { returnLast() }
    }

    private func returnLast() {
        guard let last = entries.popLast() else { return }
        if case .group(let group) = last { group.stop() }
        list.putBack(last.index)
    }

    /// Has those begin whose moment comes soon. To be called again and again while the first entry plays.
    func lookAhead() {
        guard let clock = current?.now else { return }
        while entries.count < Self.most, let end = lastEnd, end - clock < Self.horizon, let index = list.next() {
            append(index)
            guard case .group(let group)? = entries.last else { continue }
            group.prepare()
            // Where it cannot, it is tried again when its turn comes, and the reason told then.
            _ = group.start(at: end)
        }
    }

    /// When everything that is to begin has ended; nil where nobody knows.
    private var lastEnd: Double? {
        for case .group(let group) in entries.reversed() { return group.end }
        return nil
    }
}
