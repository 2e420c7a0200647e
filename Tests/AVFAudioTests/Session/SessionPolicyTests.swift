import AudioCore
import Testing

/// The table against expectations written out from Apple's documentation.
@Suite struct SessionPolicyTests {
    @Test(arguments: [
        (SessionCategory.ambient, false, true), (.soloAmbient, false, true), (.playback, false, true),
        (.record, true, false), (.playAndRecord, true, true), (.multiRoute, true, true),
    ])
    func whoMayRecordAndPlay(_ category: SessionCategory, record: Bool, play: Bool) {
        let rule = SessionPolicy.rule(for: category)
        #expect(rule.mayRecord == record)
        #expect(rule.mayPlay == play)
    }

    /// Modes that are tied to categories; the others go with all.
    private static let ties: [SessionMode: Set<SessionCategory>] = [
        .voiceChat: [.playAndRecord], .gameChat: [.playAndRecord], .videoChat: [.playAndRecord],
        .videoRecording: [.record, .playAndRecord], .moviePlayback: [.playback], .shortFormVideo: [.playback],
        .dualRoute: [.multiRoute],
    ]

    @Test func everyModeWithEveryCategory() {
        for category in SessionCategory.allCases {
            for mode in SessionMode.allCases {
                let configuration = SessionConfiguration(
                    category: category,
                    mode: mode,
                    options: mode == .dualRoute && category == .multiRoute ? .allowBluetoothHFP : []
                )
                let isAllowed = Self.ties[mode].map { $0.contains(category) } ?? true
                #expect((SessionPolicy.refusal(of: configuration) == nil) == isAllowed, "\(category) \(mode)")
            }
        }
    }

    /// Every option with every category in the default mode; the rows are the categories that take it.
    private static let takers: [(SessionOptions, Set<SessionCategory>)] = [
        (.mixWithOthers, [.ambient, .playback, .playAndRecord, .multiRoute]),
        (.duckOthers, [.ambient, .playback, .record, .playAndRecord, .multiRoute]),
        (.interruptSpokenAudio, [.playback, .playAndRecord, .multiRoute]),
        (.allowBluetoothHFP, [.record, .playAndRecord]),
        (.defaultToSpeaker, [.playAndRecord]),
        (.allowBluetoothA2DP, [.ambient, .soloAmbient, .playback, .playAndRecord]),
        (.allowAirPlay, [.ambient, .soloAmbient, .playback, .playAndRecord]),
        (.overrideMutedMicrophone, [.record, .playAndRecord, .multiRoute]),
        (.bluetoothHighQualityRecording, [.record, .playAndRecord, .multiRoute]),
    ]

    @Test func everyOptionWithEveryCategory() {
        for (option, categories) in Self.takers {
            for category in SessionCategory.allCases {
                let refusal = SessionPolicy.refusal(of: SessionConfiguration(category: category, options: option))
                #expect((refusal == nil) == categories.contains(category), "\(category) \(option)")
            }
        }
        for category in SessionCategory.allCases {
            let unknown = SessionConfiguration(category: category, options: SessionOptions(rawValue: 1 << 40))
            #expect(SessionPolicy.refusal(of: unknown)?.contains("0x10000000000") == true)
        }
    }

    @Test func optionsThatNeedAnotherThing() {
        func isAllowed(_ category: SessionCategory, _ mode: SessionMode, _ options: SessionOptions) -> Bool {
            SessionPolicy.refusal(of: SessionConfiguration(category: category, mode: mode, options: options)) == nil
        }
        #expect(!isAllowed(.record, .default, .farFieldInput))
        #expect(isAllowed(.record, .default, [.farFieldInput, .allowBluetoothHFP]))
        #expect(!isAllowed(.multiRoute, .default, [.farFieldInput, .allowBluetoothHFP]))
        #expect(isAllowed(.multiRoute, .dualRoute, [.farFieldInput, .allowBluetoothHFP]))
        #expect(!isAllowed(.multiRoute, .dualRoute, []))
        #expect(!isAllowed(.multiRoute, .measurement, .mixWithOthers))
        #expect(!isAllowed(.playAndRecord, .voiceChat, .bluetoothHighQualityRecording))
        // The session of Apple's speech sample, and that of the recorders which the documents describe.
        #expect(isAllowed(.record, .measurement, .duckOthers))
        #expect(isAllowed(.playAndRecord, .default, [.defaultToSpeaker, .allowBluetoothA2DP]))
    }

    @Test func longFormSharing() {
        for sharing in [SessionRouteSharing.longFormAudio, .longFormVideo] {
            for category in SessionCategory.allCases {
                let configuration = SessionConfiguration(category: category, sharing: sharing)
                #expect((SessionPolicy.refusal(of: configuration) == nil) == (category == .playback))
            }
            for mode in [SessionMode.default, .moviePlayback, .spokenAudio, .measurement, .shortFormVideo] {
                let configuration = SessionConfiguration(category: .playback, mode: mode, sharing: sharing)
                let isAllowed = [.default, .moviePlayback, .spokenAudio].contains(mode)
                #expect((SessionPolicy.refusal(of: configuration) == nil) == isAllowed, "\(mode)")
            }
            let mixing = SessionConfiguration(category: .playback, options: .mixWithOthers, sharing: sharing)
            #expect(SessionPolicy.refusal(of: mixing) != nil)
        }
        #expect(SessionPolicy.refusal(of: SessionConfiguration(category: .playback, sharing: .independent)) != nil)
    }

    @Test func optionsThatComeAlong() {
        func options(_ category: SessionCategory, _ mode: SessionMode, _ options: SessionOptions) -> SessionOptions {
            SessionPolicy.effectiveOptions(
                of: SessionConfiguration(category: category, mode: mode, options: options)
            )
        }
        #expect(options(.playback, .default, []) == [])
        #expect(options(.ambient, .default, []) == .mixWithOthers)
        #expect(options(.playback, .default, .duckOthers) == [.duckOthers, .mixWithOthers])
        #expect(options(.playback, .default, .interruptSpokenAudio).rawValue == 0x11)
        #expect(options(.playAndRecord, .voiceChat, []) == .allowBluetoothHFP)
        #expect(options(.playAndRecord, .videoChat, []) == [.allowBluetoothHFP, .defaultToSpeaker])
    }

    @Test func mediaRoles() {
        func role(_ use: SessionUse, _ category: SessionCategory, _ mode: SessionMode = .default) -> String {
            SessionPolicy.mediaRole(for: use, SessionConfiguration(category: category, mode: mode))
        }
        #expect(role(.playback, .soloAmbient) == "music")
        #expect(role(.playback, .playback, .moviePlayback) == "video")
        #expect(role(.playback, .ambient) == "game")
        #expect(role(.recording, .record, .measurement) == "production")
        #expect(role(.recording, .playAndRecord, .voiceChat) == "phone")
        #expect(role(.playback, .playAndRecord, .videoChat) == "phone")
    }
}
