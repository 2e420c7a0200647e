import Testing

/// What the campaign measures by, on signals whose answer is known.
@Suite struct AlignmentTests {
    private let heard = Noise.samples(seconds: 3, sampleRate: 44_100, seed: 7)
    private let other = Noise.samples(seconds: 3, sampleRate: 44_100, seed: 8)

    private func align(_ recording: [Float], isExact: Bool) throws -> (alignment: Alignment, foreign: Int?) {
        try heard.withUnsafeBufferPointer { heard in
            let found = Alignment(of: recording, in: heard, endsIn: 70_000..<110_000, sampleRate: 44_100)
            let alignment = try #require(found)
            return (
                alignment,
                alignment.firstForeignFrame(
                    of: recording,
                    in: heard,
                    sampleRate: 44_100,
                    step: isExact ? 1 / 32_768 : nil
                )
            )
        }
    }

    /// The place is found to the frame, also of a short and of a disturbed recording.
    @Test(arguments: [900, 50_000]) func placeIsExact(length: Int) throws {
        let first = 40_007
        let disturbed = (0..<length).map { heard[first + 40_000 - length + $0] + 0.3 * other[$0] }
        let (found, foreign) = try align(disturbed, isExact: false)
        #expect(found.offset == first + 40_000 - length)
        #expect(foreign == nil)
    }

    @Test func whatWasNotHeardIsSeen() throws {
        let clean = Array(heard[30_000..<90_000])
        #expect(try align(clean, isExact: true).foreign == nil)
        var oneSample = clean
        oneSample[1234] += 0.001
        #expect(try align(oneSample, isExact: true).foreign == 1234)

        var piece = clean
        piece.replaceSubrange(11_025..<15_435, with: other[0..<4410])
        #expect(try align(piece, isExact: false).foreign == 11_025)
        var silence = clean
        silence.replaceSubrange(11_025..<15_435, with: repeatElement(0, count: 4410))
        #expect(try align(silence, isExact: false).foreign == 11_025)
    }

    @Test func otherNoiseHasNoPlace() throws {
        let found = heard.withUnsafeBufferPointer {
            Alignment(of: other, in: $0, endsIn: 70_000..<110_000, sampleRate: 44_100)
        }
        #expect(try #require(found).likeness < 0.6)
    }
}
