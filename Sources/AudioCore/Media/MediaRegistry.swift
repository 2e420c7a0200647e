/// The media adapters in the order in which they are asked.
package struct MediaRegistry: Sendable {
    package var providers: [any MediaProvider]

    package init(providers: [any MediaProvider]) { self.providers = providers }

    package func makeEncoder(_ request: EncodingRequest) throws(AudioFailure) -> any PacketEncoder {
        for provider in providers {
            if let encoder = try provider.makeEncoder(request) { return encoder }
        }
        throw AudioFailure(.unsupported, "No encoder for \(request.codec) is available.")
    }

    package func makeDecoder(_ stream: StreamDescription) throws(AudioFailure) -> any PacketDecoder {
        for provider in providers {
            if let decoder = try provider.makeDecoder(stream) { return decoder }
        }
        throw AudioFailure(.unsupported, "No decoder for \(stream.codec.name) is available.")
    }

    package func makeWriter(
        _ container: ContainerKind,
        stream: StreamDescription,
        file: any StoredFile,
        options: WriterOptions = WriterOptions()
    ) throws(AudioFailure) -> any ContainerWriter {
        for provider in providers {
            if let writer = try provider.makeWriter(container, stream: stream, file: file, options: options) {
                return writer
            }
        }
        throw AudioFailure(.unsupported, "Files of the kind \(container.name) are not written.")
    }

    /// Opens by content first; `hint` decides only where content does not tell.
    package func openReader(_ source: any ByteSource, hint: ContainerKind? = nil) throws(AudioFailure)
        -> any ContainerReader
    {
        if try source.size() == 0 { throw AudioFailure(.malformedMedia, "The file is empty.") }
        for provider in providers {
            if let reader = try provider.openReader(source, hint: hint) { return reader }
        }
        throw AudioFailure(.malformedMedia, "The content is not of any audio format that can be read.")
    }
}
