import AVFAudio
import AudioCore
import Foundation
import Testing

@Suite struct AppleErrorTests {
    @Test func failuresCarryWhatWhyAndWhere() {
        let failure = AudioFailure(.noSpace, "The disk is full.", errno: 28, path: "/tmp/a.m4a")
        let error = failure.appleError
        #expect(error.domain == NSOSStatusErrorDomain)
        #expect(error.code == -34)
        #expect(error.localizedDescription == "The disk is full.")
        #expect(error.localizedFailureReason != nil && error.localizedRecoverySuggestion != nil)
        #expect(error.userInfo[NSFilePathErrorKey] as? String == "/tmp/a.m4a")
        #expect((error.userInfo[NSUnderlyingErrorKey] as? NSError)?.code == 28)
    }

    @Test func everyFailureHasACode() {
        for code in AudioFailure.Code.allCases {
            let error = AudioFailure(code, "text").appleError(in: .avfaudio)
            #expect(error.domain == "com.apple.coreaudio.avfaudio")
            #expect(error.code != 0)
            #expect(error.userInfo[NSUnderlyingErrorKey] == nil)
        }
    }

    @Test func settingsAnswerAsOnIOS() {
        let failure = AudioFailure(.invalidArgument, "text", argument: .sampleRate)
        #expect(failure.appleError.code == Int(kAudioFileUnsupportedDataFormatError))
        #expect(AudioFailure(.invalidArgument, "text").appleError.code == Int(kAudio_ParamError))
    }
}
