import AudioCore
import AudioRuntime
import Foundation
import Glibc
import PlatformLinux
import Synchronization
import TestSupport
import Testing

/// Files that are made while another program recovers their folder again and again.
@Suite("Recovery beside starts")
struct RecoveryBesideStartsTests {
    /// Looks at a folder until it is told to end.
    private final class Recovering: Sendable {
        private let thread: NamedThread
        private let state: Shared

        private final class Shared: Sendable {
            let state = Mutex((isOver: false, rounds: 0))
        }

        init(_ folder: String, _ recovery: FileRecovery) {
            let shared = Shared()
            state = shared
            thread = NamedThread(name: "recovering") {
                while !shared.state.withLock({ $0.isOver }) {
                    try? recovery.recover(folder: folder) { _ in true }
                    shared.state.withLock { $0.rounds += 1 }
                }
            }
        }

        /// - Returns: how often it has looked.
        func end() -> Int {
            state.state.withLock { $0.isOver = true }
            thread.join()
            return state.state.withLock { $0.rounds }
        }
    }

    private let scratch: TemporaryFolder
    private let folder: String
    private let runtime = Runtime.test()
    private let trash: Trash

    init() throws {
        scratch = try TemporaryFolder()
        folder = scratch.path("takes")
        try runtime.files.makeFolder(folder)
        trash = Trash(
            files: runtime.files,
            owner: Trash.Owner(homeTrash: scratch.path("share/Trash"), userID: getuid())
        )
    }

    private func recovering(_ count: Int = 1) throws -> [Recovering] {
        try (0..<count).map { _ in Recovering(folder, try FileRecovery(trash: trash, in: runtime)) }
    }

    @Test func whatIsMadeKeepsItsNameAndItsLock() throws {
        let others = try recovering(2)
        var missing = 0
        for number in 0..<400 {
            let path = "\(folder)/.kayit-\(number).part"
            let file = try runtime.files.makeLocked(path)
            try file.write([UInt8](repeating: 0x5A, count: 64), at: 0)
            usleep(200)
            if try runtime.files.status(path)?.size != 64 { missing += 1 }
            try? runtime.files.remove(path)
            file.close()
        }
        let rounds = others.map { $0.end() }
        #expect(missing == 0)
        #expect(rounds.allSatisfy { $0 > 10 }, "\(rounds)")
    }

    @Test(arguments: [nil, Duration.milliseconds(100)])
    func takesStartAndKeepEverything(partLength: Duration?) async throws {
        let others = try recovering()
        let host = ManualHost()
        var own = runtime
        own.devices = host
        for number in 0..<40 {
            let engine = RecorderEngine(
                TakeConfiguration(
                    path: "\(folder)/take \(number).wav",
                    container: .wav,
                    encoding: EncodingRequest(
                        codec: .linearPCM(RecordingJoinTests.pcm),
                        sampleRate: 48_000,
                        channelCount: 1
                    )
                ),
                runtime: own
            ) { _ in }
            engine.options.partLength = partLength
            try engine.record()
            let stream = try #require(host.capture)
            for _ in 0..<3 { #expect(stream.hear([Float](repeating: 0.25, count: 4_800))) }
            engine.stop()
            if let job = engine.joinJob { _ = try job.wait().get() }
        }
        let rounds = others.map { $0.end() }
        #expect(rounds.allSatisfy { $0 > 3 }, "\(rounds)")
        let names = try runtime.files.contents(of: folder)
        #expect(Set(names) == Set((0..<40).map { "take \($0).wav" }))
        for name in names {
            let file = try runtime.files.open("\(folder)/\(name)", .reading)
            defer { file.close() }
            let reader = try runtime.media.openReader(file)
            #expect(reader.validFrames == 14_400 && reader.integrity == .complete, "\(name)")
        }
        #expect(trash.items().isEmpty, "\(trash.items().map(\.original))")
    }
}
