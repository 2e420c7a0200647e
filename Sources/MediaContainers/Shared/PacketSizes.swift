/// The sizes of many packets, and where each starts in the run of them all.
///
/// Two bytes for a packet while none is longer than 65 535 bytes, else four, and eight for every 1024: an eight-hour AAC
/// recording takes 2.5 MB.
struct PacketSizes {
    /// Sizes as long as all of them fit; then moved to `large`.
    private var small: [UInt16] = []
    private var large: [UInt32] = []
    /// The sum of all sizes before packet `1024 * index`.
    private var sums: [Int64] = []
    private(set) var total: Int64 = 0
    private(set) var count = 0

    private static let stride = 1024
    /// 16 million packets: four and a half days of AAC at 44.1 kHz, and 34 MB of memory.
    static let limit = 1 << 24

    init() {}

    mutating func reserveCapacity(_ count: Int) {
        if large.isEmpty { small.reserveCapacity(count) } else { large.reserveCapacity(count) }
        sums.reserveCapacity(count / Self.stride + 1)
    }

    /// Big-endian 32-bit sizes, up to `count` of them; ends before the first that is larger than `limit`.
    init(bigEndian raw: [UInt8], count: Int, limit: UInt32) {
        reserveCapacity(count)
        append(bigEndian: raw, count: count, limit: limit)
    }

    /// As `init(bigEndian:)`, behind those that are there.
    /// - Returns: how many were appended.
    @discardableResult
    mutating func append(bigEndian raw: [UInt8], count: Int, limit: UInt32) -> Int {
        raw.withUnsafeBytes { bytes in
            var taken = 0
            while taken < min(count, bytes.count / 4) {
                let size = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: taken * 4, as: UInt32.self))
                if size > limit { break }
                append(size)
                taken += 1
            }
            return taken
        }
    }

    mutating func append(_ size: UInt32) {
        if count % Self.stride == 0 { sums.append(total) }
        if large.isEmpty, let fitting = UInt16(exactly: size) {
            small.append(fitting)
        } else {
            if large.isEmpty {
                large.reserveCapacity(small.capacity)
                for earlier in small { large.append(UInt32(earlier)) }
                small = []
            }
            large.append(size)
        }
        count += 1
        total += Int64(size)
    }

    /// `index` is 0 … `count` − 1.
    subscript(index: Int) -> Int { large.isEmpty ? Int(small[index]) : Int(large[index]) }

    /// `range` lies within 0 ..< `count`.
    subscript(range: Range<Int>) -> [UInt32] {
        large.isEmpty ? small[range].map { UInt32($0) } : Array(large[range])
    }

    /// The sum of the sizes of all packets before `index`, which is 0 … `count`.
    func start(of index: Int) -> Int64 {
        if index >= count { return total }
        let block = index / Self.stride
        var sum = sums[block]
        for packet in block * Self.stride..<index { sum += Int64(self[packet]) }
        return sum
    }

    /// How many packets from the first on lie wholly within `bytes`.
    func count(within bytes: Int64) -> Int {
        if bytes >= total { return count }
        // The last block that starts within, then its packets one by one.
        var low = 0
        var high = sums.count
        while low < high {
            let middle = (low + high) / 2
            if sums[middle] <= bytes { low = middle + 1 } else { high = middle }
        }
        guard low > 0 else { return 0 }
        var index = (low - 1) * Self.stride
        var end = sums[low - 1]
        while index < count, end + Int64(self[index]) <= bytes {
            end += Int64(self[index])
            index += 1
        }
        return index
    }
}
