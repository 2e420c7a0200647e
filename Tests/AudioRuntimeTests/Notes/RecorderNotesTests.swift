import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// Markers and gaps on their way from the recorder into its file.
@Suite("Notes of a recording")
struct RecorderNotesTests {
    let host = ManualHost()
    let scratch: TemporaryFolder
    let runtime: Runtime
    let notices = Recorded<TakeNotice>()

    init() throws {
        scratch = try TemporaryFolder()
        var runtime = Runtime.system
        runtime.devices = host
        runtime.callbacks = SerialQueueExecutor(label: "test")
        self.runtime = runtime
    }

    struct Format: Sendable, CustomTestStringConvertible {
        var codec: EncodingRequest.Codec
        var container: ContainerKind
        var rate = 48_000.0
        var testDescription: String { "\(codec) in \(container.name)" }
    }

    static let formats = [
        Format(codec: .aac, container: .m4a), Format(codec: .alac, container: .caf),
        Format(codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: false)), container: .wav),
        Format(codec: .linearPCM(LinearPCMLayout(bitsPerSample: 16, isBigEndian: true)), container: .aiff),
        Format(codec: .flac, container: .flac), Format(codec: .opus, container: .oggOpus),
    ]

    func engine(_ format: Format) -> RecorderEngine {
        let engine = RecorderEngine(
            TakeConfiguration(
                path: path,
                container: format.container,
                encoding: EncodingRequest(codec: format.codec, sampleRate: format.rate, channelCount: 1)
            ),
            runtime: runtime
        ) { _ in }
        let notices = self.notices
        _ = engine.observers.add { if let notice = $0 { notices.append(notice) } }
        return engine
    }

    var path: String { scratch.path("take") }

    static func noise(_ frames: Int) -> [Float] { (0..<frames).map { Float($0 % 97) / 200 } }

    /// What a program finds that opens the file now, as it lies there.
    func metadata() throws -> MediaMetadata {
        let file = try runtime.files.open(path, .reading)
        defer { file.close() }
        return try runtime.media.openReader(file, hint: nil).metadata
    }

    @Test("a marker is in the file at once, so that a kill does not lose it", arguments: formats)
    func markersAtOnce(format: Format) async throws {
        let engine = engine(format)
        #expect(engine.addMarker("nothing is recorded") == nil)
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.noise(24_000))
        #expect(await eventually { engine.frames == 24_000 })
        let first = try #require(engine.addMarker("first"))
        #expect(first.frame == 24_000)
        #expect(try await eventually { try metadata().markers == [first] })
        stream.hear(Self.noise(9_600))
        engine.pause()
        let second = try #require(engine.addMarker("while it pauses"))
        #expect(second.frame == 33_600)
        #expect(try await eventually { try metadata().markers == [first, second] })
        #expect(engine.markers == [first, second])
        engine.stop()
        #expect(try metadata().markers == [first, second])
        #expect(await eventually { notices.all == [.marker(first), .marker(second)] })
        #expect(engine.addMarker("too late") == nil && engine.markers == [])
    }

    @Test("a marker names the frame that is heard, whatever the encoder has in its hands just then")
    func markersBesideTheEncoder() throws {
        let engine = engine(Self.formats[1])
        try engine.record()
        let stream = try #require(host.capture)
        for turn in 1...200 {
            stream.hear(Self.noise(4_800))
            // The encoder is woken now, and takes frames while this asks.
            let wanted = (0..<4).map { _ in FrameCount(Int64(turn) * 4_800) }
            let found = try (0..<4).map { try #require(engine.addMarker("\(turn).\($0)")).frame }
            #expect(found == wanted)
        }
        engine.stop()
    }

    @Test("a gap is in the file with the next checkpoint, with its place, length and reason", arguments: formats)
    func gapsAtOnce(format: Format) async throws {
        let engine = engine(format)
        try engine.record()
        let stream = try #require(host.capture)
        stream.hear(Self.noise(12_000))
        stream.lose(frames: 4_800)
        stream.hear(Self.noise(12_000))
        let gap = RecordingGap(start: 12_000, length: 4_800, reason: .overrun)
        #expect(try await eventually { try metadata().gaps == [gap] })
        #expect(await eventually { engine.gaps == [gap] })
        engine.stop()
        #expect(try metadata().gaps == [gap])
        let file = try runtime.files.open(path, .reading)
        let reader = try runtime.media.openReader(file, hint: nil)
        #expect(reader.validFrames == 28_800)
        #expect(reader.metadata.omittedNotes == 0)
    }

    @Test("a gap that the end of the recording cuts off is not longer than its silence")
    func gapAtTheLimit() async throws {
        let engine = engine(Self.formats[2])
        try engine.record(limit: 14_000)
        let stream = try #require(host.capture)
        stream.hear(Self.noise(12_000))
        stream.lose(frames: 4_800)
        stream.hear(Self.noise(100))
        #expect(await eventually { engine.phase == .stopped })
        #expect(try metadata().gaps == [RecordingGap(start: 12_000, length: 2_000, reason: .overrun)])
    }

    @Test("markers of many threads are all there, and a file says how many found no room")
    func manyMarkers() async throws {
        let engine = engine(Self.formats[2])
        try engine.record()
        host.capture?.hear(Self.noise(4_800))
        await withTaskGroup(of: Void.self) { group in
            for thread in 0..<4 {
                group.addTask { for index in 0..<300 { _ = engine.addMarker("marker \(thread) \(index)") } }
            }
        }
        #expect(engine.markers.count == 1_200)
        engine.stop()
        let metadata = try metadata()
        #expect(metadata.markers.count >= 300)
        #expect(metadata.markers.count + metadata.omittedNotes == 1_200)
    }

    @Test("the file says when and by what it was made, and its title", arguments: formats)
    func texts(format: Format) throws {
        let engine = engine(format)
        engine.options.title = "Görüşme"
        try engine.record()
        host.capture?.hear(Self.noise(4_800))
        engine.stop()
        let metadata = try metadata()
        #expect(metadata.title == "Görüşme")
        if format.container == .aiff { return }
        #expect(metadata.encoder == "kayit")
        let date = try #require(metadata.date)
        let read = try #require(try? Date(date, strategy: .iso8601))
        #expect(abs(read.timeIntervalSinceNow) < 300, "\(date)")
    }
}
