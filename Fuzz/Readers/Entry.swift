import AudioRuntime

/// Called by libFuzzer with bytes that it made up.
@_cdecl("LLVMFuzzerTestOneInput")
func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let source = Memory(UnsafeBufferPointer(start: bytes, count: count))
    ReadingEverything.attempt(source)
    RecoveringEverything.attempt(source)
    return 0
}
