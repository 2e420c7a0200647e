import AudioCore
import AudioRuntime
import Foundation
import PlatformLinux
import TestSupport
import Testing

@Suite("PartedWriter")
struct PartedWriterTests {
    let scratch: TemporaryFolder
    let runtime: Runtime

    init() throws {
        scratch = try TemporaryFolder()
        runtime = .test()
    }

    /// Parts lie in the scratch folder, by their numbers.
    struct Place: PartedWriter.Place {
        let scratch: TemporaryFolder
        let container: ContainerKind
        let told = Recorded<String>()
        /// Numbers of parts that cannot be made, once each.
        var refuses: Set<Int> = []

        func path(_ number: Int) -> String { scratch.path("\(number).\(container.name)") }

        func makePart(_ number: Int, start: FrameCount) throws(AudioFailure) -> any StoredFile {
            told.append("make \(number)")
            if refuses.contains(number), told.all.filter({ $0 == "make \(number)" }).count == 1 {
                throw AudioFailure(.noSpace, "No room.")
            }
            return try LinuxFileStore().open(path(number), .creatingExclusively)
        }

        func partIsReady(_ number: Int) throws(AudioFailure) { told.append("ready \(number)") }
        func partFailed(_ number: Int) { told.append("failed \(number)") }
        func partIsFinished(_ number: Int, frames: FrameCount) { told.append("finished \(number)") }
        func recordingIsFinished(frames: FrameCount) { told.append("ended") }
    }

    func writer(_ stream: StreamDescription, _ place: Place, length: FrameCount) throws -> PartedWriter {
        let plan = PartedWriter.Plan(container: place.container, length: length)
        return try PartedWriter(plan, stream: stream, media: runtime.media, place: place)
    }

    func frames(of path: String) throws -> Int64 {
        let file = try runtime.files.open(path, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file)
        #expect(reader.integrity == .complete)
        return try #require(reader.validFrames).value
    }

    static let pcm = LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)
    static let cases: [(EncodingRequest.Codec, ContainerKind, Double)] = [
        (.aac, .m4a, 44_100), (.aac, .caf, 22_050), (.opus, .oggOpus, 48_000), (.opus, .m4a, 48_000),
        (.alac, .m4a, 44_100), (.alac, .caf, 44_100), (.ima4, .caf, 16_000), (.flac, .flac, 44_100),
        (.linearPCM(pcm), .wav, 44_100),
    ]

    @Test(
        "the sum of the parts is the recording, each plays by itself, and joined they are one encoder's file",
        arguments: cases
    )
    func partsAddUpToTheRecording(_ codec: EncodingRequest.Codec, _ container: ContainerKind, _ rate: Double) throws {
        let count = Int(rate * 3.7) + 11
        let request = EncodingRequest(codec: codec, sampleRate: rate, channelCount: 1)
        let take = try CutTake(request, frames: count, runtime: runtime)
        let whole = scratch.path("whole.\(container.name)")
        try take.write(0..<take.packets.count, leadIn: 0, to: whole, container)

        let place = Place(scratch: scratch, container: container)
        let parted = try writer(take.stream, place, length: FrameCount(Int(rate / 2)))
        // The last packets come with the exact length, as from the recorder.
        let last = take.packets.count - 2
        for (index, packet) in take.packets[..<last].enumerated() {
            try parted.append(packet)
            if index % 3 == 0 { try parted.checkpoint(synchronize: false) }
        }
        try parted.checkpoint(synchronize: false)
        for packet in take.packets[last...] { try parted.append(packet) }
        try parted.finish(validFrames: FrameCount(count))
        #expect(parted.checkpointedFrames == FrameCount(count))
        // Packets of PCM are as long as the source's blocks here.
        #expect(parted.partCount >= (codec == .linearPCM(Self.pcm) ? 3 : 6))
        #expect(place.told.all.filter { $0.hasPrefix("failed") }.isEmpty)

        let parts = (1...parted.partCount).map(place.path)
        #expect(try parts.reduce(0) { try $0 + frames(of: $1) } == Int64(count))
        let separate = try parts.flatMap { try decoded($0, runtime) }
        let target = scratch.path("joined.\(container.name)")
        _ = try RecordingJoin(parts: parts, target: target, container: container).run(in: runtime)
        let joined = try decoded(target, runtime)
        #expect(try areEqual(joined, decoded(whole, runtime)))
        if case .linearPCM = codec {
        } else {
            #expect(try areEqual(packets(of: target, runtime), packets(of: whole, runtime)))
        }
        #expect(separate.count == joined.count)
        #expect(difference(joined, separate) < -40)
        try playEverywhere(parts, rate)
    }

    /// Each part gives FFmpeg as many frames as it states, at its rate; where it takes off the padding.
    private func playEverywhere(_ parts: [String], _ rate: Double) throws {
        guard ExternalTool.areInstalled("ffmpeg") else { return }
        for path in [parts[0], parts[1], parts[parts.count - 1]] {
            let raw = scratch.path("raw")
            let run = try ExternalTool.run(
                "ffmpeg",
                ["-nostdin", "-y", "-v", "error", "-i", path, "-ar", "\(Int(rate))", "-ac", "1", "-f", "f32le", raw]
            )
            #expect(run.status == 0, "\(path): \(run.messages)")
            let count = Int64(try #require(FileManager.default.attributesOfItem(atPath: raw)[.size] as? Int) / 4)
            let expected = try frames(of: path)
            // CAF: FFmpeg trims neither the lead-in nor the padding; M4A and IMA4: not the padding.
            #expect(count >= expected && count <= expected + 2 * 2048, "\(path): \(count) of \(expected)")
        }
    }

    @Test("FLAC frames are counted from the start of each part")
    func flacPartsAreNumberedAnew() throws {
        try #require(ExternalTool.areInstalled("flac"))
        let take = try CutTake(
            EncodingRequest(codec: .flac, sampleRate: 44_100, channelCount: 1),
            frames: 100_000,
            runtime: runtime
        )
        let place = Place(scratch: scratch, container: .flac)
        let parted = try writer(take.stream, place, length: 30_000)
        for packet in take.packets {
            try parted.append(packet)
            try parted.checkpoint(synchronize: false)
        }
        try parted.finish(validFrames: 100_000)
        let second = try #require(packets(of: place.path(2), runtime).first)
        #expect(second[4] == 0, "the frame's number")
        for number in 1...parted.partCount {
            #expect(try ExternalTool.run("flac", ["--test", "--silent", place.path(number)]).status == 0)
        }
    }

    @Test("the padding at the end never gets a part of its own")
    func paddingStaysInItsPart() throws {
        let request = EncodingRequest(codec: .aac, sampleRate: 44_100, channelCount: 1)
        // Ends around the edges of parts.
        for frames in stride(from: 4 * 8_192 - 1_100, through: 4 * 8_192 + 1_100, by: 137) {
            let take = try CutTake(request, frames: frames, runtime: runtime)
            let place = Place(scratch: try TemporaryFolder(), container: .m4a)
            let parted = try writer(take.stream, place, length: 8_192)
            let sound = take.packets.count - 3
            for packet in take.packets[..<sound] { try parted.append(packet) }
            try parted.checkpoint(synchronize: false)
            var last = Array(take.packets[sound...])
            try parted.finish(appending: &last, validFrames: FrameCount(frames))
            let sum = try (1...parted.partCount).reduce(Int64(0)) { try $0 + self.frames(of: place.path($1)) }
            #expect(sum == Int64(frames))
        }
    }

    @Test("a part that cannot be begun leaves all others complete, and is tried again")
    func aPartThatCannotBeBegunIsTriedAgain() throws {
        let request = EncodingRequest(codec: .aac, sampleRate: 44_100, channelCount: 1)
        let take = try CutTake(request, frames: 120_000, runtime: runtime)
        var place = Place(scratch: scratch, container: .m4a)
        place.refuses = [2]
        let parted = try writer(take.stream, place, length: 44_100)
        var refused = 0
        for packet in take.packets {
            try parted.append(packet)
            do throws(AudioFailure) {
                try parted.checkpoint(synchronize: false)
            } catch {
                refused += 1
                #expect(error.code == .noSpace)
                #expect(try frames(of: place.path(1)) == parted.checkpointedFrames.value)
                try parted.checkpoint(synchronize: false)
            }
        }
        try parted.finish(validFrames: 120_000)
        #expect(refused == 1)
        #expect(try (1...parted.partCount).reduce(Int64(0)) { try $0 + frames(of: place.path($1)) } == 120_000)
    }

    @Test(
        "what is taken back and given again after a failure is there once",
        arguments: [EncodingRequest.Codec.aac, .flac, .opus]
    )
    func takenBackAndGivenAgain(_ codec: EncodingRequest.Codec) throws {
        let container: ContainerKind = codec == .aac ? .m4a : codec == .flac ? .flac : .oggOpus
        let request = EncodingRequest(codec: codec, sampleRate: 48_000, channelCount: 1)
        let take = try CutTake(request, frames: 150_000, runtime: runtime)
        var place = Place(scratch: scratch, container: container)
        place.refuses = [2, 3, 5]
        let parted = try writer(take.stream, place, length: 20_000)
        var waiting: [EncodedPacket] = []
        var failures = 0
        for (index, packet) in take.packets.enumerated() {
            waiting.append(packet)
            try parted.append(packet)
            // Several parts' packets in one checkpoint.
            guard index % 50 == 49 || index == take.packets.count - 3 else { continue }
            while true {
                do throws(AudioFailure) {
                    try parted.checkpoint(synchronize: false)
                    break
                } catch {
                    failures += 1
                    parted.abandonPending()
                    // First some, with a checkpoint of their own, then the rest.
                    for packet in waiting.prefix(10) { try parted.append(packet) }
                    try parted.checkpoint(synchronize: false)
                    waiting.removeFirst(10)
                    for packet in waiting { try parted.append(packet) }
                }
            }
            waiting = []
        }
        try parted.finish(validFrames: 150_000)
        #expect(failures >= 1)
        let parts = (1...parted.partCount).map(place.path)
        let target = scratch.path("joined.\(container.name)")
        let result = try RecordingJoin(parts: parts, target: target, container: container).run(in: runtime)
        #expect(result.frames == 150_000)
        let whole = scratch.path("whole.\(container.name)")
        try take.write(0..<take.packets.count, leadIn: 0, to: whole, container)
        #expect(try areEqual(packets(of: target, runtime), packets(of: whole, runtime)))
    }

    @Test("after a part that could not be begun, a recording ends with what is there")
    func aRecordingEndsWithItsLastPart() throws {
        let request = EncodingRequest(codec: .aac, sampleRate: 44_100, channelCount: 1)
        let take = try CutTake(request, frames: 120_000, runtime: runtime)
        var place = Place(scratch: scratch, container: .m4a)
        place.refuses = [2]
        let parted = try writer(take.stream, place, length: 44_100)
        for packet in take.packets { try parted.append(packet) }
        #expect(throws: AudioFailure.self) { try parted.checkpoint(synchronize: false) }
        let kept = parted.checkpointedFrames
        parted.abandonPending()
        try parted.finish(validFrames: kept)
        #expect(try frames(of: place.path(1)) == kept.value)
        #expect(parted.partCount == 1)
    }
}
