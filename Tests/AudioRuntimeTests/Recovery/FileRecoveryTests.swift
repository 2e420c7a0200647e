import AudioCore
import AudioRuntime
import Foundation
import Glibc
import TestSupport
import Testing

@Suite("FileRecovery")
struct FileRecoveryTests {
    let scratch: TemporaryFolder
    let folder: String
    let runtime: Runtime
    let owner: Trash.Owner
    let trash: Trash

    init() throws {
        scratch = try TemporaryFolder()
        folder = scratch.path("takes")
        runtime = .test()
        try runtime.files.makeFolder(folder)
        owner = Trash.Owner(homeTrash: scratch.path("share/Trash"), userID: getuid())
        trash = Trash(files: runtime.files, owner: owner)
    }

    static let pcm = RecordingJoinTests.pcm
    static let kinds: [(codec: EncodingRequest.Codec, container: ContainerKind)] = [
        (.aac, .m4a), (.alac, .m4a), (.aac, .caf), (.alac, .caf), (.ima4, .caf), (.linearPCM(pcm), .caf),
        (.linearPCM(pcm), .wav), (.linearPCM(RecordingJoinTests.big), .aiff), (.flac, .flac), (.opus, .oggOpus),
    ]

    func recovery(_ options: FileRecovery.Options = FileRecovery.Options()) throws -> FileRecovery {
        try FileRecovery(options, trash: trash, in: runtime)
    }

    func names(_ folder: String) throws -> [String] { try runtime.files.contents(of: folder).sorted() }

    func content(_ path: String) throws -> [UInt8] { [UInt8](try Data(contentsOf: URL(fileURLWithPath: path))) }

    /// A recording as a kill leaves it, dated some years back.
    func killed(_ name: String, _ codec: EncodingRequest.Codec, _ container: ContainerKind, frames: Int = 60_000) throws
        -> (path: String, take: CutTake)
    {
        let path = folder + "/" + name
        let rate = codec == .opus ? 48_000.0 : 44_100
        let request = EncodingRequest(codec: codec, sampleRate: rate, channelCount: 1)
        let take = try CutTake(request, frames: frames, runtime: runtime)
        try take.write(0..<take.packets.count, leadIn: 0, to: path, container, finishes: false)
        try runtime.files.setModified(path, Self.date)
        return (path, take)
    }

    static let date = 1_500_000_000.0

    @Test(arguments: kinds.indices)
    func aKilledRecordingIsCompletedUnderItsName(index: Int) throws {
        let kind = Self.kinds[index]
        let (path, _) = try killed("talk.\(kind.container.name)", kind.codec, kind.container)
        let before = try packets(of: path, runtime)
        let bytes = try content(path)
        let found = try #require(try recovery().recover(file: path))
        guard case .completed(let item) = found.result, case .unfinished = found.state else {
            Issue.record("\(found)")
            return
        }
        let file = try runtime.files.open(path, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file)
        #expect(reader.integrity == .complete)
        #expect(reader.validFrames == found.frames)
        // PCM comes in runs that depend on the reader.
        let after = try packets(of: path, runtime)
        #expect(areEqual(after.flatMap(\.self), before.flatMap(\.self)))
        #expect(areEqual(try content(item.path), bytes))
        #expect(try runtime.files.status(path)?.modified == Self.date)
        #expect(try names(folder) == ["talk.\(kind.container.name)"])
        // Once more: nothing to do.
        let whole = try content(path)
        let again = try #require(try recovery().recover(file: path))
        #expect(again.state == .complete)
        #expect(again.result == .untouched)
        #expect(areEqual(try content(path), whole))
        // And back.
        #expect(trash.items().map(\.original) == [path])
        let back = try trash.restore(item)
        #expect(back == folder + "/talk (2).\(kind.container.name)")
        #expect(areEqual(try content(back), bytes))
    }

    @Test func aRecordingThatNeverGotItsNameGetsOne() throws {
        let (path, take) = try killed(".kayit-0abc.part", .aac, .m4a)
        let found = try #require(try recovery().recover(file: path))
        #expect(found.state == .unnamed)
        #expect(try names(folder) == [String(found.recording.dropFirst(folder.count + 1))])
        #expect(found.recording.hasPrefix(folder + "/Recovered 2017-07-1"))
        #expect(found.recording.hasSuffix(".m4a"))
        let after = try packets(of: found.recording, runtime)
        #expect(areEqual(after, take.packets.map(\.bytes)))
    }

    @Test func twoThatNeverGotTheirNamesGetTwo() throws {
        _ = try killed(".kayit-1.part", .flac, .flac)
        _ = try killed(".kayit-2.part", .flac, .flac)
        try recovery().recover(folder: folder) { _ in true }
        #expect(try names(folder).count == 2)
        #expect(try names(folder).allSatisfy { $0.hasPrefix("Recovered ") })
    }

    @Test func whatHasNoSoundGoesIntoTheTrash() throws {
        let empty = folder + "/.kayit-1.part"
        try runtime.files.open(empty, .creatingExclusively).close()
        let (silent, _) = try killed(".kayit-2.part", .aac, .m4a, frames: 0)
        let half = folder + "/.kayit-3.half"
        let (made, _) = try killed(".kayit-3.half", .aac, .m4a)
        #expect(made == half)
        for path in [empty, silent, half] {
            let found = try #require(try recovery().recover(file: path))
            guard case .trashed = found.result else {
                Issue.record("\(found)")
                continue
            }
        }
        #expect(try names(folder).isEmpty)
        #expect(trash.items().count == 3)
    }

    @Test func whatSomebodyRecordsIsLeftAlone() throws {
        let (path, _) = try killed(".kayit-0abc.part", .aac, .m4a)
        let file = try runtime.files.open(path, .updating)
        #expect(try file.tryLock())
        #expect(try recovery().recover(file: path)?.state == .live)
        #expect(try names(folder) == [".kayit-0abc.part"])
        file.close()
        #expect(try recovery().recover(file: path)?.state == .unnamed)
    }

    @Test func aDryRunChangesNothing() throws {
        let (path, _) = try killed("a.wav", .linearPCM(Self.pcm), .wav)
        let bytes = try content(path)
        let found = try #require(try recovery(FileRecovery.Options(isDryRun: true)).recover(file: path))
        guard case .unfinished = found.state else {
            Issue.record("\(found)")
            return
        }
        #expect(found.result == .untouched)
        #expect(areEqual(try content(path), bytes))
    }

    @Test func wholeFilesStayAsTheyAre() throws {
        let (path, take) = try killed("a.m4a", .aac, .m4a)
        try runtime.files.remove(path)
        try take.write(0..<take.packets.count, leadIn: 0, to: path, .m4a)
        let bytes = try content(path)
        #expect(try recovery().recover(file: path)?.state == .complete)
        #expect(areEqual(try content(path), bytes))
    }

    @Test func aNewRecordingAfterRecoveryTouchesNothing() throws {
        let (path, _) = try killed(".kayit-0abc.part", .aac, .m4a)
        let first = try #require(try recovery().recover(file: path)).recording
        let bytes = try content(first)
        _ = try killed(".kayit-0abd.part", .aac, .m4a, frames: 30_000)
        try recovery().recover(folder: folder) { _ in true }
        #expect(try names(folder).count == 2)
        #expect(areEqual(try content(first), bytes))
    }

    @Test func nothingHangsOnWhatIsNoFile() throws {
        #expect(mkfifo(folder + "/pipe.m4a", 0o644) == 0)
        try runtime.files.makeFolder(folder + "/folder.wav")
        #expect(symlink("loop.caf", folder + "/loop.caf") == 0)
        #expect(symlink("/nowhere/at/all", folder + "/gone.flac") == 0)
        _ = try scratch.write(Array("no sound".utf8), to: "takes/text.m4a")
        _ = try scratch.write([UInt8](repeating: 0x5A, count: 100_000), to: "takes/noise.part.wav")
        _ = try scratch.write([], to: "takes/empty.m4a")
        _ = try killed("talk.m4a", .aac, .m4a)
        var states: [String: RecoveredFile.State] = [:]
        try recovery().recover(folder: folder) { found in
            states[String(found.path.dropFirst(folder.count + 1))] = found.state
            return true
        }
        #expect(states["empty.m4a"] == .empty)
        for name in ["pipe.m4a", "folder.wav", "loop.caf", "text.m4a", "noise.part.wav"] {
            guard case .unreadable = states[name] else {
                Issue.record("\(name): \(String(describing: states[name]))")
                continue
            }
        }
        guard case .unfinished = states["talk.m4a"] else {
            Issue.record("The others must not keep a recording from being recovered.")
            return
        }
    }

    @Test func aFullDiskLeavesTheUnfinishedRecording() throws {
        let (path, _) = try killed("a.wav", .linearPCM(Self.pcm), .wav)
        let bytes = try content(path)
        var full = runtime
        full.files = FullStore(base: runtime.files)
        let found = try #require(try FileRecovery(trash: trash, in: full).recover(file: path))
        guard case .failed(let failure) = found.result else {
            Issue.record("\(found)")
            return
        }
        #expect(failure.code == .noSpace)
        #expect(areEqual(try content(path), bytes))
        #expect(try names(folder) == ["a.wav"])
        #expect(trash.items().isEmpty)
    }
}

/// A disk on which nothing new fits.
private struct FullStore: FileStore {
    let base: any FileStore

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        if opening == .creatingExclusively { throw AudioFailure(.noSpace, "Full.", errno: ENOSPC, path: path) }
        return try base.open(path, opening)
    }

    func status(_ path: String) throws(AudioFailure) -> FileStatus? { try base.status(path) }
    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try base.rename(path, to: target, replacing: replacing)
    }
    func remove(_ path: String) throws(AudioFailure) { try base.remove(path) }
    func makeFolder(_ path: String) throws(AudioFailure) { try base.makeFolder(path) }
    func removeFolder(_ path: String) throws(AudioFailure) { try base.removeFolder(path) }
    func contents(of path: String) throws(AudioFailure) -> [String] { try base.contents(of: path) }
    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) { try base.setModified(path, seconds) }
    func link(_ path: String, to target: String) throws(AudioFailure) { try base.link(path, to: target) }
    func makePrivateFolder(_ path: String) throws(AudioFailure) { try base.makePrivateFolder(path) }
    func volume(of path: String) throws(AudioFailure) -> UInt64? { try base.volume(of: path) }
    func synchronizeFolder(_ path: String) throws(AudioFailure) { try base.synchronizeFolder(path) }
    func freeSpace(at path: String) throws(AudioFailure) -> Int64 { 0 }
}
