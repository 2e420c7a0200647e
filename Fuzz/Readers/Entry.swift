import AudioRuntime

/// Called by libFuzzer with bytes that it made up.
@_cdecl("LLVMFuzzerTestOneInput")
func readOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
    let input = UnsafeBufferPointer(start: bytes, count: count)
    ParsingScenarios.attempt(input)
    DescribingThemes.attempt(input)
    let source = Memory(input)
    ReadingEverything.attempt(source)
    RecoveringEverything.attempt(source)
    SessionLines.attempt(source)
    return 0
}
