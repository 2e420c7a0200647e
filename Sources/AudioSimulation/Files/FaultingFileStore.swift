package import AudioCore
import Foundation
import Synchronization

/// A store of files whose calls fail, fall short, are slow or stand still, as it is told. Without a fault it is the store
/// that it wraps. Every call is counted.
package final class FaultingFileStore: FileStore {
    private let base: any FileStore
    private let gate: FaultGate

    package convenience init(_ base: any FileStore) { self.init(base, FaultGate()) }

    /// - Parameter gate: has the fault that is in force, which several stores can share.
    init(_ base: any FileStore, _ gate: FaultGate) {
        self.base = base
        self.gate = gate
    }

    /// Puts a fault in the place of all that were there, or takes them away; lets go what stands still.
    package func set(_ fault: FileFault?) { gate.set(fault) }

    /// Lets everything go that stands still, now and from now on.
    package func release() { gate.set(nil) }

    /// Calls since the fault was set that it concerns.
    package var matchingCalls: Int { gate.matchingCalls }

    /// Calls that stand still now.
    package var stalledCalls: Int { gate.stalledCalls }

    /// Files that are open now.
    package var openFiles: Int { gate.openFiles }

    package func open(_ path: String, _ opening: FileOpening) throws(AudioFailure) -> any StoredFile {
        try gate.pass(.open, path)
        return FaultingFile(try base.open(path, opening), gate)
    }

    package func status(_ path: String) throws(AudioFailure) -> FileStatus? {
        try gate.pass(.status, path)
        return try base.status(path)
    }

    package func rename(_ path: String, to target: String, replacing: Bool) throws(AudioFailure) {
        try gate.pass(.rename, path)
        try base.rename(path, to: target, replacing: replacing)
    }

    package func link(_ path: String, to target: String) throws(AudioFailure) {
        try gate.pass(.link, path)
        try base.link(path, to: target)
    }

    package func makePrivateFolder(_ path: String) throws(AudioFailure) {
        try gate.pass(.makeFolder, path)
        try base.makePrivateFolder(path)
    }

    package func volume(of path: String) throws(AudioFailure) -> UInt64? {
        try gate.pass(.status, path)
        return try base.volume(of: path)
    }

    package var largestFile: Int64? { base.largestFile }

    package func remove(_ path: String) throws(AudioFailure) {
        try gate.pass(.remove, path)
        try base.remove(path)
    }

    package func makeFolder(_ path: String) throws(AudioFailure) {
        try gate.pass(.makeFolder, path)
        try base.makeFolder(path)
    }

    package func removeFolder(_ path: String) throws(AudioFailure) {
        try gate.pass(.removeFolder, path)
        try base.removeFolder(path)
    }

    package func contents(of path: String) throws(AudioFailure) -> [String] {
        try gate.pass(.contents, path)
        return try base.contents(of: path)
    }

    package func setModified(_ path: String, _ seconds: Double) throws(AudioFailure) {
        try gate.pass(.setModified, path)
        try base.setModified(path, seconds)
    }

    package func synchronizeFolder(_ path: String) throws(AudioFailure) {
        try gate.pass(.synchronizeFolder, path)
        try base.synchronizeFolder(path)
    }

    package func freeSpace(at path: String) throws(AudioFailure) -> Int64 {
        try gate.pass(.freeSpace, path)
        return try base.freeSpace(at: path)
    }
}

/// A file that can lose what was written since it was synchronised, as a kernel does whose disk refuses it.
protocol ForgettingFile: StoredFile {
    func forgetUnsynchronized()
}

/// A file of a `FaultingFileStore`.
private final class FaultingFile: StoredFile {
    private let base: any StoredFile
    private let gate: FaultGate
    private let isOpen = Mutex(true)

    init(_ base: any StoredFile, _ gate: FaultGate) {
        self.base = base
        self.gate = gate
        gate.countOpen(1)
    }

    deinit { close() }

    var path: String { base.path }

    func size() throws(AudioFailure) -> Int64 {
        try gate.pass(.size, path)
        return try base.size()
    }

    func read(into buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws(AudioFailure) -> Int {
        try gate.pass(.read, path)
        return try base.read(into: buffer, at: offset)
    }

    func write(_ bytes: UnsafeRawBufferPointer, at offset: Int64) throws(AudioFailure) {
        try gate.pass(.write, path) { fraction throws(AudioFailure) in
            let count = Int(Double(bytes.count) * min(max(fraction, 0), 1))
            try self.base.write(UnsafeRawBufferPointer(rebasing: bytes[..<count]), at: offset)
        }
        try base.write(bytes, at: offset)
    }

    func synchronize() throws(AudioFailure) {
        do throws(AudioFailure) {
            try gate.pass(.synchronize, path)
        } catch {
            if gate.forgets { (base as? any ForgettingFile)?.forgetUnsynchronized() }
            throw error
        }
        try base.synchronize()
    }

    func truncate(to size: Int64) throws(AudioFailure) {
        try gate.pass(.truncate, path)
        try base.truncate(to: size)
    }

    func reserve(upTo size: Int64) throws(AudioFailure) {
        try gate.pass(.reserve, path)
        try base.reserve(upTo: size)
    }

    func identity() throws(AudioFailure) -> FileIdentity? { try base.identity() }

    func place() throws(AudioFailure) -> String? { try base.place() }

    func tryLock() throws(AudioFailure) -> Bool {
        try gate.pass(.lock, path)
        return try base.tryLock()
    }

    func close() {
        let wasOpen = isOpen.withLock { isOpen in
            defer { isOpen = false }
            return isOpen
        }
        if !wasOpen { return }
        gate.countOpen(-1)
        base.close()
    }
}

/// Where every call passes through, with the fault that is in force.
final class FaultGate: @unchecked Sendable {
    // Unchecked: every `var` is guarded by `condition`.
    private let condition = NSCondition()
    private var fault: FileFault?
    /// Counts the faults, so that a call that stands still goes on when its own is gone.
    private var generation = 0
    private var matching = 0
    private var stalled = 0
    private var open = 0

    var matchingCalls: Int { condition.withLock { matching } }
    var stalledCalls: Int { condition.withLock { stalled } }
    var openFiles: Int { condition.withLock { open } }

    /// Whether a failed synchronisation loses what was written.
    var forgets: Bool {
        condition.withLock { if case .forget = fault?.effect { true } else { false } }
    }

    func countOpen(_ change: Int) { condition.withLock { open += change } }

    func set(_ fault: FileFault?) {
        condition.withLock {
            self.fault = fault
            matching = 0
            generation += 1
            condition.broadcast()
        }
    }

    /// Returns when the call may be made.
    /// - Parameter shorten: does a part of the call before it fails.
    func pass(
        _ call: FileCall,
        _ path: String,
        shorten: (Double) throws(AudioFailure) -> Void = { _ in }
    ) throws(AudioFailure) {
        switch effect(on: call) {
        case nil: return
        case .fail(let number), .forget(let number): throw .injected(number, call, path: path)
        case .short(let number, let fraction):
            try shorten(fraction)
            throw .injected(number, call, path: path)
        case .slow(let duration): Thread.sleep(forTimeInterval: duration.inSeconds)
        case .stall: standStill()
        case .stallWhile(let condition): standStill(while: condition)
        }
    }

    private func effect(on call: FileCall) -> FileFault.Effect? {
        condition.withLock {
            guard let fault, fault.calls.contains(call) else { return nil }
            matching += 1
            return fault.strikes(matching) ? fault.effect : nil
        }
    }

    /// The condition has no way to call: it is looked at every few milliseconds.
    private func standStill(while isStill: () -> Bool) {
        let own = condition.withLock {
            stalled += 1
            return generation
        }
        while isStill(), condition.withLock({ generation == own }) { Thread.sleep(forTimeInterval: 0.002) }
        condition.withLock { stalled -= 1 }
    }

    private func standStill() {
        condition.withLock {
            let own = generation
            stalled += 1
            while generation == own { condition.wait() }
            stalled -= 1
        }
    }
}
