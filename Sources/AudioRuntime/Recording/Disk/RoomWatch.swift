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

/// Looks at the free room of a disk once in a second of sound, by the bytes that a second takes. Writer thread only.
struct RoomWatch {
    /// Seconds left that are told, when they are reached and again after there was room meanwhile.
    static let marks = [600.0, 60.0]
    /// How much more there must be until a mark counts anew.
    private static let hysteresis = 1.25

    let files: any FileStore
    /// Where the file is, which may change.
    var folder: String
    let sampleRate: Double
    /// Bytes that the file itself has reserved.
    let roomAhead: @Sendable () -> Int64
    let estimate: RoomEstimate

    /// Bytes a second.
    private var rate: Double
    private var hasMeasured = false
    private var bytes: Int64 = 0
    private var frames: Int64 = 0
    /// The marks that are told.
    private var told: Set<Double> = []

    /// - Parameter expectedRate: bytes a second, for as long as nothing is measured.
    init(
        files: any FileStore,
        folder: String,
        sampleRate: Double,
        expectedRate: Double,
        roomAhead: @escaping @Sendable () -> Int64,
        estimate: RoomEstimate
    ) {
        self.files = files
        self.folder = folder
        self.sampleRate = sampleRate
        self.roomAhead = roomAhead
        self.estimate = estimate
        rate = max(expectedRate, 1)
    }

    mutating func written(_ packet: EncodedPacket) {
        bytes += Int64(packet.bytes.count)
        frames += Int64(packet.frames)
    }

    /// - Returns: the seconds left, where a mark is reached that was not told yet.
    mutating func look(isFirst: Bool = false) -> Double? {
        guard isFirst || Double(frames) >= sampleRate else { return nil }
        if frames > 0 {
            // Half a minute decides: speech and pauses differ.
            let now = Double(bytes) * sampleRate / Double(frames)
            rate = hasMeasured ? rate + (now - rate) / 30 : now
            hasMeasured = true
        }
        bytes = 0
        frames = 0
        // Where the disk does not say how much there is, the writes will.
        guard let free = try? files.freeSpace(at: folder) else { return nil }
        let left = (Double(free) + Double(roomAhead())) / max(rate, 1)
        estimate.set(left)
        for mark in Self.marks where left > mark * Self.hysteresis { told.remove(mark) }
        guard let mark = Self.marks.last(where: { left <= $0 }), told.insert(mark).inserted else { return nil }
        // Whoever starts with less than a minute is not told of ten.
        told.formUnion(Self.marks)
        for later in Self.marks where later < mark { told.remove(later) }
        return left
    }
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
