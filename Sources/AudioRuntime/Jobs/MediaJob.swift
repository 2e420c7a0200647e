package import AudioCore

/// One file to be made of others, which stay as they are until it is complete, verified and has its name.
///
/// Beside the target lies a `JobFile` meanwhile, so that a job that was killed can be taken up again: `MediaJob.resume`.
package struct MediaJob: Sendable {
    package enum Work: Sendable {
        /// All sources, in the order of time, without decoding.
        case join
        /// The one source, decoded and encoded anew.
        case conversion(EncodingRequest)
    }

    package var work: Work
    package var sources: [String]
    package var target: String
    package var container: ContainerKind
    /// An existing target is replaced, at the very end.
    package var replaces = false
    /// The sources go away once the verified target has its name on the disk.
    package var removesSources = false
    /// False where the job may end before the disk has the target: a power cut soon after may damage it. The sources stay.
    package var waitsForDisk = true
    /// False where the caller keeps a record of its own, by which a killed job is done again from its start.
    package var keepsRecord = true

    package struct Result: Sendable, Equatable {
        package var frames: FrameCount
        package var sampleRate: Double
        /// Packets of the sources that could not be decoded: silence of their length takes their place.
        package var damagedPackets = 0

        package init(frames: FrameCount, sampleRate: Double, damagedPackets: Int = 0) {
            self.frames = frames
            self.sampleRate = sampleRate
            self.damagedPackets = damagedPackets
        }
    }

    /// Told now and then how much is done, 0 … 1; an answer of false gives up, with the failure `cancelled`.
    package typealias Progress = (Double) -> Bool

    package init(_ work: Work, of sources: [String], to target: String, _ container: ContainerKind) {
        self.work = work
        self.sources = sources
        self.target = target
        self.container = container
    }

    /// Does all of it. Nothing lies under the target's name before the file is complete, verified and (`waitsForDisk`) on
    /// the disk; a failure leaves everything as it was. Blocks meanwhile, in bounded memory.
    /// - Throws: `alreadyExists`, `busy` where a source is still being recorded, `cancelled`, and whatever makes the work
    ///   impossible.
    package func run(in runtime: Runtime, progress: Progress = { _ in true }) throws(AudioFailure) -> Result {
        try check(runtime.files)
        let half = FilePath.sibling(of: target, .half)
        let record = keepsRecord ? try JobFile.make(self, half: half, in: runtime.files) : nil
        defer { record?.close() }
        do throws(AudioFailure) {
            let result = try make(at: half, in: runtime, progress)
            try finish(half, result, record, in: runtime)
            return result
        } catch {
            // Behind the new name nothing is taken back: the rest is done when the job is taken up again.
            if try !isNamed(half, record, runtime.files) {
                try? runtime.files.remove(half)
                record?.remove()
            }
            throw error
        }
    }

    private func isNamed(_ half: String, _ record: JobFile?, _ files: any FileStore) throws(AudioFailure) -> Bool {
        guard let record, record.verifiedFrames != nil else { return false }
        return try files.status(half) == nil
    }

    /// - Throws: `cancelled` where the caller gives up.
    static func report(_ done: Double, to progress: Progress) throws(AudioFailure) {
        if !progress(done) { throw AudioFailure(.cancelled, "It was given up; everything is as it was.") }
    }

    /// - Throws: where the target is in the way.
    private func check(_ files: any FileStore) throws(AudioFailure) {
        guard !sources.isEmpty else { throw AudioFailure(.invalidArgument, "There is nothing to make a file of.") }
        guard waitsForDisk || !(replaces || removesSources) else {
            throw AudioFailure(
                .invalidArgument,
                "What replaces or removes files must wait until the disk has the new one.",
                path: target
            )
        }
        guard let there = try files.status(target) else { return }
        guard replaces else { throw AudioFailure(.alreadyExists, "'\(target)' is there already.", path: target) }
        for source in sources {
            let status = try files.status(source)
            guard source == target || there.identity != nil && status?.identity == there.identity else { continue }
            throw AudioFailure(
                .alreadyExists,
                "'\(target)' is what the new file is to be made of: it cannot replace it.",
                path: target
            )
        }
    }

    /// Makes and verifies the file under its hidden name.
    func make(at half: String, in runtime: Runtime, _ progress: Progress) throws(AudioFailure) -> Result {
        let file = try runtime.files.makeLocked(half)
        defer { file.close() }
        let result: Result
        switch work {
        case .join:
            var join = RecordingJoin(parts: sources, target: target, container: container)
            join.waitsForDisk = waitsForDisk
            result = try join.make(file, in: runtime, progress)
        case .conversion(let encoding):
            let conversion = Conversion(source: sources[0], container: container, encoding: encoding)
            result = try conversion.make(file, in: runtime, progress)
        }
        if waitsForDisk { try file.synchronize() }
        return result
    }

    /// Gives the verified file its name, and does what follows from that. Can be done again after any part of it.
    func finish(_ half: String, _ result: Result?, _ record: JobFile?, in runtime: Runtime) throws(AudioFailure) {
        let files = runtime.files
        // Before the rename: a target that is there was made by this job only where the record says so.
        if let result { try record?.setVerified(result.frames, synchronize: waitsForDisk) }
        if try files.status(half) != nil {
            // The newest of the sources: when the recording ended.
            var modified: Double?
            for source in sources { modified = max(try files.status(source)?.modified ?? 0, modified ?? 0) }
            // A file system without such times keeps the time of making.
            if let modified, modified > 0 { try? files.setModified(half, modified) }
            try files.rename(half, to: target, replacing: replaces)
        }
        if waitsForDisk { try files.synchronizeFolder(FilePath.folder(of: target)) }
        if removesSources {
            for source in sources where try files.status(source) != nil { try files.remove(source) }
        }
        record?.remove()
    }
}
