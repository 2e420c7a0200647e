package import AudioCore

extension PartsLog {
    /// One line of a session file.
    ///
    /// On the disk it is a `CheckedLine`.
    package enum Entry: Sendable, Hashable {
        /// A recording has begun, that becomes the file `target` beside the folder.
        /// - `replaces`: what lay under the name then, and may be replaced.
        case recording(target: String, keepsParts: Bool, replaces: FileMark?)
        /// How its packets are made; enough to read them without their containers.
        case stream(ContainerKind, StreamDescription)
        /// A part was begun behind so many frames.
        case begun(part: Int, start: FrameCount)
        /// A part is finished and has so many.
        case finished(part: Int, frames: FrameCount)
        /// All parts are there.
        case ended(frames: FrameCount)
        /// Joining begins, again: what was about to be published is not.
        case joining
        /// The file `source` of the folder is the joined recording, verified, and is about to become `target` beside it.
        case publishing(source: String, target: String, frames: FrameCount, mark: FileMark)
        /// `target` is in its place. What is left of the parts is left over.
        case joined(target: String, frames: FrameCount)

        /// What a file is known by, under whatever name.
        package struct FileMark: Sendable, Hashable {
            package var size: Int64
            package var modified: Double

            package init(size: Int64, modified: Double) {
                self.size = size
                self.modified = modified
            }

            init(_ status: FileStatus) { self.init(size: status.size, modified: status.modified) }
        }
    }
}

extension PartsLog.Entry {
    package var line: CheckedLine {
        switch self {
        case .recording(let target, let keepsParts, let replaces):
            CheckedLine(
                "recording",
                [("target", target), ("keeps", keepsParts ? "1" : "0")] + (replaces?.fields ?? [])
            )
        case .stream(let container, let stream): CheckedLine("stream", Self.fields(container, stream))
        case .begun(let part, let start):
            CheckedLine("part", [("number", String(part)), ("start", String(start.value))])
        case .finished(let part, let frames):
            CheckedLine("done", [("number", String(part)), ("frames", String(frames.value))])
        case .ended(let frames): CheckedLine("end", [("frames", String(frames.value))])
        case .joining: CheckedLine("joining")
        case .publishing(let source, let target, let frames, let mark):
            CheckedLine(
                "publishing",
                [("source", source), ("target", target), ("frames", String(frames.value))] + mark.fields
            )
        case .joined(let target, let frames):
            CheckedLine("joined", [("target", target), ("frames", String(frames.value))])
        }
    }

    /// Nil for a line of a later version, and for values that no version writes.
    package init?(_ line: CheckedLine) {
        let frames = line.count("frames").map { FrameCount($0) }
        let part = line.count("number").flatMap { $0 > 0 ? Int(exactly: $0) : nil }
        switch line.word {
        case "recording":
            guard let target = line.name("target") else { return nil }
            self = .recording(target: target, keepsParts: line["keeps"] == "1", replaces: FileMark(line))
        case "stream":
            guard let (container, stream) = Self.stream(line) else { return nil }
            self = .stream(container, stream)
        case "part":
            guard let part, let start = line.count("start") else { return nil }
            self = .begun(part: part, start: FrameCount(start))
        case "done":
            guard let part, let frames else { return nil }
            self = .finished(part: part, frames: frames)
        case "end":
            guard let frames else { return nil }
            self = .ended(frames: frames)
        case "joining": self = .joining
        case "publishing":
            guard let source = line.name("source"), let target = line.name("target"), let frames,
                let mark = FileMark(line)
            else { return nil }
            self = .publishing(source: source, target: target, frames: frames, mark: mark)
        case "joined":
            guard let target = line.name("target"), let frames else { return nil }
            self = .joined(target: target, frames: frames)
        default: return nil
        }
    }

    // MARK: Streams

    private static func fields(_ container: ContainerKind, _ stream: StreamDescription) -> [(String, String)] {
        [
            ("container", container.name), ("codec", codecName(stream.codec)), ("rate", String(stream.sampleRate)),
            ("channels", String(stream.channelCount)), ("frames", String(stream.framesPerPacket)),
            ("bytes", String(stream.bytesPerPacket)), ("bits", String(stream.bitsPerChannel)),
            ("priming", String(stream.primingFrames.value)), ("setup", hexadecimal(stream.configuration)),
        ]
    }

    private static func stream(_ line: CheckedLine) -> (ContainerKind, StreamDescription)? {
        func number(_ name: String) -> Int? { line.count(name).flatMap { $0 <= 1 << 31 ? Int($0) : nil } }
        guard let container = line["container"].flatMap({ ContainerKind(fileExtension: $0) }),
            let codec = line["codec"].flatMap(codec(named:)), let rate = line["rate"].flatMap({ Double($0) }),
            rate > 0, rate.isFinite, let channels = number("channels"), let frames = number("frames"),
            let bytes = number("bytes"), let bits = number("bits"), let priming = number("priming"),
            let setUp = line["setup"].flatMap(Self.bytes(of:))
        else { return nil }
        let stream = StreamDescription(
            codec: codec,
            sampleRate: rate,
            channelCount: channels,
            framesPerPacket: frames,
            bytesPerPacket: bytes,
            bitsPerChannel: bits,
            configuration: setUp,
            primingFrames: FrameCount(priming)
        )
        return (container, stream)
    }

    /// The codec's short name; for linear PCM with the layout of its samples, as in "pcm-s16le".
    private static func codecName(_ codec: CodecID) -> String {
        guard case .linearPCM(let layout) = codec else { return codec.name }
        let kind = layout.isFloat ? "f" : layout.isSigned ? "s" : "u"
        return "pcm-\(kind)\(layout.bitsPerSample)\(layout.isBigEndian ? "be" : "le")"
    }

    private static func codec(named name: String) -> CodecID? {
        for codec in [CodecID.aac, .alac, .ima4, .flac, .opus, .muLaw, .aLaw] where codec.name == name { return codec }
        guard name.hasPrefix("pcm-"), name.hasSuffix("le") || name.hasSuffix("be"), name.utf8.count > 7,
            let bits = Int(name.dropFirst(5).dropLast(2)), [8, 16, 24, 32, 64].contains(bits)
        else { return nil }
        let kind = name.dropFirst(4).first
        return .linearPCM(
            LinearPCMLayout(
                bitsPerSample: bits,
                isFloat: kind == "f",
                isBigEndian: name.hasSuffix("be"),
                isSigned: kind != "u"
            )
        )
    }

    private static func hexadecimal(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private static func bytes(of text: String) -> [UInt8]? {
        let digits = text.utf8.compactMap { Character(UnicodeScalar($0)).hexDigitValue }
        guard digits.count == text.utf8.count, digits.count % 2 == 0 else { return nil }
        return stride(from: 0, to: digits.count, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
    }
}

extension PartsLog.Entry.FileMark {
    fileprivate var fields: [(String, String)] { [("size", String(size)), ("modified", String(modified))] }

    fileprivate init?(_ line: CheckedLine) {
        guard let size = line.count("size"), let modified = line["modified"].flatMap({ Double($0) }), modified.isFinite
        else { return nil }
        self.init(size: size, modified: modified)
    }
}

extension CheckedLine {
    /// A number of 0 or more.
    fileprivate func count(_ name: String) -> Int64? {
        self[name].flatMap { Int64($0) }.flatMap { $0 >= 0 ? $0 : nil }
    }

    /// A name within a folder, nothing that leads elsewhere.
    fileprivate func name(_ name: String) -> String? {
        self[name].flatMap { value in
            let leadsElsewhere = value.utf8.contains { $0 == UInt8(ascii: "/") || $0 == 0 }
            return value.isEmpty || leadsElsewhere || value == "." || value == ".." ? nil : value
        }
    }
}
