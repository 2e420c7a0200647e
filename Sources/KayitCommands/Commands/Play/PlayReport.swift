import AVFoundation

/// What a playback says about itself: lines for people, for scripts, and the one that is drawn again and again.
@MainActor
final class PlayReport {
    private let console: Console
    private var meters: [ChannelMeter] = []
    private var lastProgress = 0.0

    init(_ console: Console) { self.console = console }

    func began(_ group: PlayGroup) {
        lastProgress = group.position.rounded(.down)
        meters = Array(repeating: ChannelMeter(), count: group.voices.map(\.player.numberOfChannels).max() ?? 0)
        for voice in group.voices {
            console.record(line("started", group, voice, seconds: group.position))
            console.remark("Playing '\(voice.file)', \(TimeText.clock(voice.duration)).")
        }
    }

    func ended(_ event: String, _ group: PlayGroup) {
        let seconds = group.position
        draw("DONE ", group, seconds: seconds)
        console.keepProgress()
        for voice in group.voices {
            console.record(line(event, group, voice, seconds: min(seconds, voice.duration)))
        }
    }

    func paused(_ paused: Bool, _ group: PlayGroup, reason: String?) {
        tell(paused ? "paused" : "resumed", group) { $0.reason = reason }
        if reason != nil { console.remark("Something else has the sound.") }
    }

    func skipped(_ group: PlayGroup, from seconds: Double, to target: Double) {
        tell("silence", group) { $0.target = target }
    }

    /// The speed is another one.
    func changed(_ group: PlayGroup) { tell("rate", group) { $0.rate = group.rate } }

    /// It goes on somewhere else: the next progress is told from there.
    func moved(to seconds: Double) { lastProgress = seconds }

    func show(_ group: PlayGroup, isPaused: Bool) {
        let seconds = group.position
        measure(group)
        draw(isPaused ? "PAUSE" : "PLAY ", group, seconds: seconds)
        // A loop begins again.
        if seconds < lastProgress { lastProgress = 0 }
        guard seconds >= lastProgress + 1 else { return }
        lastProgress = seconds.rounded(.down)
        tell("progress", group, isProgress: true) { line in
            line.averagePower = meters.map(\.average)
            line.peakPower = meters.map(\.heldPeak)
        }
    }

    private func tell(
        _ event: String,
        _ group: PlayGroup,
        isProgress: Bool = false,
        _ change: (inout PlayLine) -> Void
    ) {
        guard let voice = group.voices.first else { return }
        var line = line(event, group, voice, seconds: group.position)
        change(&line)
        console.record(line, isProgress: isProgress)
    }

    private func line(_ event: String, _ group: PlayGroup, _ voice: PlayGroup.Voice, seconds: Double) -> PlayLine {
        var line = PlayLine(event, file: voice.file, seconds: seconds, duration: voice.duration)
        if group.rate != 1 { line.rate = group.rate }
        return line
    }

    /// Of several players the loudest.
    private func measure(_ group: PlayGroup) {
        let now = ProcessInfo.processInfo.systemUptime
        let players = group.voices.filter { !$0.isFinished }.map(\.player)
        for player in players { player.updateMeters() }
        for channel in meters.indices {
            meters[channel].update(
                average: players.map { $0.averagePower(forChannel: channel) }.max() ?? -160,
                peak: players.map { $0.peakPower(forChannel: channel) }.max() ?? -160,
                at: now
            )
        }
    }

    private func draw(_ state: String, _ group: PlayGroup, seconds: Double) {
        console.progress(
            ProgressLine.playing(
                state: state,
                seconds: seconds,
                duration: group.duration,
                rate: group.rate,
                meters: meters,
                columns: console.columns,
                isUnicode: console.isUnicode
            )
        )
    }
}
