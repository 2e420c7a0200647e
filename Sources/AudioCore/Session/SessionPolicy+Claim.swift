/// What a configuration means for other programs.
extension SessionPolicy {
    package static func claim(of configuration: SessionConfiguration) -> SessionClaim {
        let rule = rule(for: configuration.category)
        return SessionClaim(
            manner: manner(of: configuration),
            mayRecord: rule.mayRecord,
            mayPlay: rule.mayPlay,
            isSpeech: rule.mayPlay && configuration.mode == .spokenAudio,
            isCall: isCall(configuration.mode)
        )
    }

    private static func manner(of configuration: SessionConfiguration) -> SessionClaim.Manner {
        // It silences all playback, whatever its options.
        if configuration.category == .record { return .exclusive }
        let options = effectiveOptions(of: configuration)
        if options.contains(.interruptSpokenAudio) { return .interruptingSpeech }
        if options.contains(.duckOthers) { return .ducking }
        return options.contains(.mixWithOthers) ? .mixing : .exclusive
    }

    private static func isCall(_ mode: SessionMode) -> Bool {
        switch mode {
        case .voiceChat, .videoChat, .gameChat: true
        case .default, .videoRecording, .measurement, .moviePlayback, .spokenAudio, .voicePrompt, .shortFormVideo,
            .dualRoute:
            false
        }
    }
}
