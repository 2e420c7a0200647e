package import AudioCore
import Foundation
import Glibc
import Synchronization

/// The disk of a simulation: the machine's own files, with the faults that it is told.
package final class SimulatedDisk: Sendable {
    private struct State {
        /// Bytes that still fit; nil for as many as there are.
        var room: Int64?
        var hasPower = true
        var files: [ObjectIdentifier: WeakFile] = [:]
    }

    private struct WeakFile {
        weak var file: SimulatedDiskFile?
    }

    fileprivate let gate = FaultGate()
    /// Lock of the room and the list of open files; never held while a file is called.
    private let state = Mutex(State())

    package init() {}

    /// `base` with the faults of this disk.
    package func store(over base: any FileStore) -> any FileStore {
        SimulatedDiskStore(disk: self, base: FaultingFileStore(base, gate), untouched: base)
    }

    package func set(_ fault: FileFault?) { gate.set(fault) }

    /// Bytes that fit from now on; nil for as many as there are.
    package func setRoom(_ bytes: Int64?) { state.withLock { $0.room = bytes } }

    /// Takes every open file back to what a disk may have of it whose power fails now, and lets every call that
    /// changes something fail from then on.
    package func cutPower(seed: UInt64) {
        let files = state.withLock { state in
            state.hasPower = false
            return state.files.values.compactMap(\.file)
        }
        var random = SplitMix(state: seed)
        for file in files.sorted(by: { $0.path < $1.path }) { file.cutPower(&random) }
        // What stands still was never done.
        gate.set(nil)
    }

    package func restorePower() { state.withLock { $0.hasPower = true } }

    fileprivate func checkPower(_ call: FileCall, _ path: String) throws(AudioFailure) {
        if !state.withLock({ $0.hasPower }) { throw .injected(EIO, call, path: path) }
    }

    /// The bytes of `wanted` that still fit; taken.
    fileprivate func take(_ wanted: Int64) -> Int64 {
        state.withLock { state in
            guard let room = state.room, wanted > 0 else { return max(wanted, 0) }
            let given = min(wanted, max(room, 0))
            state.room = room - given
            return given
        }
    }

    fileprivate func giveBack(_ bytes: Int64) {
        state.withLock { state in
            if let room = state.room { state.room = room + max(bytes, 0) }
        }
    }

    fileprivate var room: Int64? { state.withLock { $0.room } }

    fileprivate func add(_ file: SimulatedDiskFile) {
        state.withLock { $0.files[ObjectIdentifier(file)] = WeakFile(file: file) }
    }

    fileprivate func remove(_ file: SimulatedDiskFile) {
        _ = state.withLock { $0.files.removeValue(forKey: ObjectIdentifier(file)) }
    }
}

private struct SimulatedDiskStore: FileStore {
    let disk: SimulatedDisk
    let base: FaultingFileStore
    /// For those who only read: a test looks at what is left.
    let untouched: any FileStore

    func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        if opening == .reading { return try untouched.open(path, opening) }
        try disk.checkPower(.open, path)
        let file = try base.open(path, opening)
        return SimulatedDiskFile(file, disk, size: try file.size())
    }

    func status(_ path: String) throws(AudioFailure) -> FileStatus? { try base.status(path) }

    func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try disk.checkPower(.rename, path)
        try base.rename(path, to: target, replacing: replacing)
    }

    func link(_ path: String, to target: String) throws(AudioFailure) {
        try disk.checkPower(.link, path)
        try base.link(path, to: target)
    }

    func makePrivateFolder(_ path: String) throws(AudioFailure) {
        try disk.checkPower(.makeFolder, path)
        try base.makePrivateFolder(path)
    }

    func volume(of path: String) throws(AudioFailure) -> UInt64? { try base.volume(of: path) }

    var largestFile: Int64? { base.largestFile }

    func remove(_ path: String) throws(AudioFailure) {
        try disk.checkPower(.remove, path)
        try base.remove(path)
    }

    func makeFolder(_ path: String) throws(AudioFailure) {
        try disk.checkPower(.makeFolder, path)
        try base.makeFolder(path)
    }

    func removeFolder(_ path: String) throws(AudioFailure) {
        try disk.checkPower(.removeFolder, path)
        try base.removeFolder(path)
    }

    func contents(of path: String) throws(AudioFailure) -> [String] { try base.contents(of: path) }

    func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        try disk.checkPower(.setModified, path)
        try base.setModified(path, seconds)
    }

    func synchronizeFolder(_ path: String) throws(AudioFailure) {
        try disk.checkPower(.synchronizeFolder, path)
        try base.synchronizeFolder(path)
    }

    func freeSpace(at path: String) throws(AudioFailure) -> Int64 {
        let free = try base.freeSpace(at: path)
        return disk.room.map { min(free, $0) } ?? free
    }
}

/// A file that takes its room from the simulated disk and knows what to undo when the power fails.
private final class SimulatedDiskFile: StoredFile {
    /// A change that has not reached the disk.
    private struct Change {
        var offset: Int64
        var before: [UInt8]
        var after: [UInt8]
        var sizeBefore: Int64
        var sizeAfter: Int64
    }

    private struct State {
        var extent: Int64
        var changes: [Change] = []
        var isOpen = true
    }

    private let base: any StoredFile
    private let disk: SimulatedDisk
    /// Held while the file is written, so that a power cut falls between two writes.
    private let state: Mutex<State>

    init(_ base: any StoredFile, _ disk: SimulatedDisk, size: Int64) {
        self.base = base
        self.disk = disk
        state = Mutex(State(extent: size))
        disk.add(self)
    }

    deinit { close() }

    var path: String { base.path }
    func size() throws(AudioFailure) -> Int64 { try base.size() }
    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try base.read(into: buffer, at: offset)
    }
    func startWriteback() { base.startWriteback() }
    func tryLock() throws(AudioFailure) -> Bool { try base.tryLock() }
    func identity() throws(AudioFailure) -> FileIdentity? { try base.identity() }
    func place() throws(AudioFailure) -> String? { try base.place() }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        let content = Array(bytes)
        try changing { state throws(AudioFailure) in
            try disk.checkPower(.write, path)
            let end = offset + Int64(content.count)
            let given = disk.take(end - state.extent)
            let fitting = end - state.extent > given ? max(state.extent + given - offset, 0) : Int64(content.count)
            state.extent = max(state.extent, state.extent + given)
            let part = Array(content.prefix(Int(fitting)))
            try change(&state, offset, part) { () throws(AudioFailure) in try base.write(part, at: offset) }
            if fitting < content.count { throw .injected(ENOSPC, .write, path: path) }
        }
    }

    private func change(
        _ state: inout State,
        _ offset: Int64,
        _ part: [UInt8],
        _ body: () throws(AudioFailure) -> Void
    ) throws(AudioFailure) {
        let size = try base.size()
        let overlap = min(max(size - offset, 0), Int64(part.count))
        let before = overlap > 0 ? try base.bytes(at: offset, count: Int(overlap)) ?? [] : []
        state.changes.append(
            Change(
                offset: offset,
                before: before,
                after: part,
                sizeBefore: size,
                sizeAfter: max(size, offset + Int64(part.count))
            )
        )
        try body()
    }

    func truncate(to size: Int64) throws(AudioFailure) {
        try changing { state throws(AudioFailure) in
            try disk.checkPower(.truncate, path)
            let old = try base.size()
            let cut = size < old ? try base.bytes(at: size, count: Int(min(old - size, 64 << 20))) ?? [] : []
            state.changes.append(Change(offset: size, before: cut, after: [], sizeBefore: old, sizeAfter: size))
            try base.truncate(to: size)
            disk.giveBack(state.extent - size)
            state.extent = size
        }
    }

    func reserve(upTo size: Int64) throws(AudioFailure) {
        try changing { state throws(AudioFailure) in
            try disk.checkPower(.reserve, path)
            let wanted = size - state.extent
            if wanted <= 0 { return }
            let given = disk.take(wanted)
            if given < wanted {
                disk.giveBack(given)
                throw .injected(ENOSPC, .reserve, path: path)
            }
            state.extent = size
            try base.reserve(upTo: size)
        }
    }

    func synchronize() throws(AudioFailure) {
        try disk.checkPower(.synchronize, path)
        try base.synchronize()
        state.withLock { $0.changes = [] }
    }

    func close() {
        let wasOpen = state.withLock { state in
            defer { state.isOpen = false }
            return state.isOpen
        }
        if !wasOpen { return }
        disk.remove(self)
        base.close()
    }

    private func changing(_ body: (inout State) throws(AudioFailure) -> Void) throws(AudioFailure) {
        let result: Result<Void, AudioFailure> = state.withLock { state in
            do throws(AudioFailure) { return .success(try body(&state)) } catch { return .failure(error) }
        }
        try result.get()
    }

    /// Undoes every change that is not synchronised, then makes some of them again, as chance has it.
    func cutPower(_ random: inout SplitMix) {
        let changes = state.withLock { state in
            defer { state.changes = [] }
            return state.changes
        }
        for change in changes.reversed() {
            if !change.before.isEmpty { try? base.write(change.before, at: change.offset) }
            try? base.truncate(to: change.sizeBefore)
        }
        for change in changes where Bool.random(using: &random) {
            if change.after.isEmpty {
                try? base.truncate(to: change.sizeAfter)
            } else {
                try? base.write(change.after, at: change.offset)
            }
        }
    }
}
