package import AudioCore

/// Codecs of libavcodec, and other people's files through libavformat. The libraries are loaded when they are first needed.
package struct FFmpegProvider: MediaProvider {
    package let name = "FFmpeg"

    package init() {}

    package func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> (any PacketEncoder)? {
        guard let plan = try EncoderPlan(request) else { return nil }
        try Library.load()
        return try FFmpegEncoder(plan)
    }

    package func makeDecoder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketDecoder)? {
        try Library.load()
        guard let plan = try DecoderPlan(stream) else { return nil }
        return try FFmpegDecoder(plan)
    }

    package func makePacketFinder(_ stream: StreamDescription) throws(AudioFailure) -> (any PacketFinder)? {
        guard stream.codec == .aac else { return nil }
        try Library.load()
        guard let plan = try DecoderPlan(stream) else { return nil }
        return try AACPacketFinder(plan)
    }

    /// For everything that has no reader of our own: ask it last. Content alone decides.
    package func openReader(_ source: any ByteSource, hint: ContainerKind?) throws(AudioFailure)
        -> (any ContainerReader)?
    {
        try Library.load()
        return try ForeignReader(source)
    }
}
