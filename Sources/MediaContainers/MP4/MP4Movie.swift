import AudioCore

/// What `moov` says about the file and its first audio track.
struct MP4Movie {
    struct Edit {
        /// In the movie's time scale; 0 means to the end.
        var duration: UInt64
        /// In the track's time scale; −1 for silence.
        var mediaTime: Int64
    }

    struct Track {
        var timescale: UInt32
        var edits: [Edit]
        var entry: MP4SampleEntry
        /// The boxes of `stbl`.
        var tables: [MP4Box]
    }

    var timescale: UInt32 = 0
    var isFragmented = false
    var metadata = MediaMetadata()
    var iTunesTrims: ITunesTrims?
    var hasTrackOfOtherKind = false
    var track: Track?

    init(_ moov: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        for box in try moov.children(&window) {
            switch box.type {
            case "mvhd":
                timescale = try Self.timescale(box, &window)
            case "mvex":
                isFragmented = true
            case "udta":
                // Damaged texts are no reason to refuse the audio.
                do { try readUserData(box, &window) } catch  where error.code == .malformedMedia {}
            case "trak" where track == nil:
                track = try Self.track(box, &window)
                if track == nil { hasTrackOfOtherKind = true }
            default:
                break
            }
        }
    }

    /// Nil for what is not audio, or audio of a codec that another adapter reads.
    private static func track(_ trak: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) -> Track? {
        let boxes = try trak.children(&window)
        guard let mdia = try boxes.first("mdia")?.children(&window),
            var handler = try mdia.first("hdlr")?.content(&window),
            let mdhd = mdia.first("mdhd"),
            let minf = try mdia.first("minf")?.children(&window),
            let stbl = try minf.first("stbl")?.children(&window),
            let stsd = stbl.first("stsd")
        else { return nil }
        try handler.skip(8)
        guard try handler.code() == "soun" else { return nil }
        guard let entry = try MP4SampleEntry.read(stsd, &window) else { return nil }
        let edits = try boxes.first("edts")?.children(&window).first("elst")
        return Track(
            timescale: try timescale(mdhd, &window),
            edits: try edits.map { (box) throws(AudioFailure) in try Self.edits(box, &window) } ?? [],
            entry: entry,
            tables: stbl
        )
    }

    /// Of `mvhd` or `mdhd`: behind two times, of 32 or 64 bits.
    private static func timescale(_ box: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) -> UInt32 {
        guard var fields = try box.content(&window) else { return 0 }
        let version = try fields.big(UInt32.self) >> 24
        try fields.skip(version == 1 ? 16 : 8)
        return try fields.big(UInt32.self)
    }

    private static func edits(_ box: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) -> [Edit] {
        guard var fields = try box.content(&window) else { return [] }
        let version = try fields.big(UInt32.self) >> 24
        let count = Int(try fields.big(UInt32.self))
        var edits: [Edit] = []
        while edits.count < count, fields.remaining >= (version == 1 ? 20 : 12) {
            let duration = version == 1 ? try fields.big(UInt64.self) : UInt64(try fields.big(UInt32.self))
            let time = version == 1 ? try fields.big(Int64.self) : Int64(try fields.big(Int32.self))
            try fields.skip(4)
            edits.append(Edit(duration: duration, mediaTime: time))
        }
        return edits
    }

    // MARK: Metadata

    private mutating func readUserData(_ udta: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        for box in try udta.children(&window) {
            if box.type == "meta" { try readMeta(box, &window) }
            if box.type == "chpl" { try readChapters(box, &window) }
        }
    }

    private mutating func readMeta(_ meta: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        // ISO's has version and flags in front of its boxes, QuickTime's has not.
        for skipping: Int64 in [4, 0] {
            guard let list = try meta.children(&window, skipping: skipping).first("ilst") else { continue }
            for item in try list.children(&window) { try readItem(item, &window) }
            return
        }
    }

    private mutating func readItem(_ item: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        let boxes = try item.children(&window)
        guard let text = try Self.text(boxes.first("data"), &window) else { return }
        if let (_, path) = MP4Metadata.texts.first(where: { $0.0 == item.type }) {
            metadata[keyPath: path] = text
        } else if item.type == "----", var name = try boxes.first("name")?.content(&window) {
            try name.skip(4)
            if try name.text(name.remaining) == "iTunSMPB" { iTunesTrims = ITunesTrims(text: text) }
        }
    }

    /// Nil where the data are not UTF-8 text.
    private static func text(_ data: MP4Box?, _ window: inout SourceWindow) throws(AudioFailure) -> String? {
        guard var fields = try data?.content(&window), fields.remaining >= 8,
            try fields.big(UInt32.self) & 0xFF_FFFF == 1
        else { return nil }
        try fields.skip(4)
        return try fields.text(fields.remaining)
    }

    /// The times stay in units of 100 ns until the rate is known; see `markers(at:)`.
    private var chapters: [(time: Int64, name: String)] = []

    private mutating func readChapters(_ box: MP4Box, _ window: inout SourceWindow) throws(AudioFailure) {
        guard var fields = try box.content(&window), fields.remaining >= 5 else { return }
        let version = try fields.big(UInt32.self) >> 24
        if version == 1 { try fields.skip(4) }
        let count = Int(try fields.big(UInt8.self))
        while chapters.count < count, fields.remaining >= 9 {
            let time = try fields.big(Int64.self)
            let length = Int(try fields.big(UInt8.self))
            guard length <= fields.remaining else { return }
            chapters.append((time, try fields.text(length)))
        }
    }

    func markers(at sampleRate: Double) -> [MediaMetadata.Marker] {
        chapters.filter { $0.time >= 0 }.map { time, name in
            MediaMetadata.Marker(frame: FrameCount(seconds: Double(time) / 1e7, sampleRate: sampleRate), name: name)
        }
    }
}
