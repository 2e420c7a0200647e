import DesktopLinux

/// Called by libFuzzer with bytes that it made up: a message of a stranger on the bus.
@_cdecl("LLVMFuzzerTestOneInput")
func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let bytes = UnsafeBufferPointer(start: bytes, count: count)
    guard let choice = bytes.first else { return 0 }
    StrangersMessages.hear(choice, Array(bytes.dropFirst()))
    return 0
}
