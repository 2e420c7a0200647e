import AudioCore
import Testing

@Suite struct FrameReaderTests {
    private func reader(
        packets: Int = 10,
        framesPerPacket: Int = 64,
        priming: Int = 100,
        valid: Int? = 500,
        holdsBack: Bool = false,
        damaged: Set<Int> = []
    ) -> FrameReader {
        let container = RampReader(packets: packets, framesPerPacket: framesPerPacket, priming: priming, valid: valid)
        container.damaged = damaged
        return FrameReader(reader: container, decoder: RampDecoder(container.stream, holdsBack: holdsBack))
    }

    /// Everything from here on, in steps.
    private func rest(of reader: FrameReader, step: Int = 37) throws -> [Int] {
        var result: [Int] = []
        while true {
            let buffer = PCMBuffer(format: reader.format, capacity: step)
            if try reader.read(into: buffer) == 0 { return result }
            result += (0..<buffer.frameLength).map { Int(buffer.samples(as: Int32.self)[$0]) }
        }
    }

    @Test(arguments: [1, 37, 64, 1000], [false, true])
    func exactlyTheRecording(step: Int, holdsBack: Bool) throws {
        let reader = reader(holdsBack: holdsBack)
        #expect(reader.length == 500)
        #expect(try rest(of: reader, step: step) == Array(0..<500))
        #expect(reader.position == 500)
        #expect(try rest(of: reader) == [])
    }

    @Test(arguments: [false, true])
    func unknownLengthEndsWithThePackets(holdsBack: Bool) throws {
        let reader = reader(valid: nil, holdsBack: holdsBack)
        #expect(reader.length == nil)
        #expect(try rest(of: reader) == Array(0..<540))
    }

    @Test func aFileThatIsCutEndsEarly() throws {
        let reader = reader(packets: 3, valid: 500)
        #expect(try rest(of: reader) == Array(0..<92))
    }

    @Test(arguments: [0, 1, 27, 28, 29, 100, 411, 412, 499, 500], [false, true])
    func seeksAreExact(target: Int, holdsBack: Bool) throws {
        let reader = reader(holdsBack: holdsBack)
        let buffer = PCMBuffer(format: reader.format, capacity: 50)
        _ = try reader.read(into: buffer)
        try reader.seek(to: FrameCount(target))
        #expect(reader.position == FrameCount(target))
        #expect(try rest(of: reader) == Array(target..<500))
    }

    @Test func seeksAreClamped() throws {
        let reader = reader()
        try reader.seek(to: FrameCount(Int64.max))
        #expect(reader.position == 500)
        #expect(try rest(of: reader) == [])
        try reader.seek(to: -5)
        #expect(try rest(of: reader) == Array(0..<500))
        let endless = self.reader(valid: nil)
        try endless.seek(to: FrameCount(Int64.max))
        #expect(try rest(of: endless) == [])
    }

    @Test func damageIsToldOnceAndLeavesSilence() throws {
        let reader = reader(damaged: [4])  // frames 156 … 219
        let buffer = PCMBuffer(format: reader.format, capacity: 400)
        #expect(try reader.read(into: buffer) == 156)
        let failure = #expect(throws: AudioFailure.self) { try reader.read(into: buffer) }
        #expect(failure?.code == .malformedMedia)
        #expect(try rest(of: reader) == [Int](repeating: 0, count: 64) + Array(220..<500))
    }

    @Test func damageInThePriming() throws {
        let reader = reader(damaged: [0, 1])
        for _ in 0..<2 {
            #expect(throws: AudioFailure.self) {
                try reader.read(into: PCMBuffer(format: reader.format, capacity: 10))
            }
        }
        #expect(try rest(of: reader) == [Int](repeating: 0, count: 28) + Array(28..<500))
    }

    @Test func readsAppend() throws {
        let reader = reader()
        let buffer = PCMBuffer(format: reader.format, capacity: 100)
        buffer.setFrameLength(90)
        #expect(try reader.read(into: buffer) == 10)
        #expect(buffer.samples(as: Int32.self)[90] == 0)
        #expect(try reader.read(into: buffer) == 0)
        #expect(reader.position == 10)
    }

    @Test func otherFormatsAreRefused() throws {
        let other = PCMBuffer(format: PCMFormat(sampleRate: 44_100, channelCount: 1), capacity: 10)
        let reader = reader()
        #expect(throws: AudioFailure.self) { try reader.read(into: other) }
    }
}

@Suite struct FrameWriterTests {
    private let encoder = CountingEncoder()
    private let container = CountingWriter()

    private func buffer(_ frames: Int) -> PCMBuffer {
        let buffer = PCMBuffer(format: encoder.input, capacity: frames)
        buffer.setFrameLength(frames)
        return buffer
    }

    @Test func countsFrames() throws {
        let writer = FrameWriter(encoder: encoder, writer: container)
        try writer.write(buffer(20))
        try writer.checkpoint(synchronize: false)
        #expect(writer.length == 20)
        #expect(writer.checkpointedFrames == 19)
        try writer.write(buffer(1))
        try writer.finish()
        try writer.finish()
        #expect(container.validFrames == 21)
        #expect(container.packets == 4)
        #expect(throws: AudioFailure.self) { try writer.write(buffer(1)) }
    }

    @Test func aFullDiskLosesNothing() throws {
        let writer = FrameWriter(encoder: encoder, writer: container)
        container.failures = 3
        #expect(throws: AudioFailure.self) { try writer.write(buffer(30)) }
        #expect(writer.length == 30)
        // Still full: this call takes nothing.
        #expect(throws: AudioFailure.self) { try writer.write(buffer(100)) }
        #expect(writer.length == 30)
        #expect(throws: AudioFailure.self) { try writer.finish() }
        try writer.write(buffer(10))
        try writer.finish()
        #expect(container.validFrames == 40)
        #expect(container.packets == 6)
    }
    @Test("a checkpoint between a failed ending and the next try states no padding")
    func paddingComesWithTheEnding() throws {
        let writer = FrameWriter(encoder: encoder, writer: container)
        try writer.write(buffer(20))
        try writer.checkpoint(synchronize: false)
        container.failures = 1
        #expect(throws: AudioFailure.self) { try writer.finish() }
        try writer.checkpoint(synchronize: false)
        #expect(writer.checkpointedFrames == 19)
        #expect(container.packets == 3)
        try writer.finish()
        #expect(container.packets == 4)
        #expect(container.validFrames == 20)
    }
}
