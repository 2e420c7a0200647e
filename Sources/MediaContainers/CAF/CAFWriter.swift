import AudioCore

/// The choice between the two forms of CAF.
enum CAFWriter {
    /// - Throws: `unsupported` where CAF does not hold the stream, `invalidArgument` where the stream is not well described.
    static func make(stream: StreamDescription, file: any StoredFile, options: WriterOptions)
        throws(AudioFailure) -> any ContainerWriter
    {
        try RecordingLength.checkPriming(stream)
        let format = try CAFFormat(stream)
        if stream.codec == .aac, stream.configuration.isEmpty {
            throw AudioFailure(.invalidArgument, "AAC cannot be written without its AudioSpecificConfig.")
        }
        if format.bytesPerPacket > 0 {
            return try CAFConstantWriter(stream: stream, format: format, file: file, options: options)
        }
        return try CAFTableWriter(stream: stream, format: format, file: file, options: options)
    }
}
