/// The rules of the session as one table: which category may do what, and which modes and options go with it.
///
/// Sources: the comments of Apple's AVAudioSessionTypes.h and AVAudioSession.h, and tables B-1 and B-2 of its Audio Session
/// Programming Guide. Where they say "only valid with", the combination is refused; the two exceptions are noted.
package enum SessionPolicy {
    /// One line of the table.
    package struct Rule: Sendable {
        package var mayRecord: Bool
        package var mayPlay: Bool
        package var modes: Set<SessionMode>
        /// Options that may be asked for.
        package var options: SessionOptions
        /// Options that hold without being asked for.
        package var implied: SessionOptions
    }

    package static func rule(for category: SessionCategory) -> Rule {
        // Any category takes these.
        let common: Set<SessionMode> = [.default, .measurement, .spokenAudio, .voicePrompt]
        let mixing: SessionOptions = [.mixWithOthers, .duckOthers, .interruptSpokenAudio]
        // Output-only categories always allow these; asking for what holds anyway is no error.
        let outputRoutes: SessionOptions = [.allowBluetoothA2DP, .allowAirPlay]
        let input: SessionOptions = [
            .allowBluetoothHFP, .overrideMutedMicrophone, .farFieldInput, .bluetoothHighQualityRecording,
        ]
        switch category {
        case .ambient:
            return Rule(
                mayRecord: false,
                mayPlay: true,
                modes: common,
                options: outputRoutes.union([.mixWithOthers, .duckOthers]),
                implied: .mixWithOthers
            )
        case .soloAmbient:
            return Rule(mayRecord: false, mayPlay: true, modes: common, options: outputRoutes, implied: [])
        case .playback:
            return Rule(
                mayRecord: false,
                mayPlay: true,
                modes: common.union([.moviePlayback, .shortFormVideo]),
                options: outputRoutes.union(mixing),
                implied: []
            )
        case .record:
            // The header does not list `duckOthers` here, but Apple's own speech sample sets it: taken, without effect.
            return Rule(
                mayRecord: true,
                mayPlay: false,
                modes: common.union([.videoRecording]),
                options: input.union(.duckOthers),
                implied: []
            )
        case .playAndRecord:
            return Rule(
                mayRecord: true,
                mayPlay: true,
                modes: common.union([.voiceChat, .gameChat, .videoRecording, .videoChat]),
                options: input.union(mixing).union(outputRoutes).union(.defaultToSpeaker),
                implied: []
            )
        case .multiRoute:
            return Rule(
                mayRecord: true,
                mayPlay: true,
                modes: common.union([.dualRoute]),
                options: input.union(mixing),
                implied: []
            )
        }
    }

    /// Why Apple's rules refuse `configuration`; nil where they allow it.
    package static func refusal(of configuration: SessionConfiguration) -> String? {
        let category = configuration.category
        let rule = rule(for: category)
        if !rule.modes.contains(configuration.mode) {
            return "Mode \(configuration.mode) does not go with category \(category)."
        }
        let excess = configuration.options.subtracting(rule.options)
        if !excess.isEmpty {
            let names = SessionOptions.named.filter { excess.contains($0.option) }.map(\.name)
            let list = names.isEmpty ? "bits 0x\(String(excess.rawValue, radix: 16))" : names.joined(separator: ", ")
            return "Category \(category) does not take the options \(list)."
        }
        return refusalOfDetails(configuration) ?? refusalOfSharing(configuration)
    }

    private static func refusalOfDetails(_ configuration: SessionConfiguration) -> String? {
        let options = configuration.options
        if configuration.mode == .dualRoute, !options.contains(.allowBluetoothHFP) {
            return "Mode dualRoute needs the option allowBluetoothHFP."
        }
        if configuration.category == .multiRoute, configuration.mode != .dualRoute,
            !options.isDisjoint(with: [.allowBluetoothHFP, .farFieldInput])
        {
            return "Category multiRoute takes allowBluetoothHFP and farFieldInput only with mode dualRoute."
        }
        if configuration.category == .multiRoute, configuration.mode != .default,
            !options.isDisjoint(with: [.mixWithOthers, .duckOthers, .interruptSpokenAudio])
        {
            return "Category multiRoute mixes only with the default mode."
        }
        if options.contains(.farFieldInput), !options.contains(.allowBluetoothHFP) {
            return "The option farFieldInput needs allowBluetoothHFP."
        }
        if options.contains(.bluetoothHighQualityRecording), configuration.mode != .default {
            return "The option bluetoothHighQualityRecording goes only with the default mode."
        }
        return nil
    }

    private static func refusalOfSharing(_ configuration: SessionConfiguration) -> String? {
        switch configuration.sharing {
        case .default:
            return nil
        case .independent:
            return "The route-sharing policy independent is set by the system only."
        case .longFormAudio, .longFormVideo:
            if configuration.category != .playback { return "Long-form sharing goes only with category playback." }
            if ![.default, .moviePlayback, .spokenAudio].contains(configuration.mode) {
                return "Long-form sharing goes only with the modes default, moviePlayback and spokenAudio."
            }
            return configuration.options.isEmpty ? nil : "Long-form sharing takes no options."
        }
    }

    /// The options that hold: those asked for, and those that category, mode or another option bring along.
    package static func effectiveOptions(of configuration: SessionConfiguration) -> SessionOptions {
        var options = configuration.options.union(rule(for: configuration.category).implied)
        switch configuration.mode {
        case .voiceChat: options.insert(.allowBluetoothHFP)
        case .videoChat: options.formUnion([.allowBluetoothHFP, .defaultToSpeaker])
        default: break
        }
        if !options.isDisjoint(with: [.duckOthers, .interruptSpokenAudio]) { options.insert(.mixWithOthers) }
        return options
    }

    /// What a stream is for, in the words of the desktop's `media.role` property.
    package static func mediaRole(for use: SessionUse, _ configuration: SessionConfiguration) -> String {
        switch (configuration.mode, use) {
        case (.voiceChat, _), (.gameChat, _), (.videoChat, _): return "phone"
        case (_, .recording): return "production"
        case (.moviePlayback, .playback), (.videoRecording, .playback), (.shortFormVideo, .playback): return "video"
        case (.voicePrompt, .playback): return "a11y"
        default: return configuration.category == .ambient ? "game" : "music"
        }
    }

    /// What a sound server may do to the streams: mode `measurement` asks for the least, those of conversations for what the
    /// server has for them.
    package static func processing(_ configuration: SessionConfiguration) -> StreamProcessing {
        switch configuration.mode {
        case .measurement: .raw
        case .voiceChat, .gameChat, .videoChat: .conversation
        case .default, .videoRecording, .moviePlayback, .spokenAudio, .voicePrompt, .shortFormVideo, .dualRoute:
            .automatic
        }
    }
}
