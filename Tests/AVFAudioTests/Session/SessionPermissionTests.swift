import AVFAudio
import AudioCore
import Synchronization
import Testing

@Suite struct SessionPermissionTests {
    private let refusal = AudioFailure(.permissionDenied, "The server refuses.")
    private let absence = AudioFailure(.serverUnavailable, "No server.")

    /// The answer to one request, and whether it came inside the call.
    private func ask(_ session: AVAudioSession) async -> Bool {
        await withCheckedContinuation { continuation in
            session.requestRecordPermission { continuation.resume(returning: $0) }
        }
    }

    @Test func grantedWhereTheServerAnswers() async {
        let stage = SessionStage()
        #expect(stage.session.recordPermission == .undetermined)
        #expect(stage.host.questionCount == 0)
        #expect(await ask(stage.session))
        #expect(stage.session.recordPermission == .granted)
        // Granted stays granted, and is not asked again.
        let questions = stage.host.questionCount
        stage.host.become([], failure: absence)
        #expect(await ask(stage.session))
        #expect(stage.host.questionCount == questions)
    }

    @Test func aMachineWithoutMicrophoneIsStillGranted() async {
        let stage = SessionStage([.speaker])
        #expect(await ask(stage.session))
        #expect(!stage.session.isInputAvailable)
    }

    @Test func deniedThenGrantedWithoutRestart() async {
        let stage = SessionStage([], failure: refusal)
        #expect(await ask(stage.session) == false)
        #expect(stage.session.recordPermission == .denied)
        stage.host.become(.desktop)
        #expect(stage.session.recordPermission == .granted)
        #expect(await ask(stage.session))
    }

    @Test func absentServerDecidesNothing() async {
        let stage = SessionStage([], failure: absence)
        #expect(await ask(stage.session) == false)
        #expect(stage.session.recordPermission == .undetermined)
        stage.host.become(.desktop)
        #expect(await ask(stage.session))
        #expect(stage.session.recordPermission == .granted)
    }

    @Test func aRecorderThatIsRefusedTellsTheSession() async {
        let stage = SessionStage()
        #expect(await ask(stage.session))
        stage.host.become([], failure: refusal)
        stage.session.core.noteRecordingDenied()
        #expect(stage.session.recordPermission == .denied)
    }

    @Test func answersComeLaterAndInOrder() {
        let stage = SessionStage()
        let log = Mutex<[String]>([])
        let blocker = Mutex(0)
        blocker.withLock { _ in
            // The executor is held up, so an answer inside the call would be seen before "asked".
            stage.executor.enqueue { blocker.withLock { _ in } }
            stage.session.requestRecordPermission { answer in log.withLock { $0.append("first \(answer)") } }
            log.withLock { $0.append("asked") }
        }
        stage.session.core.settlePermission()
        stage.session.requestRecordPermission { answer in log.withLock { $0.append("second \(answer)") } }
        stage.settle()
        #expect(log.withLock { $0 } == ["asked", "first true", "second true"])
    }

    @Test func theApplicationAsksTheSameSession() async {
        let stage = SessionStage([], failure: refusal)
        let application = AVAudioApplication(core: stage.session.core)
        #expect(application.recordPermission == .undetermined)
        #expect(await ask(stage.session) == false)
        #expect(application.recordPermission == .denied)
        stage.host.become(.desktop)
        #expect(application.recordPermission == .granted)
    }
}
