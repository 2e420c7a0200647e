import AudioCore
import AudioRuntime
import Foundation
import TestSupport
import Testing

/// A file that is renamed while it is recorded, on the machine's own file system.
@Suite("Moved recordings")
struct MovedFileTests {
    static let burst = 4_800

    private static func speak(_ stream: ManualStream, seconds: Int) {
        for _ in 0..<seconds * 10 { stream.hear([Float](repeating: 0.2, count: burst)) }
    }

    @Test("the recording goes on in it and says where it is: renamed, or its folder", arguments: [false, true])
    func renamed(_ isFolder: Bool) async throws {
        let scratch = try TemporaryFolder()
        let host = ManualHost()
        let runtime = Runtime.test(devices: host)
        let folder = scratch.path("takes")
        try runtime.files.makeFolder(folder)
        let reports = Recorded<Bool>()
        let notices = Recorded<TakeNotice>()
        let engine = RecorderEngine(
            TakeConfiguration(
                path: folder + "/talk.wav",
                container: .wav,
                encoding: EncodingRequest(
                    codec: .linearPCM(RecordingJoinTests.pcm),
                    sampleRate: 48_000,
                    channelCount: 1
                )
            ),
            runtime: runtime
        ) { if case .finished(let successfully) = $0 { reports.append(successfully) } }
        _ = engine.observers.add { if let notice = $0 { notices.append(notice) } }
        try engine.record()
        let stream = try #require(host.capture)
        Self.speak(stream, seconds: 2)
        // The first look finds out where it is.
        #expect(await eventually { engine.frames.value == 96_000 })
        engine.pause()
        try engine.record()
        let target = isFolder ? scratch.path("moved/talk.wav") : folder + "/renamed.wav"
        if isFolder {
            try FileManager.default.moveItem(atPath: folder, toPath: scratch.path("moved"))
        } else {
            try FileManager.default.moveItem(atPath: folder + "/talk.wav", toPath: target)
        }
        Self.speak(stream, seconds: 2)
        #expect(await eventually { notices.all.contains(.fileMoved(to: target)) }, "\(notices.all)")
        engine.stop()
        await withCheckedContinuation { done in engine.reports.afterAll { done.resume() } }
        #expect(reports.all == [true])
        #expect(notices.all.filter { if case .fileMoved = $0 { true } else { false } }.count == 1)
        let file = try runtime.files.open(target, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file)
        #expect(reader.validFrames == 192_000 && reader.integrity == .complete)
    }
}
