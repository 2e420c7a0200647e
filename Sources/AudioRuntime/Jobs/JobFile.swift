import AudioCore

/// What is to be made of what, beside the target under a hidden name: two lines that can be trusted by themselves.
///
///     4d1f27a0 job version=1 work=join container=m4a half=.kayit-….half target=Talk.m4a source=0001.m4a source=0002.m4a
///     90ab33c1 verified frames=26460000
///
/// Whoever works on the job holds the file's lock, so that nobody takes up what still goes on.
final class JobFile {
    let path: String
    /// Frames of the hidden file, once it is complete: from then on the job only has to be ended.
    private(set) var verifiedFrames: FrameCount?
    private let file: any StoredFile
    private let files: any FileStore

    fileprivate static let version = "1"
    /// More than any job has: bytes.
    private static let sizeLimit: Int64 = 8 << 20

    private init(_ path: String, _ file: any StoredFile, _ files: any FileStore, verified: FrameCount?) {
        self.path = path
        self.file = file
        self.files = files
        verifiedFrames = verified
    }

    deinit { file.close() }

    /// Its content comes with its first write: a record without any is one of a process that ended before it had begun.
    static func make(_ job: MediaJob, half: String, in files: any FileStore) throws(AudioFailure) -> JobFile {
        let path = FilePath.sibling(of: job.target, .job)
        let file = try files.makeLocked(path)
        do throws(AudioFailure) {
            try file.write(job.line(half: half).bytes, at: 0)
        } catch {
            file.close()
            try? files.remove(path)
            throw error
        }
        return JobFile(path, file, files, verified: nil)
    }

    /// What an earlier process left.
    enum Left {
        /// Somebody works on it, or has just ended.
        case live
        /// Nothing had begun: the record is gone now.
        case nothing
        /// It does not say what was to be made.
        case damaged
        case job(MediaJob, half: String, JobFile)
    }

    static func open(_ path: String, in files: any FileStore) throws(AudioFailure) -> Left {
        let file = try files.open(path, .updating)
        do throws(AudioFailure) {
            // Gone in the meantime: done by another process while this one waited to look.
            guard try file.tryLock(), try files.status(path) != nil else {
                file.close()
                return .live
            }
            let size = try file.size()
            if size == 0 {
                try files.remove(path)
                file.close()
                return .nothing
            }
            let lines =
                size <= sizeLimit ? CheckedLine.all(in: try file.bytes(at: 0, count: Int(size)) ?? []) : []
            guard let line = lines.first(where: { $0.word == "job" }),
                let (job, half) = MediaJob.reading(line, folder: FilePath.folder(of: path))
            else {
                file.close()
                return .damaged
            }
            let frames = lines.last { $0.word == "verified" }?["frames"].flatMap { Int64($0) }.map { FrameCount($0) }
            return .job(job, half: half, JobFile(path, file, files, verified: frames))
        } catch {
            file.close()
            throw error
        }
    }

    func setVerified(_ frames: FrameCount, synchronize: Bool) throws(AudioFailure) {
        if verifiedFrames != frames {
            let line = CheckedLine("verified", [("frames", String(frames.value))])
            // A torn line before does no harm to this one.
            try file.write([UInt8(ascii: "\n")] + line.bytes, at: try file.size())
            verifiedFrames = frames
        }
        if synchronize { try file.synchronize() }
    }

    /// There is nothing left to do.
    func remove() { try? files.remove(path) }

    func close() { file.close() }
}

extension MediaJob {
    /// Names in the job's own folder stand without it, so that the folder can be moved.
    fileprivate func line(half: String) -> CheckedLine {
        let folder = FilePath.folder(of: target)
        var fields = [
            ("version", JobFile.version), ("work", "join"), ("container", container.name),
            ("half", FilePath.lastComponent(half)),
            ("target", FilePath.lastComponent(target)),
        ]
        if case .conversion(let encoding) = work {
            fields[1].1 = "conversion"
            fields += encoding.fields
        }
        if replaces { fields.append(("replaces", "1")) }
        if removesSources { fields.append(("removes", "1")) }
        for source in sources {
            let isBeside = FilePath.folder(of: source) == folder
            fields.append(("source", isBeside ? FilePath.lastComponent(source) : FilePath.absolute(source)))
        }
        return CheckedLine("job", fields)
    }

    /// Nil where something is missing or of a later version. The files that it makes and removes lie in `folder` or below,
    /// whatever the line says.
    fileprivate static func reading(_ line: CheckedLine, folder: String) -> (job: MediaJob, half: String)? {
        guard line["version"] == JobFile.version, let name = line["container"],
            let container = ContainerKind(fileExtension: name),
            let target = line["target"], isName(target), let half = line["half"], FilePath.isHidden(half, .half),
            isName(half)
        else { return nil }
        let sources = line.values("source").map { $0.hasPrefix("/") ? $0 : "\(folder)/\($0)" }
        let work: Work
        switch line["work"] {
        case "join": work = .join
        case "conversion":
            guard let encoding = EncodingRequest(line), sources.count == 1 else { return nil }
            work = .conversion(encoding)
        default: return nil
        }
        if sources.isEmpty { return nil }
        var job = MediaJob(work, of: sources, to: "\(folder)/\(target)", container)
        job.replaces = line["replaces"] != nil
        let inside = FilePath.absolute(folder) + "/"
        let areInside = sources.allSatisfy {
            FilePath.absolute($0).hasPrefix(inside) && !$0.split(separator: "/").contains("..")
        }
        job.removesSources = line["removes"] != nil && areInside
        return (job, "\(folder)/\(half)")
    }

    private static func isName(_ text: String) -> Bool {
        !text.isEmpty && !text.utf8.contains(UInt8(ascii: "/")) && text != "." && text != ".."
    }
}

extension EncodingRequest {
    fileprivate var fields: [(String, String)] {
        var fields = [
            ("codec", Self.codecs.first { $0.codec == codec }?.name ?? "pcm"), ("rate", String(sampleRate)),
            ("channels", String(channelCount)),
            ("quality", String(quality)), ("depth", String(bitDepth)),
        ]
        if let bitRate { fields.append(("bitrate", String(bitRate))) }
        if case .linearPCM(let layout) = codec {
            let marks = [(layout.isFloat, "f"), (layout.isBigEndian, "b"), (layout.isSigned, "s")]
            fields.append(("layout", "\(layout.bitsPerSample)" + marks.filter(\.0).map(\.1).joined()))
        }
        return fields
    }

    fileprivate init?(_ line: CheckedLine) {
        guard let name = line["codec"], let rate = line["rate"].flatMap(Double.init), rate.isFinite, rate > 0,
            let channels = line["channels"].flatMap(Int.init), (1...1_024).contains(channels),
            let quality = line["quality"].flatMap(Double.init), (0...1).contains(quality),
            let depth = line["depth"].flatMap(Int.init)
        else { return nil }
        let codec: Codec
        if let layout = line["layout"] {
            let marks = layout.drop { $0.isNumber }
            guard let bits = Int(layout.prefix { $0.isNumber }), [8, 16, 24, 32, 64].contains(bits) else { return nil }
            codec = .linearPCM(
                LinearPCMLayout(
                    bitsPerSample: bits,
                    isFloat: marks.contains("f"),
                    isBigEndian: marks.contains("b"),
                    isSigned: marks.contains("s")
                )
            )
        } else if let known = Self.codecs.first(where: { $0.name == name }) {
            codec = known.codec
        } else {
            return nil
        }
        self.init(
            codec: codec,
            sampleRate: rate,
            channelCount: channels,
            bitRate: line["bitrate"].flatMap(Int.init),
            quality: quality,
            bitDepth: depth
        )
    }

    private static let codecs: [(name: String, codec: Codec)] = [
        ("aac", .aac), ("alac", .alac), ("ima4", .ima4), ("flac", .flac), ("opus", .opus), ("ulaw", .muLaw),
        ("alaw", .aLaw),
    ]
}
