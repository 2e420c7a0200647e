import AudioRuntime

/// Called by libFuzzer with bytes that it made up.
@_cdecl("LLVMFuzzerTestOneInput")
func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    ReadingEverything.attempt(UnsafeBufferPointer(start: bytes, count: count))
    return 0
}
