/// The sizes of many packets, and where each starts in the run of them all.
///
/// Four bytes for a packet and eight for every 1024: an eight-hour AAC recording takes 5 MB.
struct PacketSizes {
    private var sizes: [UInt32] = []
    /// The sum of all sizes before packet `1024 * index`.
    private var sums: [Int64] = []
    private(set) var total: Int64 = 0

    private static let stride = 1024
    /// 16 million packets: four and a half days of AAC at 44.1 kHz, and 67 MB of memory.
    static let limit = 1 << 24

    var count: Int { sizes.count }

    mutating func reserveCapacity(_ count: Int) {
        sizes.reserveCapacity(count)
        sums.reserveCapacity(count / Self.stride + 1)
    }

    /// Big-endian 32-bit sizes, up to `count` of them; ends before the first that is larger than `limit`.
    init(bigEndian raw: [UInt8], count: Int, limit: UInt32) {
        reserveCapacity(count)
        raw.withUnsafeBytes { bytes in
            sizes = [UInt32](unsafeUninitializedCapacity: count) { buffer, filled in
                while filled < count {
                    let size = UInt32(bigEndian: bytes.loadUnaligned(fromByteOffset: filled * 4, as: UInt32.self))
                    if size > limit { return }
                    if filled % Self.stride == 0 { sums.append(total) }
                    buffer.initializeElement(at: filled, to: size)
                    total += Int64(size)
                    filled += 1
                }
            }
        }
    }

    init() {}

    mutating func append(_ size: UInt32) {
        if sizes.count % Self.stride == 0 { sums.append(total) }
        sizes.append(size)
        total += Int64(size)
    }

    /// `index` is 0 … `count` − 1.
    subscript(index: Int) -> Int { Int(sizes[index]) }

    /// `range` lies within 0 ..< `count`.
    subscript(range: Range<Int>) -> ArraySlice<UInt32> { sizes[range] }

    /// The sum of the sizes of all packets before `index`, which is 0 … `count`.
    func start(of index: Int) -> Int64 {
        if index >= sizes.count { return total }
        let block = index / Self.stride
        return sizes[block * Self.stride..<index].reduce(sums[block]) { $0 + Int64($1) }
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
        while index < count, end + Int64(sizes[index]) <= bytes {
            end += Int64(sizes[index])
            index += 1
        }
        return index
    }
}
