package import AudioCore

extension MediaJob {
    /// What became of a job that an earlier process did not end.
    package enum Resumption: Sendable {
        /// Done now.
        case finished(MediaJob, Result?)
        /// A process works on it.
        case live
        /// It cannot be done, now or ever: the job stays where it may be possible later.
        case failed(MediaJob, AudioFailure, staysForLater: Bool)
        /// Its record cannot be read. Sources and target are not concerned.
        case damaged(path: String)
    }

    /// Takes up every job whose target belongs into `folder` and on which no process works. Can be killed and called again
    /// at any moment.
    ///
    /// Never fails for one job because of another.
    /// - Parameter progress: false gives up the job at work and those to come; they stay for later.
    /// - Throws: where the folder cannot be read.
    package static func resume(
        in folder: String,
        runtime: Runtime,
        progress: Progress = { _ in true }
    ) throws(AudioFailure) -> [Resumption] {
        let names = try runtime.files.contents(of: folder).filter { FilePath.isHidden($0, .job) }.sorted()
        var results: [Resumption] = []
        for name in names {
            let path = "\(folder)/\(name)"
            let left: JobFile.Left
            do throws(AudioFailure) {
                left = try JobFile.open(path, in: runtime.files)
            } catch {
                // Gone in the meantime: done by another process.
                if error.code != .notFound { results.append(.damaged(path: path)) }
                continue
            }
            switch left {
            case .live: results.append(.live)
            case .nothing: break
            case .damaged: results.append(.damaged(path: path))
            case .job(let job, let half, let record):
                results.append(job.resume(half, record, in: runtime, progress))
                record.close()
            }
        }
        return results
    }

    private func resume(_ half: String, _ record: JobFile, in runtime: Runtime, _ progress: Progress) -> Resumption {
        let files = runtime.files
        do throws(AudioFailure) {
            let isHalfThere = try files.status(half) != nil
            let isTargetThere = try files.status(target) != nil
            if let frames = record.verifiedFrames, !isHalfThere {
                // It has its name already, which is when its sources are not needed any more.
                if (try? verified(target, in: runtime))?.frames == frames {
                    return try end(half, nil, record, in: runtime)
                }
                // Behind the name its owner has moved it on.
                if try isOneSourceGone(files) {
                    record.remove()
                    return .finished(self, nil)
                }
            }
            if let frames = record.verifiedFrames, let result = try? verified(half, in: runtime),
                result.frames == frames
            {
                return try end(half, result, record, in: runtime)
            }
            if isHalfThere { try files.remove(half) }
            if !replaces, isTargetThere {
                throw AudioFailure(
                    .alreadyExists,
                    "'\(target)' was made by somebody else in the meantime: it was left as it is.",
                    path: target
                )
            }
            return try end(half, try make(at: half, in: runtime, progress), record, in: runtime)
        } catch {
            try? files.remove(half)
            let isHopeless = Self.hopeless.contains(error.code)
            if isHopeless { record.remove() }
            return .failed(self, error, staysForLater: !isHopeless)
        }
    }

    /// Sources go away behind the name only, where they do.
    private func isOneSourceGone(_ files: any FileStore) throws(AudioFailure) -> Bool {
        guard removesSources else { return false }
        for source in sources where try files.status(source) == nil { return true }
        return false
    }

    /// A source that is gone may come back with its disk; what cannot be joined or encoded once never can.
    private static let hopeless: Set<AudioFailure.Code> = [
        .alreadyExists, .unsupported, .invalidArgument, .malformedMedia,
    ]

    private func end(_ half: String, _ result: Result?, _ record: JobFile, in runtime: Runtime) throws(AudioFailure)
        -> Resumption
    {
        try finish(half, result, record, in: runtime)
        return .finished(self, result)
    }

    /// Looks once more at a file that was verified before: the disk may have lost what the record says.
    private func verified(_ half: String, in runtime: Runtime) throws(AudioFailure) -> Result {
        let file = try runtime.files.open(half, .reading)
        defer { file.close() }
        let reader = try runtime.media.openReader(file, hint: container)
        guard reader.integrity == .complete, let frames = reader.validFrames else {
            throw AudioFailure(.malformedMedia, "The file is not complete.", path: half)
        }
        return Result(frames: frames, sampleRate: reader.stream.sampleRate)
    }
}
