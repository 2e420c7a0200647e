import AudioCore
import CPulse

extension StreamProcessing {
    /// How a stream says it.
    ///
    /// PulseAudio's module-filter-heuristics and module-filter-apply read the filter's properties; a suppressed one is left
    /// out also where the user's environment or the program's role would bring it in. WirePlumber reads the other: the level
    /// at which a stream of this program was last left in a mixer does not come back. No remixing and no resampling cannot be
    /// asked for: the channels and the rate are those of the file.
    var properties: [(key: String, value: String)] {
        switch self {
        case .automatic: []
        case .raw: [(PA_PROP_FILTER_SUPPRESS, Self.echoCancellation), ("state.restore-props", "false")]
        case .conversation: [(PA_PROP_FILTER_WANT, Self.echoCancellation)]
        }
    }

    private static let echoCancellation = "echo-cancel"
}
