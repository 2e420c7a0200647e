/// A stream of another program at the sound server.
package struct OtherStream: Sendable, Hashable {
    package var direction: DeviceDirection
    /// What it is for ("music", "phone", "event" …); nil where its program does not say.
    package var mediaRole: String?
    /// It stands still.
    package var isCorked: Bool
    /// What its program calls itself; nil where it does not say.
    package var program: String?

    package init(direction: DeviceDirection, mediaRole: String? = nil, isCorked: Bool, program: String? = nil) {
        self.direction = direction
        self.mediaRole = mediaRole
        self.isCorked = isCorked
        self.program = program
    }

    /// A conversation is going on.
    package var isCall: Bool { mediaRole == "phone" && !isCorked }

    /// Something that people listen to: no conversation, no short sound of the desktop, no screen reader.
    package var isPlaying: Bool {
        direction == .output && !isCorked && !["phone", "event", "a11y"].contains(mediaRole)
    }
}

extension AudioDeviceHost {
    package func observeOtherStreams(
        _ changed: @escaping @Sendable ([OtherStream]) -> Void
    ) -> (any AnyObject & Sendable)? { nil }
}
