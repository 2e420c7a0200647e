import AVFAudio
import AudioCore
import Foundation
import Testing

@Suite struct SessionCategoryTests {
    @Test func startsAsApplesDoes() {
        let session = SessionStage().session
        #expect(session.category == .soloAmbient)
        #expect(session.mode == .default)
        #expect(session.categoryOptions == [])
        #expect(session.routeSharingPolicy == .default)
        #expect(session.recordPermission == .undetermined)
        #expect(!session.allowHapticsAndSystemSoundsDuringRecording)
    }

    @Test func overloadsSetWhatTheyName() throws {
        let session = SessionStage().session
        try session.setCategory(.playAndRecord, mode: .videoChat)
        #expect(session.category == .playAndRecord)
        #expect(session.mode == .videoChat)
        #expect(session.categoryOptions == [.allowBluetoothHFP, .defaultToSpeaker])
        // The mode stays where it goes with the category, and falls back where it does not.
        try session.setCategory(.playAndRecord, options: [.allowBluetoothA2DP])
        #expect(session.mode == .videoChat)
        try session.setCategory(.playback)
        #expect(session.mode == .default)
        #expect(session.categoryOptions == [])
        try session.setCategory(.playback, mode: .spokenAudio, policy: .longFormAudio)
        #expect(session.routeSharingPolicy == .longFormAudio)
        try session.setCategory(.playback, mode: .default, options: [.mixWithOthers])
        #expect(session.routeSharingPolicy == .default)
        #expect(session.categoryOptions == .mixWithOthers)
        try session.setMode(.moviePlayback)
        #expect(session.mode == .moviePlayback)
        #expect(session.categoryOptions == .mixWithOthers)
        try session.setAllowHapticsAndSystemSoundsDuringRecording(true)
        #expect(session.allowHapticsAndSystemSoundsDuringRecording)
    }

    @Test func refusalsKeepEverythingAndSayWhy() throws {
        let session = SessionStage().session
        try session.setCategory(.playback, mode: .moviePlayback, options: .mixWithOthers)
        let refused = error { try session.setCategory(.playback, options: .defaultToSpeaker) }
        #expect(refused?.domain == NSOSStatusErrorDomain)
        #expect(refused?.code == -50)
        #expect(refused?.localizedDescription == "Setting the audio session's category failed")
        #expect(refused?.localizedFailureReason?.contains("defaultToSpeaker") == true)
        #expect(code { try session.setCategory(.record, mode: .moviePlayback) } == .badParam)
        #expect(code { try session.setCategory(AVAudioSession.Category(rawValue: "Loud")) } == .badParam)
        #expect(
            code { try session.setCategory(.playback, mode: AVAudioSession.Mode(rawValue: "Loud")) } == .badParam
        )
        #expect(code { try session.setMode(.voiceChat) } == .badParam)
        #expect(code { try session.setMode(AVAudioSession.Mode(rawValue: "")) } == .badParam)
        #expect(session.category == .playback)
        #expect(session.mode == .moviePlayback)
        #expect(session.categoryOptions == .mixWithOthers)
    }

    @Test func categoryDecidesWhoMayRun() throws {
        let session = SessionStage().session
        // Nothing is refused before a program has chosen, even though the category reads .soloAmbient.
        #expect(session.core.refusal(of: .recording) == nil)
        #expect(session.core.refusal(of: .playback) == nil)
        for category in [AVAudioSession.Category.ambient, .soloAmbient, .playback] {
            try session.setCategory(category)
            #expect(session.core.refusal(of: .recording)?.code == .invalidArgument)
            #expect(session.core.refusal(of: .recording)?.message.contains("record or playAndRecord") == true)
            #expect(session.core.refusal(of: .playback) == nil)
            #expect(throws: AudioFailure.self) { try session.core.begin(FakeClient(.recording)) }
        }
        try session.setCategory(.record)
        #expect(session.core.refusal(of: .recording) == nil)
        #expect(session.core.refusal(of: .playback)?.code == .invalidArgument)
        try session.setCategory(.playAndRecord)
        #expect(session.core.refusal(of: .playback) == nil)
    }

    @Test func streamsFollowTheSession() throws {
        let session = SessionStage().session
        #expect(session.core.streamPlan(for: .recording).mediaRole == "production")
        #expect(session.core.streamPlan(for: .recording).fragment == .milliseconds(20))
        #expect(session.core.streamPlan(for: .recording).processing == .automatic)
        #expect(session.core.streamPlan(for: .playback).preferredSampleRate == nil)
        try session.setCategory(.playAndRecord, mode: .voiceChat)
        try session.setPreferredIOBufferDuration(0.005)
        try session.setPreferredSampleRate(16_000)
        try session.setPreferredInputNumberOfChannels(1)
        let plan = session.core.streamPlan(for: .recording)
        #expect(plan.mediaRole == "phone")
        #expect(plan.processing == .conversation)
        #expect(session.core.streamPlan(for: .playback).processing == .conversation)
        #expect(plan.fragment == .milliseconds(5))
        #expect(plan.preferredSampleRate == 16_000)
        #expect(plan.preferredChannelCount == 1)
        #expect(session.core.streamPlan(for: .playback).preferredChannelCount == nil)
        #expect(abs(session.ioBufferDuration - 0.005) < 1e-9)
        try session.setMode(.measurement)
        #expect(session.core.streamPlan(for: .recording).processing == .raw)
    }
}
