/// What the session refuses an activation with, in the words of Apple's error codes.
package enum SessionRefusal: String, Sendable, Hashable, CaseIterable {
    /// Somebody more important has the sound.
    case insufficientPriority
    /// A session that does not mix may not take the sound from the background.
    case cannotInterruptOthers
    /// A spoken assistant listens.
    case siriIsRecording
    /// A program in the background may not start to play under this category.
    case cannotStartPlaying
    /// A program in the background may not start to record beside others.
    case cannotStartRecording

    /// What happened and what helps.
    package var message: String {
        switch self {
        case .insufficientPriority:
            "Something more important, such as a call, has the sound. Try again when it is over."
        case .cannotInterruptOthers:
            "Others play, and a program in the background may not interrupt them. Let the session mix, or come to the front."
        case .siriIsRecording: "A spoken assistant is listening. Try again when it has finished."
        case .cannotStartPlaying:
            "Under this category a program in the background may not start to play. Use the category playback."
        case .cannotStartRecording:
            "A program in the background may not start to record beside others. Start in the foreground, or do not mix."
        }
    }
}
