import AudioRuntime
import TestSupport
import Testing

@Suite("CheckedLine")
struct CheckedLineTests {
    static let lines = [
        CheckedLine("part", [("number", "3"), ("name", "0003.m4a")]),
        CheckedLine("odd", [("path", "/a b/%41=\n\u{7F}ü🎙"), ("empty", "")]),
        CheckedLine("end"),
    ]

    @Test func everyLineComesBack() {
        #expect(CheckedLine.all(in: Self.lines.flatMap(\.bytes)) == Self.lines)
        // By Python's zlib.
        #expect(Self.lines[0].bytes == Array("7229853b part number=3 name=0003.m4a\n".utf8))
        #expect(Self.lines[0]["name"] == "0003.m4a")
    }

    @Test func damageHidesOnlyItsOwnLine() {
        let whole = Self.lines.flatMap(\.bytes)
        for index in whole.indices {
            for change: UInt8 in [1, 0x0A, 0x80] {
                var damaged = whole
                damaged[index] ^= change
                let read = CheckedLine.all(in: damaged)
                #expect(read.allSatisfy(Self.lines.contains), "byte \(index)")
                #expect(read.count >= 1, "byte \(index)")
            }
            #expect(CheckedLine.all(in: Array(whole[..<index])).allSatisfy(Self.lines.contains))
        }
    }

    @Test func noiseIsNoLine() {
        var random = SeededGenerator(seed: 1)
        for _ in 0..<200 {
            let bytes = (0..<500).map { _ in UInt8.random(in: 0...255, using: &random) }
            #expect(CheckedLine.all(in: bytes).isEmpty)
        }
    }
}
