package import AudioCore

extension FileRecovery {
    /// Recovers what lies directly in a folder, as `recover(file:)` does: jobs that were not ended, hidden files of ours, then
    /// everything that has the name of a sound file, in the order of names.
    /// - Parameters:
    ///   - each: called for everything that was looked at; false ends it.
    ///   - shouldGoOn: asked during long work; false leaves that for another time.
    /// - Throws: where the folder cannot be read.
    package func recover(
        folder path: String,
        shouldGoOn: () -> Bool = { true },
        each: (RecoveredFile) -> Bool
    ) throws(AudioFailure) {
        let folder = Self.plain(path)
        if PartsFolder.isName(folder) {
            if let found = recover(parts: folder, shouldGoOn) { _ = each(found) }
            return
        }
        for found in try jobs(in: folder, shouldGoOn) where !each(found) { return }
        let names = try runtime.files.contents(of: path)
        for name in names.sorted() where PartsFolder.isName(name) {
            guard shouldGoOn() else { return }
            if let found = recover(parts: "\(folder)/\(name)", shouldGoOn), !each(found) { return }
        }
        let hasJobs = names.contains { FilePath.isHidden($0, .job) }
        let hidden = names.filter { name in
            // What a job has half made is the job's, for as long as there is one.
            FilePath.isHidden(name, .take) || FilePath.isHidden(name, .half) && !hasJobs
        }
        let visible = names.filter { !$0.hasPrefix(".") && FilePath.container(of: $0) != nil }
        for name in hidden.sorted() + visible.sorted() {
            guard shouldGoOn() else { return }
            if let found = recover(file: "\(folder)/\(name)"), !each(found) { return }
        }
    }

    /// Makes one file of a recording in parts whose recorder ended before it could.
    /// - Returns: nil where there is nothing to do: no parts, or kept ones of a recording that was joined.
    private func recover(parts folder: String, _ shouldGoOn: () -> Bool) -> RecoveredFile? {
        guard let report = try? PartsReport(folder: folder, in: runtime) else {
            // All that is left of a recording that was joined. Whoever is just making it makes it again.
            if !options.isDryRun, (try? runtime.files.contents(of: folder))?.isEmpty == true {
                try? runtime.files.removeFolder(folder)
            }
            return nil
        }
        if report.state == .joined, report.keepsParts { return nil }
        var found = RecoveredFile(folder, report.state == .inUse ? .live : .job)
        (found.frames, found.sampleRate) = (report.frames, report.sampleRate)
        if options.isDryRun || report.state == .inUse { return found }
        do throws(AudioFailure) {
            let result = try PartsJoin(folder: folder).run(in: runtime) { _, _ in shouldGoOn() }
            (found.frames, found.sampleRate) = (result.frames, result.sampleRate)
            found.recording = result.path
            found.result = .made
        } catch {
            found.result = .failed(error)
        }
        return found
    }

    /// Without what names the folder itself at its end.
    private static func plain(_ path: String) -> String {
        var path = path
        for ending in ["/", "/.", "/"] where path.hasSuffix(ending) && path.count > ending.count {
            path.removeLast(ending.count)
        }
        return path
    }

    private func jobs(in folder: String, _ shouldGoOn: () -> Bool) throws(AudioFailure) -> [RecoveredFile] {
        if options.isDryRun {
            return try runtime.files.contents(of: folder).filter { FilePath.isHidden($0, .job) }.sorted().map {
                RecoveredFile("\(folder)/\($0)", .job)
            }
        }
        let resumed = try MediaJob.resume(in: folder, runtime: runtime) { _ in shouldGoOn() }
        return resumed.compactMap { resumption in
            switch resumption {
            case .live: return nil
            case .finished(let job, let result):
                var found = RecoveredFile(job.target, .job)
                (found.frames, found.sampleRate, found.result) = (result?.frames, result?.sampleRate, .made)
                return found
            case .failed(let job, let failure, _):
                var found = RecoveredFile(job.target, .job)
                found.result = .failed(failure)
                return found
            case .damaged(let path):
                return RecoveredFile(path, .unreadable(reason: "The record of what was to be made is damaged."))
            }
        }
    }
}
