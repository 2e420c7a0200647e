public import AVFAudio
import AudioCore
import AudioRuntime
import Dispatch
import Foundation
import Synchronization

/// A message on the desktop that stays while a recorder records or is paused: how long it has recorded, what is left of the
/// battery and of the disk. So nobody forgets that the microphone is open, or wonders where the battery went.
///
/// It is there from the recorder's start to its end, for as long as this object lives. A desktop without a notification service
/// shows nothing, and the recording does not notice. One that a person has closed stays closed until its title changes.
public final class RecordingStatusNotification: Sendable {
    /// What can be told.
    public struct Status: Sendable, Hashable {
        /// The name of the file.
        public let fileName: String
        /// It is paused, by the program or by an interruption.
        public let isPaused: Bool
        /// Seconds recorded.
        public let seconds: Double
        /// Seconds that the disk has room for; nil where it does not say.
        public let secondsLeft: Double?
        /// What the machine lives on.
        public let power: SystemStatus.Power
    }

    /// What is shown. Control characters are left out; 200 bytes of the title and 500 of the body are shown.
    public struct Text: Sendable, Hashable {
        /// The first line. One that changes is shown at once.
        public var title: String
        /// What stands below.
        public var body: String

        /// A text to be shown.
        public init(title: String, body: String) {
            self.title = title
            self.body = body
        }

        /// In English: `Recording “Interview.m4a”`, and below `1:02:03 · battery 81 % · room for 12:40:00`.
        public init(_ status: Status) {
            title = (status.isPaused ? "Paused: " : "Recording ") + "“\(status.fileName)”"
            let level = status.power.batteryLevel.map { "battery \(Int(($0 * 100).rounded())) %" }
            let room = status.secondsLeft.map { "room for \(Self.clock($0))" }
            body = ([Self.clock(status.seconds)] + [level, room].compactMap { $0 }).joined(separator: " · ")
        }

        private static func clock(_ seconds: Double) -> String {
            let whole = seconds.isFinite ? min(max(seconds, 0), 1e9) : 0
            return Duration.seconds(Int(whole)).formatted(.time(pattern: .hourMinuteSecond))
        }
    }

    /// How often is looked whether anything has changed.
    private static let beat = DispatchTimeInterval.seconds(1)
    private static let leastInterval = Duration.seconds(5)

    private let board: Board

    /// Shows the message whenever `recorder` records from now on. Returns at once.
    /// - Parameters:
    ///   - recorder: held weakly.
    ///   - interval: between two texts, 5 seconds or more.
    ///   - text: makes the text, on a thread of this object's.
    public init(
        for recorder: AVAudioRecorder,
        every interval: Duration = .seconds(10),
        text: @escaping @Sendable (Status) -> Text = { Text($0) }
    ) {
        board = Board(
            recorder,
            runtime: .current,
            everyBeats: Int(max(interval, Self.leastInterval) / .seconds(1)),
            text: text
        )
        board.begin()
    }

    deinit { end() }

    /// Takes the message away, within a second, and shows none any more. Done by itself when the object goes away.
    public func end() { board.end() }

    /// What is looked at, and what is shown.
    private final class Board: Sendable {
        private struct State {
            var display: (any StatusDisplay)?
            var title: String?
            var beats = 0
            var isOver = false
            /// Follows the battery while something is shown.
            var observation: (any AnyObject & Sendable)?
        }

        private let recorder: WeakRecorder
        private let runtime: Runtime
        private let interval: Int
        private let text: @Sendable (Status) -> Text
        private let queue = DispatchQueue(label: "kayit.status", qos: .utility)
        private let state = Mutex(State())

        init(
            _ recorder: AVAudioRecorder,
            runtime: Runtime,
            everyBeats interval: Int,
            text: @escaping @Sendable (Status) -> Text
        ) {
            self.recorder = WeakRecorder(recorder)
            self.runtime = runtime
            self.interval = interval
            self.text = text
        }

        /// Looks now, and with each beat for as long as this is there.
        func begin() {
            queue.async { [self] in look() }
            queue.asyncAfter(deadline: .now() + RecordingStatusNotification.beat) { [weak self] in
                guard let self, !state.withLock({ $0.isOver }) else { return }
                begin()
            }
        }

        private func look() {
            guard let recorder = recorder.recorder, let status = status(of: recorder) else { return takeAway() }
            if state.withLock({ $0.observation == nil && !$0.isOver }) {
                let observation = runtime.conditions.observe { _ in }
                state.withLock { $0.observation = observation }
            }
            let text = text(status)
            let shown = StatusText(title: text.title, body: text.body)
            state.withLock { state in
                if state.isOver { return }
                state.beats += 1
                guard let display = state.display else {
                    state.display = runtime.desktop.showStatus(shown)
                    state.title = shown.title
                    return
                }
                if state.title == shown.title, state.beats % interval != 0 { return }
                state.title = shown.title
                display.update(shown)
            }
        }

        private func status(of recorder: AVAudioRecorder) -> Status? {
            guard let engine = recorder.engine else { return nil }
            let phase = engine.phase
            guard phase == .recording || phase == .paused else { return nil }
            return Status(
                fileName: recorder.url.lastPathComponent,
                isPaused: phase == .paused,
                seconds: recorder.currentTime,
                secondsLeft: engine.secondsLeft,
                power: SystemStatus.Power(runtime.conditions.now.power)
            )
        }

        private func takeAway() {
            let (display, observation) = state.withLock { state in
                defer {
                    state.display = nil
                    state.observation = nil
                    state.beats = 0
                }
                return (state.display, state.observation)
            }
            display?.close()
            withExtendedLifetime(observation) {}
        }

        func end() {
            state.withLock { $0.isOver = true }
            takeAway()
        }
    }

    private final class WeakRecorder: Sendable {
        private struct Weak: Sendable { weak var object: AVAudioRecorder? }
        private let held: Mutex<Weak>

        init(_ recorder: AVAudioRecorder) { held = Mutex(Weak(object: recorder)) }

        var recorder: AVAudioRecorder? { held.withLock { $0.object } }
    }
}
