/// What becomes of changes that had not reached the disk when the power failed.
package struct PowerCut: Sendable {
    /// What becomes of one write.
    package enum Fate: Sendable, CaseIterable {
        /// Nothing of it is on the disk.
        case dropped
        /// All of it is.
        case kept
        /// Of its 512-byte sectors some are and some are not.
        case tornSectors
        /// The same in blocks of 4 KiB.
        case tornBlocks
    }

    private let seed: UInt64
    private let fate: Fate?

    init(seed: UInt64, fate: Fate?) {
        self.seed = seed
        self.fate = fate
    }

    /// The disk as it is found. Changes that are kept may overtake others: a later one can be there without an earlier one.
    /// The length of a file changes with what is kept.
    func disk(after disk: MemoryDisk) -> MemoryDisk {
        var random = SplitMix(state: seed)
        var result = disk
        result.locks = [:]
        result.names = disk.durableNames
        // In the order of the journal: of names a first part is there, the rest is not.
        let names =
            fate == .dropped
            ? 0 : fate == .kept ? disk.nameChanges.count : Int.random(in: 0...disk.nameChanges.count, using: &random)
        for change in disk.nameChanges.prefix(names) { change.apply(to: &result.names) }
        result.names.removeUnreachable()
        result.durableNames = result.names
        result.nameChanges = []
        for number in disk.files.keys.sorted() {
            guard var file = disk.files[number] else { continue }
            for change in file.changes {
                switch change {
                case .write(let bytes, let offset):
                    write(bytes, at: offset, to: &file.durable, &random)
                case .truncate:
                    if decide(&random) != .dropped { change.apply(to: &file.durable) }
                }
            }
            file.changes = []
            file.bytes = file.durable
            file.reserved = 0
            result.files[number] = file
        }
        return result
    }

    private func decide(_ random: inout SplitMix) -> Fate {
        fate ?? Fate.allCases[Int.random(in: 0..<Fate.allCases.count, using: &random)]
    }

    private func write(_ bytes: [UInt8], at offset: Int, to durable: inout [UInt8], _ random: inout SplitMix) {
        let unit: Int
        switch decide(&random) {
        case .dropped: return
        case .kept: unit = .max
        case .tornSectors: unit = 512
        case .tornBlocks: unit = 4096
        }
        var position = offset
        let end = offset + bytes.count
        while position < end {
            let next = unit == .max ? end : min(end, (position / unit + 1) * unit)
            if unit == .max || Bool.random(using: &random) {
                MemoryDisk.FileChange.write(Array(bytes[position - offset..<next - offset]), at: position)
                    .apply(to: &durable)
            }
            position = next
        }
    }
}
