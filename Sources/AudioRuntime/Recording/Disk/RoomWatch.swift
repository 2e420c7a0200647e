import AudioCore
import Synchronization

/// How long a recording can still become, as it was known at the last look.
final class RoomEstimate: Sendable {
    private let seconds = Atomic<UInt64>(Double.infinity.bitPattern)

    /// Nil where it is not known.
    var secondsLeft: Double? {
        let value = Double(bitPattern: seconds.load(ordering: .relaxed))
        return value.isFinite ? value : nil
    }

    func set(_ value: Double) { seconds.store(value.bitPattern, ordering: .relaxed) }
}

/// The file that a take writes to now. Any thread.
final class FileInUse: Sendable {
    private let current = Mutex<TakeFile?>(nil)

    var file: TakeFile? {
        get { current.withLock { $0 } }
        set { current.withLock { $0 = newValue } }
    }
}

/// Looks once in a second of sound at the free room of the disk, by the bytes that a second takes, and whether the file is
/// still where it was. Writer thread only.
struct RoomWatch {
    enum Finding {
        /// So many seconds are left; told at each mark once.
        case low(secondsLeft: Double)
        /// The file or a folder above it has another name.
        case moved(to: String)
        /// The file has no name any more.
        case gone
    }

    /// Seconds left that are told, when they are reached and again after there was room meanwhile.
    static let marks = [600.0, 60.0]
    /// How much more there must be until a mark counts anew.
    private static let hysteresis = 1.25

    let files: any FileStore
    let inUse: FileInUse
    /// Where the file is to be, and where it was found once it was not there.
    var path: String
    let sampleRate: Double
    let estimate: RoomEstimate

    /// The file that `path` belongs to.
    private weak var lastFile: TakeFile?
    /// Bytes a second.
    private var rate: Double
    private var hasMeasured = false
    private var bytes: Int64 = 0
    private var frames: Int64 = 0
    /// The marks that are told.
    private var told: Set<Double> = []

    /// - Parameter expectedRate: bytes a second, for as long as nothing is measured.
    init(
        _ inUse: FileInUse,
        at path: String,
        files: any FileStore,
        sampleRate: Double,
        expectedRate: Double,
        estimate: RoomEstimate
    ) {
        self.inUse = inUse
        self.path = path
        self.files = files
        self.sampleRate = sampleRate
        self.estimate = estimate
        rate = max(expectedRate, 1)
    }

    mutating func written(_ packet: EncodedPacket) {
        bytes += Int64(packet.bytes.count)
        frames += Int64(packet.frames)
    }

    /// - Parameter isFirst: before anything is written.
    mutating func look(isFirst: Bool = false) -> [Finding] {
        guard isFirst || Double(frames) >= sampleRate else { return [] }
        let room = lookAtRoom().map { Finding.low(secondsLeft: $0) }
        let place = isFirst ? nil : lookAtPlace()
        return [room, place].compactMap { $0 }
    }

    private mutating func lookAtPlace() -> Finding? {
        // A file that cannot be asked has other troubles.
        guard let file = inUse.file, let found = try? Found(file.place()) else { return nil }
        guard let now = found.value else { return .gone }
        if file !== lastFile {
            // Another part, or the first look: where it is now is where it is to be.
            lastFile = file
            path = now
            return nil
        }
        guard now != path, let status = try? Found(files.status(path)), status.value == nil else { return nil }
        path = now
        return .moved(to: now)
    }

    private mutating func lookAtRoom() -> Double? {
        if frames > 0 {
            // Half a minute decides: speech and pauses differ.
            let now = Double(bytes) * sampleRate / Double(frames)
            rate = hasMeasured ? rate + (now - rate) / 30 : now
            hasMeasured = true
        }
        bytes = 0
        frames = 0
        // Where the disk does not say how much there is, the writes will.
        guard let free = try? files.freeSpace(at: FilePath.folder(of: path)) else { return nil }
        let left = (Double(free) + Double(inUse.file?.roomAhead ?? 0)) / max(rate, 1)
        estimate.set(left)
        for mark in Self.marks where left > mark * Self.hysteresis { told.remove(mark) }
        guard let mark = Self.marks.last(where: { left <= $0 }), told.insert(mark).inserted else { return nil }
        // Whoever starts with less than a minute is not told of ten.
        told.formUnion(Self.marks)
        for later in Self.marks where later < mark { told.remove(later) }
        return left
    }
}

/// An answer that may be nothing, apart from no answer.
private struct Found<Value> {
    var value: Value?
    init(_ value: Value?) { self.value = value }
}

extension EncodingRequest {
    /// About the bytes that a second takes; for a look at the disk before anything is written.
    var expectedByteRate: Double {
        let samples = sampleRate * Double(channelCount)
        return switch codec {
        case .linearPCM(let layout): samples * Double((layout.bitsPerSample + 7) / 8)
        case .muLaw, .aLaw: samples
        case .ima4: samples * 34 / 64
        case .alac, .flac: samples * Double(bitDepth) / 8 * 0.7
        case .aac: Double(bitRate ?? 96_000 * channelCount) / 8
        case .opus: Double(bitRate ?? 64_000 * channelCount) / 8
        }
    }
}
