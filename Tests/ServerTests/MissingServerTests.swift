import AVFAudio
import AudioCore
import AudioRuntime
import Foundation
import Synchronization
import TestSupport
import Testing

/// What a recorder's delegate hears when it cannot start.
final class ErrorListener: NSObject, AVAudioRecorderDelegate {
    let errors = Recorded<String>()

    func audioRecorderEncodeErrorDidOccur(_ recorder: AVAudioRecorder, error: (any Error)?) {
        errors.append(error.map { ($0 as NSError).localizedDescription } ?? "none")
    }
}

@Suite("No server, no microphone, no room", .serialized)
struct MissingServerTests {
    /// Tries to record over an old file and gives what the delegate was told; the old file must survive.
    static func reasonOfRefusal(_ bench: RuntimeBench) async throws -> String {
        try Data("an old recording".utf8).write(to: bench.scratch.file("a.m4a"))
        let recorder = try bench.recorder("a.m4a", [:])
        let listener = ErrorListener()
        recorder.delegate = listener
        let start = bench.runtime.clock.now
        #expect(!recorder.record())
        let waited = (bench.runtime.clock.now - start).inSeconds
        #expect(waited < 2.5, "answered after \(waited) s")
        #expect(!recorder.isRecording)
        #expect(await eventually { !listener.errors.all.isEmpty })
        #expect(try Data(contentsOf: bench.scratch.file("a.m4a")) == Data("an old recording".utf8))
        #expect(bench.scratch.names == ["a.m4a"])
        return listener.errors.all.first ?? ""
    }

    @Test("no server: says so at once, and what helps")
    func noServer() async throws {
        let folder = try TemporaryFolder()
        let reason = try await Self.reasonOfRefusal(RuntimeBench(address: "unix:" + folder.path("nothing")))
        #expect(reason.contains("sound server") && reason.contains("pulseaudio"), "\(reason)")
    }

    @Test("a server that accepts and stays mute: says so within two seconds")
    func muteServer() async throws {
        let socket = try MuteSocket()
        let reason = try await Self.reasonOfRefusal(RuntimeBench(address: "unix:" + socket.path))
        #expect(reason.contains("answer"), "\(reason)")
    }

    @Test("a server without a microphone: says so; when one appears, the same recorder records")
    func noMicrophone() async throws {
        let server = try PrivatePulseServer()
        defer { server.kill() }
        let bench = try RuntimeBench(server)
        let reason = try await Self.reasonOfRefusal(bench)
        #expect(reason.contains("microphone") || reason.contains("device"), "\(reason)")
        try server.addNullSink("mic")
        let recorder = try bench.recorder("b.wav", [:])
        #expect(recorder.record(forDuration: 0.2))
        #expect(await eventually { !recorder.isRecording })
    }

    @Test("no server, then one that hangs: once it answers, the same recorder and session work")
    func serverThatComes() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("mic")])
        defer { server.kill() }
        server.kill()
        let bench = try RuntimeBench(server)
        let recorder = try bench.recorder("a.wav", [:])
        let listener = ErrorListener()
        recorder.delegate = listener
        #expect(!recorder.record())
        try server.start()
        #expect(await eventually { recorder.record(forDuration: 0.2) })
        #expect(await eventually { !recorder.isRecording })
        server.freeze(true)
        let start = bench.runtime.clock.now
        let hasStarted = recorder.record()
        let waited = (bench.runtime.clock.now - start).inSeconds
        server.freeze(false)
        #expect(!hasStarted && waited < 2.5, "answered after \(waited) s")
        #expect(await eventually { listener.errors.all.count >= 2 })
        #expect(listener.errors.all.first?.contains("sound server") == true, "\(listener.errors.all)")
        #expect(await eventually { recorder.record(forDuration: 0.2) })
        #expect(await eventually { !recorder.isRecording })
        #expect(!bench.session.core.hasRunningClients)
        let length = try FrameReader(
            bench.runtime.files.open(bench.scratch.path("a.wav"), .reading),
            media: bench.runtime.media
        )
        .length
        #expect(length == 8_820)
    }

    @Test("a folder that cannot be written, and a folder in the place of the file")
    func noRoom() async throws {
        let server = try PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")])
        defer { server.kill() }
        let bench = try RuntimeBench(server)
        try FileManager.default.createDirectory(at: bench.scratch.file("taken.wav"), withIntermediateDirectories: true)
        for name in ["taken.wav", "missing/a.wav"] {
            let recorder = try bench.recorder(name, [:])
            let listener = ErrorListener()
            recorder.delegate = listener
            #expect(!recorder.record())
            #expect(await eventually { listener.errors.all.count == 1 })
            #expect(listener.errors.all.first?.contains(name) == true, "\(listener.errors.all)")
        }
        #expect(bench.scratch.names == ["taken.wav"])
    }
}

/// A socket that accepts connections and never says a word.
final class MuteSocket {
    private let folder: TemporaryFolder
    private let descriptor: Int32
    let path: String

    init() throws {
        folder = try TemporaryFolder()
        path = folder.path("mute")
        descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        let bytes = Array(path.utf8)
        guard descriptor >= 0, bytes.count < MemoryLayout.size(ofValue: address.sun_path) else {
            throw SetupFailure("The socket cannot be made.")
        }
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
            }
        }
        guard bound == 0, listen(descriptor, 8) == 0 else { throw SetupFailure("The socket cannot be made.") }
    }

    deinit { close(descriptor) }
}
