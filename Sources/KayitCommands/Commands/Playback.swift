import AVFoundation
import RecordingKit

/// One file from its first frame to its last: answers keys and signals, and shows where it is.
@MainActor
final class Playback {
    /// How it went.
    enum End {
        case ended
        case quit
        case signal(Int32)
        case failed(RecordingError)
    }

    private let player: AVAudioPlayer
    private let file: String
    private let console: Console
    private var failure: RecordingError?
    private var lastProgress = 0.0
    /// For the reason why nothing plays.
    private var patience: Patience

    init(_ player: AVAudioPlayer, file: String, console: Console) {
        self.player = player
        self.file = file
        self.console = console
        patience = Patience(.seconds(1), tick: console.tick)
    }

    /// - Parameter delegate: sends what the player says into `events`.
    func run(_ events: AsyncStream<PlayEvent>, _ delegate: PlayerDelegate) async -> End {
        // The player holds it weakly.
        defer { withExtendedLifetime(delegate) {} }
        player.delegate = delegate
        let started = player.play()
        if started {
            console.record(PlayLine("started", file: file, seconds: player.currentTime, duration: player.duration))
            console.remark("Playing '\(file)', \(TimeText.clock(player.duration)).")
        }
        for await event in events {
            switch event {
            case .program(.tick):
                if started {
                    show()
                } else {
                    // The reason comes on the main queue, behind the answer of `play()`.
                    patience.countTick()
                    if patience.isOver { return .failed(reason) }
                }
            case .program(.signal(let number)):
                stop("interrupted")
                return .signal(number)
            case .program(.key(let key)):
                if key == .quit {
                    stop("stopped")
                    return .quit
                }
                answer(key)
            case .failed(let error):
                failure = failure ?? error
                if !started { return .failed(reason) }
            case .finished(let successfully):
                guard started else { continue }
                stop("finished")
                return successfully && failure == nil ? .ended : .failed(reason)
            }
        }
        return .quit
    }

    private var reason: RecordingError {
        failure ?? RecordingError(.inputOutput, "'\(file)' could not be played to its end.")
    }

    private func answer(_ key: Key) {
        switch key {
        case .space: if player.isPlaying { player.pause() } else { _ = player.play() }
        case .left: seek(by: -5)
        case .right: seek(by: 5)
        case .down: seek(by: -30)
        case .up: seek(by: 30)
        case .quit, .marker: break
        }
    }

    private func seek(by seconds: Double) {
        player.currentTime = min(max(player.currentTime + seconds, 0), player.duration)
        lastProgress = player.currentTime
    }

    private func show() {
        let seconds = player.currentTime
        draw(state: player.isPlaying ? "PLAY " : "PAUSE", seconds: seconds)
        // A loop begins again.
        if seconds < lastProgress { lastProgress = 0 }
        guard seconds >= lastProgress + 1 else { return }
        lastProgress = seconds.rounded(.down)
        console.record(
            PlayLine("progress", file: file, seconds: seconds, duration: player.duration),
            isProgress: true
        )
    }

    private func draw(state: String, seconds: Double) {
        console.progress(
            ProgressLine.playing(
                state: state,
                seconds: seconds,
                duration: player.duration,
                columns: console.columns,
                isUnicode: console.isUnicode
            )
        )
    }

    private func stop(_ event: String) {
        // A player that has come to its end stands at its beginning again.
        let seconds = event == "finished" ? player.duration : player.currentTime
        player.stop()
        draw(state: "DONE ", seconds: seconds)
        console.keepProgress()
        console.record(PlayLine(event, file: file, seconds: seconds, duration: player.duration))
    }
}

/// What `play --json` prints.
private struct PlayLine: Encodable {
    var event: String
    var path: String
    var seconds: Double
    var duration: Double

    init(_ event: String, file: String, seconds: Double, duration: Double) {
        self.event = event
        path = file
        self.seconds = seconds
        self.duration = duration
    }
}
