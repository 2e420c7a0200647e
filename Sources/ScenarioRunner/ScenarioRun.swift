import AVFAudio
package import AudioCore
import AudioRuntime
package import AudioSimulation
package import Foundation
import RecordingKit
import Synchronization

/// Runs a scenario: a simulation, a program in it, and what both did.
///
/// Each has a simulation, a session and a queue of its own, so that many run in one process, at the same time too. Blocks the
/// calling thread; time does not go on until everything that belongs to a moment is done, so that the same scenario gives
/// the same result.
package final class ScenarioRun: @unchecked Sendable {
    // Unchecked: used on the calling thread, and on the callback queue while the calling thread waits for it.

    private let scenario: SimulationScenario
    private let folder: URL
    private let audio: SimulatedAudio
    private let runtime: Runtime
    private let wasTold: @Sendable (ScenarioResult.Entry) -> Void
    private var result = ScenarioResult()
    private var ledger: FrameLedger
    private var wasCutShort = false
    private var oracle: ScenarioOracle
    private let provesLife: Bool

    /// - Parameters:
    ///   - folder: where recordings are made, named "take-1" and so on; it must be there, and hold none.
    ///   - provesLife: once the time is over everything is put right, and the program must be able to record a second more.
    ///   - defect: what a broken arbiter does to the session's events, for tests of the search itself.
    ///   - wasTold: hears of each entry of the timeline at once, on some thread.
    package init(
        _ scenario: SimulationScenario,
        in folder: URL,
        provesLife: Bool = false,
        defect: (@Sendable (ArbiterEvent) -> ArbiterEvent?)? = nil,
        wasTold: @escaping @Sendable (ScenarioResult.Entry) -> Void = { _ in }
    ) {
        self.scenario = scenario
        self.folder = folder
        self.wasTold = wasTold
        self.provesLife = provesLife
        oracle = ScenarioOracle(scenario)
        audio = SimulatedAudio(.init(input: scenario.input, time: .stepped, bursts: [.milliseconds(100)]))
        if let defect { audio.arbiter.setDefect(defect) }
        let disk = audio.disk
        var runtime = Runtime.system
        runtime.devices = audio.host
        runtime.clock = audio.host.clock
        runtime.arbiter = audio.arbiter
        runtime.files = disk.store(over: UnsynchronizedStore(base: runtime.files))
        runtime.callbacks = HoldingExecutor(SerialQueueExecutor(label: "kayit.scenario"), clock: audio.host.clock)
        runtime.desktop = audio.desktop
        runtime.conditions = audio.conditions
        self.runtime = runtime
        ledger = FrameLedger(sampleRate: scenario.recording.sampleRate)
    }

    /// - Throws: where the simulation itself cannot be set up.
    package func run() throws -> ScenarioResult {
        let client = try ScenarioClient(scenario, runtime: runtime, folder: folder) {
            [unowned self] notice, kind, text in
            note(kind, text, notice)
        }
        defer { client.end() }
        var time = Duration.zero
        var isStuck = !settle()
        for moment in scenario.moments where !isStuck {
            isStuck = !pass(moment.time - time)
            time = moment.time
            note(.event, moment.action.text)
            if case .disk(.full) = moment.action { wasCutShort = true }
            carryOut(moment.action, client)
            isStuck = isStuck || !settle()
            account(client, after: moment.action)
            consult(moment, client)
        }
        isStuck = isStuck || !pass(scenario.length - time)
        account(client)
        result.state = client.state
        if provesLife, !isStuck { proveLife(client) }
        end(client)
        if isStuck { result.failures.append("Time stood still: the program took or gave no frames for 30 s.") }
        result.failures += ScenarioJudge(scenario, result, finished: client.finished).failures
        return result
    }

    /// Hours in pieces: what stands still is noticed after 30 s of the machine's time without one of them.
    private func pass(_ duration: Duration) -> Bool {
        var rest = duration
        while rest > .zero {
            let piece = min(rest, .seconds(300))
            guard audio.advance(by: piece) else { return false }
            rest -= piece
        }
        return true
    }

    private func carryOut(_ action: ScenarioAction, _ client: ScenarioClient) {
        guard case .press(let button) = action else { return audio.perform(action) }
        // What the clock of the recorder says last.
        if button == .stop { closeTake(client) }
        runtime.callbacks.enqueue { client.press(button) }
    }

    /// Returns when everything that belongs to this moment is done.
    private func settle() -> Bool { audio.advance(by: .zero) }

    private func account(_ client: ScenarioClient, after action: ScenarioAction? = nil) {
        var wasInterrupted = false
        if case .begin = action { wasInterrupted = true }
        ledger.note(
            client.state == .recording,
            isDeaf: client.isDeaf,
            take: client.takes.count,
            at: audio.now,
            wasInterrupted: wasInterrupted
        )
    }

    /// The recorder must do what the rules say. A disk or a lost microphone may end its recording all the same.
    private func consult(_ moment: SimulationScenario.Moment, _ client: ScenarioClient) {
        let isRecording = client.state == .recording
        oracle.note(moment.action, observed: isRecording)
        guard oracle.isRecording != isRecording, !wasCutShort, scenario.microphoneLoss != .stops else { return }
        result.failures.append(
            "At \(moment.time.scenarioText), after '\(moment.action.text)', the recorder "
                + (isRecording ? "records, and should not." : "does not record, and should.")
        )
    }

    /// Nothing that happened may have left the program unable to record.
    private func proveLife(_ client: ScenarioClient) {
        audio.setDisk(nil)
        audio.setServerRunning(true)
        audio.setPermissionGranted(true)
        audio.setAppState(.foreground)
        audio.setMicrophoneConnected(true)
        audio.setMicrophoneSuspended(false)
        for interruption in audio.interruptions { audio.endInterruption(interruption, shouldResume: false) }
        _ = settle()
        account(client)
        runtime.callbacks.enqueue { client.press(.record) }
        _ = settle()
        account(client)
        _ = audio.advance(by: .seconds(1))
        account(client)
        if client.state != .recording { result.failures.append("In the end nothing could be recorded any more.") }
    }

    /// Before a recording is stopped.
    private func closeTake(_ client: ScenarioClient) {
        account(client)
        let rate = Double(scenario.recording.sampleRate)
        if client.state != .stopped, let recorder = client.recorder {
            // In virtual time the encoder is behind: it has caught up when what was heard is on the disk.
            try? recorder.engine?.secure()
            if client.state == .recording { ledger.dropDeafEnd(at: audio.now) }
            ledger.gaps[client.takes.count] = recorder.gaps
            ledger.clock[client.takes.count] = Int64((recorder.currentTime * rate).rounded())
        }
    }

    private func end(_ client: ScenarioClient) {
        audio.setDisk(nil)
        closeTake(client)
        if client.state != .stopped { runtime.callbacks.enqueue { client.press(.stop) } }
        _ = settle()
        account(client)
        for (index, url) in client.takes.enumerated() {
            guard let report = try? RecordingReport(contentsOf: url) else { continue }
            let size = (try? FileManager.default.attributesOfItem(atPath: url.path)[.size] as? NSNumber) ?? 0
            let number = index + 1
            let expected = ledger.takes[number] ?? FrameLedger.Take()
            result.takes.append(
                ScenarioResult.Take(
                    url: url,
                    frames: report.frames,
                    bytes: size.int64Value,
                    clock: ledger.clock[number],
                    expectedFrames: expected.frames,
                    starts: expected.starts,
                    gaps: ledger.gaps[number] ?? report.gaps,
                    fileGaps: report.gaps,
                    omittedGaps: report.omittedNotes,
                    expectedGapFrames: expected.deafFrames,
                    expectedInterruptions: expected.interruptions,
                    isComplete: report.integrity == .complete,
                    isCutShort: wasCutShort
                )
            )
        }
    }

    private func note(_ kind: ScenarioResult.Entry.Kind, _ text: String, _ notice: SimulationScenario.Notice? = nil) {
        let entry = ScenarioResult.Entry(
            time: audio.now,
            frames: ledger.total(at: audio.now),
            kind: kind,
            text: text,
            notice: notice
        )
        result.entries.append(entry)
        wasTold(entry)
    }
}
