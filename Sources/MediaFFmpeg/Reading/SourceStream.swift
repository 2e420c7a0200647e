internal import AudioCore
internal import CFFmpeg

/// The one thing that libavformat may read: bytes by position, behind its own input layer. It never sees a name.
final class SourceStream {
    let pointer: UnsafeMutablePointer<AVIOContext>
    /// What the source itself failed with, which the library would only report as an input error.
    private(set) var failure: AudioFailure?

    private let source: any ByteSource
    private let size: Int64
    private var position: Int64 = 0
    private var deadline = ContinuousClock.now

    private static let bufferBytes = 32 << 10

    init(_ source: any ByteSource) throws(AudioFailure) {
        self.source = source
        size = try source.size()
        guard let buffer = av_malloc(Self.bufferBytes) else {
            throw AudioFailure(.limitReached, "There is no memory for reading.")
        }
        guard
            let pointer = avio_alloc_context(
                buffer.assumingMemoryBound(to: UInt8.self),
                Int32(Self.bufferBytes),
                0,
                nil,
                { object, buffer, count in SourceStream.of(object).read(buffer, count) },
                nil,
                { object, offset, whence in SourceStream.of(object).seek(offset, whence) }
            )
        else {
            av_free(buffer)
            throw AudioFailure(.limitReached, "There is no memory for reading.")
        }
        self.pointer = pointer
        // Not retained: the callbacks run only inside calls on the demuxer, which owns this object.
        pointer.pointee.opaque = Unmanaged.passUnretained(self).toOpaque()
    }

    deinit {
        av_freep(&pointer.pointee.buffer)
        var pointer: UnsafeMutablePointer<AVIOContext>? = pointer
        avio_context_free(&pointer)
    }

    /// From now on, calls into the library give up after `time`.
    func allow(_ time: Duration) { deadline = .now + time }

    var isOverdue: Bool { ContinuousClock.now >= deadline }

    /// The answer for libavformat's interrupt callback.
    static func isOverdue(_ object: UnsafeMutableRawPointer?) -> Int32 { of(object).isOverdue ? 1 : 0 }

    /// The object behind the library's opaque pointer; never nil, it is set before the first call.
    private static func of(_ object: UnsafeMutableRawPointer?) -> SourceStream {
        guard let object else { preconditionFailure("A callback came without its object.") }
        return Unmanaged<SourceStream>.fromOpaque(object).takeUnretainedValue()
    }

    private func read(_ buffer: UnsafeMutablePointer<UInt8>?, _ count: Int32) -> Int32 {
        guard let buffer, count > 0 else { return kayit_averror(EINVAL) }
        if isOverdue { return kayit_averror_exit() }
        do throws(AudioFailure) {
            let read = try source.read(
                into: UnsafeMutableRawBufferPointer(start: buffer, count: Int(count)),
                at: position
            )
            guard read > 0 else { return kayit_averror_eof() }
            position += Int64(read)
            return Int32(clamping: read)
        } catch {
            failure = error
            return kayit_averror(EIO)
        }
    }

    private func seek(_ offset: Int64, _ whence: Int32) -> Int64 {
        let base: Int64
        // AVSEEK_FORCE is a hint only.
        switch whence & ~AVSEEK_FORCE {
        case AVSEEK_SIZE: return size
        case SEEK_SET: base = 0
        case SEEK_CUR: base = position
        case SEEK_END: base = size
        default: return Int64(kayit_averror(EINVAL))
        }
        let (target, overflow) = base.addingReportingOverflow(offset)
        guard !overflow, target >= 0 else { return Int64(kayit_averror(EINVAL)) }
        position = target
        return target
    }
}
