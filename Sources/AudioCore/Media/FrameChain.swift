/// The frames of a chained file: those of its links, one behind the other, each with a reader and a decoder of its own.
final class FrameChain {
    private struct Link {
        var source: SlicedSource
        /// The frame of the whole with which it begins.
        var start: Int64
    }

    private let media: MediaRegistry
    private let links: [Link]
    private var index = 0
    /// The reader of the link at `index`; nil before it is needed.
    private var reader: FrameReader?
    let length: FrameCount

    /// Nil where the file is no chain, or one of its links does not say how long it is. A link of another rate or other
    /// channels ends the chain: what comes behind it is not read.
    init?(_ source: any ByteSource, media: MediaRegistry) throws(AudioFailure) {
        let ranges = try OggLinks.find(in: source)
        var links: [Link] = []
        var length: Int64 = 0
        var format: StreamDescription?
        for range in ranges {
            let slice = SlicedSource(source, range)
            do throws(AudioFailure) {
                let reader = try media.openReader(slice)
                guard let frames = reader.validFrames else { return nil }
                let stream = reader.stream
                if let format, !stream.continues(format) { break }
                format = stream
                links.append(Link(source: slice, start: length))
                length += max(frames.value, 0)
            } catch {
                // The rest is damaged, or of a kind that is not read.
                if links.isEmpty { return nil }
                break
            }
        }
        if links.count < 2 { return nil }
        self.media = media
        self.links = links
        self.length = FrameCount(length)
    }

    /// The first link, as a file.
    var first: any ByteSource { links[0].source }

    var position: FrameCount { FrameCount(links[index].start + (reader?.position.value ?? 0)) }

    func read(into buffer: PCMBuffer) throws(AudioFailure) -> Int {
        while true {
            let count = try current().read(into: buffer)
            if count > 0 || buffer.room == 0 || index + 1 == links.count { return count }
            index += 1
            reader = nil
        }
    }

    /// - Parameter frame: 0 … `length`.
    func seek(to frame: FrameCount) throws(AudioFailure) {
        let target = links.lastIndex { $0.start <= frame.value } ?? 0
        if target != index {
            index = target
            reader = nil
        }
        try current().seek(to: FrameCount(frame.value - links[index].start))
    }

    private func current() throws(AudioFailure) -> FrameReader {
        if let reader { return reader }
        let opened = try media.openReader(links[index].source)
        let fresh = FrameReader(reader: opened, decoder: try media.makeDecoder(opened.stream))
        reader = fresh
        return fresh
    }
}

extension StreamDescription {
    /// Whether frames of this stream are such as those of `other`.
    fileprivate func continues(_ other: Self) -> Bool {
        codec == other.codec && sampleRate == other.sampleRate && channelCount == other.channelCount
    }
}
