import AVFAudio
import AudioCore
import Foundation
import RecordingKit
import Testing

struct RecordingErrorTests {
    @Test(arguments: AudioFailure.Code.allCases)
    func appleErrorsLeadBackToTheirKind(code: AudioFailure.Code) {
        let error = RecordingError(AudioFailure(code, "What happened.", path: "/a/b").appleError)
        #expect(error.message == "What happened.")
        #expect(error.path == "/a/b")
        // Apple has one number for both.
        let expected: AudioFailure.Code = code == .internal ? .limitReached : code
        #expect(error.code.description == expected.rawValue)
    }

    @Test func theSessionsReasonIsPartOfTheMessage() {
        let failure = AudioFailure(.serverUnavailable, "Nobody answers at /run/pulse.")
        let error = RecordingError(SessionError.make(failure, "Activation failed"))
        #expect(error.code == .serverUnavailable)
        #expect(error.message == "Activation failed: Nobody answers at /run/pulse.")
    }

    @Test func errorsOfOtherOriginKeepTheirWords() {
        let error = RecordingError(
            NSError(domain: "elsewhere", code: 7, userInfo: [NSLocalizedDescriptionKey: "Odd."])
        )
        #expect(error.code == .internal)
        #expect(error.message == "Odd.")
        let own = RecordingError(.busy, "Taken.", path: "x")
        #expect(RecordingError(own) == own)
        #expect((own as any Error).localizedDescription == "Taken.")
    }
}
