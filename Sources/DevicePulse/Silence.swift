/// Writes silence. For the device thread.
///
/// - Parameter byteCount: a multiple of the size of a sample.
@_noLocks @_noAllocation
func clear(_ memory: UnsafeMutableRawPointer, byteCount: Int) {
    var offset = 0
    while offset < byteCount {
        memory.storeBytes(of: 0, toByteOffset: offset, as: UInt32.self)
        offset += MemoryLayout<UInt32>.stride
    }
}
