import Dispatch
import Glibc

/// Something from outside that a running command answers.
package enum ProgramEvent: Sendable, Equatable {
    case key(Key)
    /// SIGINT, SIGTERM, SIGHUP or SIGQUIT.
    case signal(Int32)
    /// Time to draw again.
    case tick
}

/// Keys, signals and the beat of the display, one after the other on the main actor. Ends with `stop()`.
///
/// While it lives, the signals that end a process are events: a second one does no more harm than the first.
@MainActor
package final class ProgramEvents {
    package static let endingSignals = [SIGINT, SIGTERM, SIGHUP, SIGQUIT]

    private var sources: [any DispatchSourceProtocol] = []
    private var keys: (any DispatchSourceRead)?
    private let send: @MainActor (ProgramEvent) -> Void
    private let mode: TerminalMode?
    private var decoder = KeyDecoder()

    /// - Parameters:
    ///   - console: keys are read where it is interactive.
    ///   - interval: between two ticks.
    ///   - send: takes the events, on the main actor.
    package init(_ console: Console, tick interval: Duration, send: @escaping @MainActor (ProgramEvent) -> Void) {
        self.send = send
        mode = console.isInteractive ? TerminalMode() : nil
        watchSignals()
        if mode != nil { watchKeys() }
        watchTime(interval)
    }

    /// Sends nothing any more and gives the terminal back. The signals stay without effect until the process ends: what
    /// follows is the orderly end that they ask for.
    package func stop() {
        for source in sources { source.cancel() }
        sources = []
        // Impatience at the end of one command does not end the next.
        while !SignalPipe.take().isEmpty {}
    }

    private func watchSignals() {
        guard let pipe = SignalPipe.watch(Self.endingSignals + [SIGCONT]) else { return }
        let source = DispatchSource.makeReadSource(fileDescriptor: pipe, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.readSignals() }
        }
        start(source)
    }

    private func readSignals() {
        for number in SignalPipe.take() {
            if number == SIGCONT { mode?.resume() } else { send(.signal(number)) }
        }
    }

    private func watchKeys() {
        let source = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .main)
        source.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.readKeys() }
        }
        start(source)
        keys = source
    }

    private func readKeys() {
        var bytes = [UInt8](repeating: 0, count: 64)
        let count = read(STDIN_FILENO, &bytes, bytes.count)
        if count > 0 {
            for key in decoder.decode(bytes.prefix(count)) { send(.key(key)) }
        } else if count == 0 || errno != EINTR && errno != EAGAIN {
            // The terminal is gone; SIGHUP tells what to do about it.
            keys?.cancel()
        }
    }

    private func watchTime(_ interval: Duration) {
        let timer = DispatchSource.makeTimerSource(queue: .main)
        let milliseconds = Int(interval / .milliseconds(1))
        timer.schedule(deadline: .now(), repeating: .milliseconds(max(milliseconds, 1)), leeway: .milliseconds(5))
        timer.setEventHandler { [weak self] in
            MainActor.assumeIsolated { self?.send(.tick) }
        }
        start(timer)
    }

    private func start(_ source: any DispatchSourceProtocol) {
        source.activate()
        sources.append(source)
    }
}
