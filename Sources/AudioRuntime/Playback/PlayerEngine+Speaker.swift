package import AudioCore

/// What a sound server does to the stream of a player by itself.
package enum SpeakerChange: Sendable {
    case moved(to: DeviceDescription)
    /// No sound comes out, or it does again; playing goes on where it stood.
    case fellAsleepOrAwoke
}

/// What a player that loses its speaker to the end of a sound server waits for.
struct SpeakerWait: Sendable {
    var number: Int
    /// The speaker; nil where it is not known, and any will do.
    var speaker: String?
    let end: HostTime
    /// Kept for what it tells.
    var observation: (any AnyObject & Sendable)?
}

/// A sound server that ends and is started again. Where it played, playing goes on by itself, at its position; only on the
/// speaker that it was on: who had headphones in must not be heard by others.
extension PlayerEngine {
    /// Servers are started again within seconds. Later, nobody expects sound any more.
    private static var patience: Duration { .seconds(15) }

    /// In its turn.
    func serverLost(_ failure: AudioFailure, _ control: inout Control) {
        control.failure = failure
        control.waits += 1
        let end = runtime.clock.now + Self.patience
        control.wait = SpeakerWait(number: control.waits, speaker: control.stream?.device?.id, end: end)
        try? handle(.serverLost, &control)
        if control.machine.phase != .waiting {
            control.wait = nil
            control.failure = nil
        }
        reports.afterAll(speakerLost)
    }

    /// In its turn.
    func awaitSpeaker(_ control: inout Control) {
        guard let wait = control.wait else { return }
        let number = wait.number
        control.wait?.observation = runtime.devices.observeDevices { [weak self] in self?.look(number) }
        // It may be there already. Time is up by the machine's clock, or by a virtual one.
        look(number)
        runtime.clock.call(at: wait.end) { [weak self] in self?.look(number) }
        self.control.async(after: Self.patience) { [weak self] _ in self?.look(number) }
    }

    /// From any thread.
    private func look(_ number: Int) {
        let hold = runtime.clock.hold()
        control.async { [self] control in
            defer { withExtendedLifetime(hold) {} }
            guard control.machine.phase == .waiting, let wait = control.wait, wait.number == number else { return }
            // Where it fails, it is tried again with the next change.
            if isThere(wait.speaker) { try? handle(.speakerReturned, &control) }
            if control.machine.phase == .playing {
                control.failure = nil
            } else if runtime.clock.now >= wait.end {
                try? handle(.gaveUp, &control)
                reports.afterAll(speakerLost)
            }
        }
    }

    private func isThere(_ speaker: String?) -> Bool {
        guard let devices = try? runtime.devices.devices() else { return false }
        return devices.contains { $0.direction == .output && (speaker == nil || $0.id == speaker) }
    }
}
