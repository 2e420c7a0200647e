import AVFoundation
import RecordingKit

/// One `kayit play` from its first file to its last: answers keys and signals, and shows where it is.
@MainActor
final class PlaySession {
    private let options: PlayOptions
    private let console: Console
    private let queue: PlayQueue
    private let report: PlayReport
    private let opener: PlayerOpener
    private var silence: SilenceMap?
    private var status = ExitCode.success
    private var isPaused = false
    private var isInterrupted = false
    /// For the reason why nothing plays; nil where something does.
    private var patience: Patience?
    /// Files one after the other of which none could be played.
    private var failures = 0
    private var lastSaved = 0.0

    init(_ options: PlayOptions, _ console: Console, _ opener: PlayerOpener) {
        self.options = options
        self.console = console
        self.opener = opener
        report = PlayReport(console)
        queue = PlayQueue(
            PlayList(
                count: options.atOnce ? 1 : options.files.count,
                shuffles: options.shuffles,
                repeats: options.repeats,
                seed: options.seed
            ),
            open: { try opener.open($0) }
        )
    }

    /// - Returns: the code to exit with.
    func run(_ events: AsyncStream<PlayEvent>) async -> Int32 {
        if !begin() { return status.rawValue }
        for await event in events {
            switch event {
            case .program(.tick): if !tick() { return status.rawValue }
            case .program(.signal(let number)):
                leave("interrupted")
                return 128 + number
            case .program(.key(let key)): if !answer(key) { return status.rawValue }
            case .failed(let player, let error): note(error, of: player)
            case .finished(let player, let successfully):
                if !finished(player, successfully) { return status.rawValue }
            case .interruption(let interruption): interrupted(interruption)
            }
        }
        return status.rawValue
    }

    // MARK: One after the other

    /// Begins what comes next, or tells of it if it has begun by itself.
    /// - Returns: false at the end.
    private func begin() -> Bool {
        patience = nil
        while let entry = queue.first() {
            switch entry {
            case .failed(let error, let index):
                queue.dropFirst()
                if !fail(error, options.atOnce ? nil : options.files[index]) { return false }
            case .group(let group):
                if !group.isStarted, !start(group) {
                    patience = Patience(.seconds(1), tick: console.tick)
                    return true
                }
                began(group)
                return true
            }
        }
        return false
    }

    private func start(_ group: PlayGroup) -> Bool {
        isPaused = false
        // Alone it need not wait for a moment.
        guard group.voices.count > 1 || options.files.count > 1 || options.repeats else { return group.start(at: nil) }
        group.prepare()
        return group.start(at: group.now + PlayQueue.lead)
    }

    private func began(_ group: PlayGroup) {
        lastSaved = group.position
        silence =
            options.atOnce
            ? nil
            : SilenceMap.Rule(options.silence).flatMap { rule in
                group.voices.first.map { SilenceMap($0.url, rule) }
            }
        report.began(group)
        queue.lookAhead()
    }

    /// - Returns: false where nothing else is worth trying.
    private func fail(_ error: any Error, _ file: String?) -> Bool {
        let code = PlayCommand.fail(error, file, console)
        if status == .success { status = code }
        failures += 1
        // Without a server or a device, the next file sounds no better; nor does a list of which nothing can be played.
        return code != .unavailable && (!options.repeats || failures < options.files.count)
    }

    private func finished(_ player: Int, _ successfully: Bool) -> Bool {
        for case .group(let group) in queue.entries where group.finished(player) {
            if !successfully {
                group.failure = group.failure ?? RecordingError(.inputOutput, "It could not be played to its end.")
            }
        }
        while let group = queue.current, group.isFinished {
            report.ended("finished", group)
            remember(group)
            let failure = group.failure
            queue.dropFirst()
            if let failure {
                if !fail(failure, group.voices.first?.file) { return false }
            } else {
                failures = 0
            }
            if !begin() { return false }
        }
        return true
    }

    private func note(_ error: RecordingError?, of player: Int) {
        for case .group(let group) in queue.entries where group.contains(player) {
            group.failure = group.failure ?? error
        }
    }

    private func leave(_ event: String) {
        guard let group = queue.current else { return }
        remember(group)
        queue.returnFollowers()
        report.ended(event, group)
        group.stop()
    }

    private func remember(_ group: PlayGroup) {
        guard let positions = opener.positions, let voice = group.voices.first else { return }
        positions.note(group.position, of: voice.duration, in: voice.url)
    }

    // MARK: As time goes by

    private func tick() -> Bool {
        guard let group = queue.current else { return true }
        if patience != nil {
            // The reason comes on the main queue, behind the answer of `play()`.
            patience?.countTick()
            guard patience?.isOver == true || group.failure != nil else { return true }
            let failure =
                group.failure ?? RecordingError(.inputOutput, "It could not be played, without a reason given.")
            queue.dropFirst()
            return fail(failure, group.voices.first?.file) && begin()
        }
        if hasGivenUp(group) {
            let failure = group.failure
            leave("stopped")
            queue.dropFirst()
            return fail(failure ?? RecordingError(.inputOutput, "It could not be played on."), nil) && begin()
        }
        noticePause(group)
        if !isPaused {
            skipSilence(group)
            queue.lookAhead()
        }
        report.show(group, isPaused: isPaused)
        let seconds = group.position
        if opener.positions != nil, abs(seconds - lastSaved) >= 10 {
            lastSaved = seconds
            remember(group)
        }
        return true
    }

    /// It stands still because of a failure, and nobody is there to press a key.
    private func hasGivenUp(_ group: PlayGroup) -> Bool {
        !console.isInteractive && !isPaused && group.failure != nil && !group.isPlaying && !group.isFinished
            && group.position > 0
    }

    /// Others may pause it: the session, or headphones that are pulled out.
    private func noticePause(_ group: PlayGroup) {
        guard !isPaused, !group.isPlaying, !group.isFinished else { return }
        // One that has just come to its end looks alike until its message comes; its time is 0.
        guard group.position > 0 else { return }
        setPaused(true, group)
    }

    private func skipSilence(_ group: PlayGroup) {
        let seconds = group.position
        guard let target = silence?.target(from: seconds), target > seconds + 0.05 else { return }
        report.skipped(group, from: seconds, to: target)
        seek(group, to: target)
    }

    // MARK: Keys

    /// - Returns: false where it ends.
    private func answer(_ key: Key) -> Bool {
        if key == .quit {
            leave("stopped")
            return false
        }
        guard let group = queue.current, patience == nil else { return true }
        switch key {
        case .space: isPaused ? goOn(group) : setPaused(true, group)
        case .left: seek(group, to: group.position - 5)
        case .right: seek(group, to: group.position + 5)
        case .down: seek(group, to: group.position - 30)
        case .up: seek(group, to: group.position + 30)
        case .slower: setRate(group, opener.rate - 0.1)
        case .faster: setRate(group, opener.rate + 0.1)
        case .next: return skip(group)
        case .previous: return goBack(group)
        case .quit, .marker: break
        }
        return true
    }

    private func setPaused(_ paused: Bool, _ group: PlayGroup) {
        isPaused = paused
        if paused {
            queue.returnFollowers()
            group.pause()
        } else {
            isInterrupted = false
        }
        report.paused(paused, group, reason: paused && isInterrupted ? "interrupted" : nil)
    }

    private func goOn(_ group: PlayGroup) {
        if start(group) {
            setPaused(false, group)
        } else {
            isPaused = true
            console.remark("It cannot go on now: Space tries again, q ends.")
        }
    }

    /// Stands still for a moment where something must follow to the frame.
    private func change(_ group: PlayGroup, _ body: () -> Void) {
        queue.returnFollowers()
        if isPaused { return body() }
        group.pause()
        body()
        if !start(group) { setPaused(true, group) }
    }

    private func seek(_ group: PlayGroup, to seconds: Double) {
        change(group) { group.seek(to: seconds) }
        report.moved(to: group.position)
    }

    private func setRate(_ group: PlayGroup, _ wanted: Double) {
        let limited = min(max((wanted * 10).rounded() / 10, PlayOptions.rates.lowerBound), PlayOptions.rates.upperBound)
        guard limited != opener.rate else { return }
        opener.rate = limited
        change(group) { group.setRate(limited) }
        report.changed(group)
    }

    private func skip(_ group: PlayGroup) -> Bool {
        remember(group)
        queue.returnFollowers()
        report.ended("skipped", group)
        queue.dropFirst()
        return begin()
    }

    private func goBack(_ group: PlayGroup) -> Bool {
        if group.position > 3 {
            seek(group, to: 0)
            return true
        }
        remember(group)
        report.ended("skipped", group)
        queue.goBack()
        return begin()
    }

    // MARK: Interruptions

    private func interrupted(_ interruption: Interruption) {
        guard let group = queue.current, patience == nil else { return }
        switch interruption {
        case .began:
            guard !isPaused else { return }
            isInterrupted = true
            setPaused(true, group)
        case .ended(let shouldResume):
            guard isPaused, isInterrupted else { return }
            if shouldResume || !console.isInteractive { goOn(group) } else { console.remark("Space goes on.") }
        }
    }
}
