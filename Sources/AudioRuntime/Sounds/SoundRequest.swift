import AudioCore

/// One call that plays a sound, until its end is told.
struct SoundRequest: Sendable {
    /// Requests are numbered in the order of the calls.
    let number: UInt64
    let id: UInt32
    let runtime: Runtime
    /// The machine vibrates, too.
    let vibrates: Bool
    /// Heard also where the person does not want event sounds.
    let isAskedFor: Bool
    /// Told once: nil where the sound was played, or that there was nothing to play.
    let ended: @Sendable (AudioFailure?) -> Void
}
