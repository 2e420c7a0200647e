import Synchronization

/// Bytes that live as long as the program, one copy of each content.
///
/// Apple's objects that hand out a pointer to their inside live on until their pool is drained; ours end with their last
/// use, which in `AVAudioFormat(…)?.streamDescription.pointee` is before the pointer is followed. Descriptions are small and
/// a program meets few different ones, so they stay.
enum LastingBytes {
    private static let addresses = Mutex<[[UInt8]: UInt]>([:])

    /// A pointer, aligned to 16, to a copy of `bytes` that nobody may change.
    static func pointer(to bytes: UnsafeRawBufferPointer) -> UnsafeRawPointer {
        let key = [UInt8](bytes)
        let address = addresses.withLock { addresses in
            if let known = addresses[key] { return known }
            let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: max(key.count, 1), alignment: 16)
            memory.copyBytes(from: key)
            let address = UInt(bitPattern: memory.baseAddress)
            addresses[key] = address
            return address
        }
        guard let pointer = UnsafeRawPointer(bitPattern: address) else { preconditionFailure("no memory") }
        return pointer
    }
}
