package import AudioCore
import Synchronization

/// System sounds without Apple's names: short sounds that are decoded once, played at once, any number beside each other.
///
/// Calls may come from any thread and return at once, but `create`, which decodes. They belong to no session: they neither
/// activate one nor are interrupted by another's.
package final class SoundServices: Sendable {
    /// Those of the process, on the devices that are in use at each call.
    package static let shared = SoundServices { Runtime.current }

    /// What a program may set of its sounds.
    package struct Options: Sendable, Hashable {
        /// Silent where the person does not want sounds that answer what they do.
        package var isUISound: Bool
        /// Kept, without effect: the sound ends with its program.
        package var completesIfProgramDies: Bool

        package init(isUISound: Bool = true, completesIfProgramDies: Bool = false) {
            self.isUISound = isUISound
            self.completesIfProgramDies = completesIfProgramDies
        }
    }

    private struct Sound: Sendable {
        var clip: SoundClip
        var options = Options()
    }

    private struct Table: Sendable {
        var sounds: [UInt32: Sound] = [:]
        /// Of the system's own sounds, where they are not the default.
        var options: [UInt32: Options] = [:]
        var routines: [UInt32: @Sendable () -> Void] = [:]
        var lastID = NumberedSound.lastOfSystem
        var waiting: [SoundRequest] = []
        var requests: UInt64 = 0
        /// What is recorded must not have sounds and vibration in it.
        var isHeldBack: @Sendable () -> Bool = { false }

        /// The numbers up to `NumberedSound.lastOfSystem` are the system's; the others must have been created.
        func knows(_ id: UInt32) -> Bool { (1...NumberedSound.lastOfSystem).contains(id) || sounds[id] != nil }
    }

    struct Control: Sendable {
        var outputs: [Double: SoundOutput] = [:]
        /// The system's sounds that were played, by theme and number.
        var numbered: [String: SoundClip] = [:]
        var lastOutput = 0
        /// The look at the outputs that is to come.
        var look = 0
        /// When the speaker could last not be opened, and why.
        var failure: Failure?
    }

    struct Failure: Sendable {
        var devices: any AudioDeviceHost
        var time: HostTime
        var reason: AudioFailure
    }

    /// How long a stream stays open for the next sound.
    package static let linger = Duration.seconds(5)
    /// After a failure the speaker is not asked again for so long: a server that hangs must not be waited for again and again.
    private static let pauseAfterFailure = Duration.seconds(1)
    /// Sample rates that are played at the same time.
    private static let mostOutputs = 8
    private static let wereReplaced = AudioFailure(.cancelled, "The devices were replaced by others.")
    /// Of the system's sounds in memory.
    private static let mostNumbered = 64

    private let table = Mutex(Table())
    private let control = ControlQueue(label: "kayit.sounds", Control())
    private let completions: any CallbackExecutor = SerialQueueExecutor(label: "kayit.sounds.completions")
    private let runtime: @Sendable () -> Runtime

    package init(runtime: @escaping @Sendable () -> Runtime) { self.runtime = runtime }

    deinit {
        control.last { control in
            for rate in control.outputs.keys { _ = control.outputs[rate]?.close() }
        }
    }

    // MARK: Sounds

    /// Decodes a file, whose sound then lies in memory.
    package func create(path: String) throws(AudioFailure) -> UInt32 {
        let runtime = self.runtime()
        let clip = try SoundClip(path: path, files: runtime.files, media: runtime.media)
        return table.withLock { table in
            repeat {
                table.lastID = table.lastID == .max ? NumberedSound.lastOfSystem + 1 : table.lastID + 1
            } while table.sounds[table.lastID] != nil
            table.sounds[table.lastID] = Sound(clip: clip)
            return table.lastID
        }
    }

    /// Forgets a sound and its routine. What plays of it becomes silent.
    /// - Returns: false where there is no such sound, or it is one of the system.
    package func dispose(_ id: UInt32) -> Bool {
        let wasThere = table.withLock { table in
            guard table.sounds.removeValue(forKey: id) != nil else { return false }
            table.routines[id] = nil
            return true
        }
        if wasThere {
            let hold = runtime().clock.hold()
            control.async { [self] control in
                for rate in control.outputs.keys { control.outputs[rate]?.stop(id) }
                look(&control)
                withExtendedLifetime(hold) {}
            }
        }
        return wasThere
    }

    /// Nil for a sound that is not known.
    package func options(of id: UInt32) -> Options? {
        table.withLock { table in
            table.knows(id) ? table.sounds[id]?.options ?? table.options[id] ?? Options() : nil
        }
    }

    /// - Returns: false for a sound that is not known.
    package func setOptions(_ options: Options, of id: UInt32) -> Bool {
        table.withLock { table in
            guard table.knows(id) else { return false }
            if table.sounds[id] == nil { table.options[id] = options } else { table.sounds[id]?.options = options }
            return true
        }
    }

    /// Has `routine` called each time when the sound has ended, instead of the one before; nil for none. On a queue of the
    /// sounds: may only post.
    /// - Returns: false for a sound that is not known.
    package func setRoutine(_ routine: (@Sendable () -> Void)?, of id: UInt32) -> Bool {
        table.withLock { table in
            guard routine == nil || table.knows(id) else { return false }
            table.routines[id] = routine
            return true
        }
    }

    /// Has nothing be heard or felt while `condition` is true, but what a person has asked for. Called for each sound, on a
    /// queue of the sounds.
    package func holdBack(while condition: @escaping @Sendable () -> Bool) {
        table.withLock { $0.isHeldBack = condition }
    }

    // MARK: Playing

    /// Plays a sound, as an alert also to the hand.
    /// - Parameters:
    ///   - isAskedFor: a person has asked for this very sound, so that it is heard also where they do not want sounds that
    ///     answer what they do.
    ///   - completion: called once, whatever comes of it, on a serial queue of the sounds: nil where the sound was
    ///     heard to its end or there was nothing to hear, else why it was not.
    package func play(
        _ id: UInt32,
        asAlert: Bool = false,
        isAskedFor: Bool = false,
        completion: (@Sendable (AudioFailure?) -> Void)? = nil
    ) {
        let runtime = self.runtime()
        let hold = runtime.clock.hold()
        let ended: @Sendable (AudioFailure?) -> Void = { [self] failure in
            if let failure { RuntimeLog.note("System sound \(id)", failure) }
            table.withLock { $0.routines[id] }?()
            guard let completion else { return }
            HoldingExecutor(completions, clock: runtime.clock).enqueue { completion(failure) }
        }
        table.withLock { table in
            table.requests += 1
            let number = table.requests
            table.waiting.append(
                SoundRequest(
                    number: number,
                    id: id,
                    runtime: runtime,
                    vibrates: asAlert || NumberedSound.vibrations.contains(id),
                    isAskedFor: isAskedFor,
                    ended: ended
                )
            )
        }
        control.async { [self] control in
            takeTurn(&control)
            withExtendedLifetime(hold) {}
        }
    }

    /// Plays everything that was asked for until the speaker is open: what was called in one breath begins in one frame.
    private func takeTurn(_ control: inout Control) {
        var begun: [Double: [(SoundRequest, SoundClip)]] = [:]
        // Bounded, so that a program that never stops asking is heard.
        for _ in 0..<4 {
            let requests = takeWaiting()
            if requests.isEmpty { break }
            for request in requests {
                if !request.isAskedFor, table.withLock({ $0.isHeldBack })() {
                    RuntimeLog.note("System sound \(request.id): silent while the program records.")
                    request.ended(nil)
                    continue
                }
                if request.vibrates { request.runtime.desktop.vibrate() }
                do throws(AudioFailure) {
                    guard let clip = try clip(of: request, &control) else {
                        request.ended(nil)
                        continue
                    }
                    try openOutput(clip.sampleRate, request.runtime, keeping: Set(begun.keys), &control)
                    begun[clip.sampleRate, default: []].append((request, clip))
                } catch {
                    request.ended(error)
                }
            }
        }
        for (rate, sounds) in begun { begin(sounds, at: rate, &control) }
        look(&control)
    }

    private func takeWaiting() -> [SoundRequest] {
        table.withLock { table in
            defer { table.waiting = [] }
            return table.waiting
        }
    }

    private func begin(_ sounds: [(SoundRequest, SoundClip)], at rate: Double, _ control: inout Control) {
        guard let refused = control.outputs[rate]?.add(sounds) else {
            for (request, _) in sounds { request.ended(Self.wereReplaced) }
            return
        }
        for request in refused {
            request.ended(AudioFailure(.limitReached, "\(VoiceMixer.capacity) sounds play already."))
        }
        do throws(AudioFailure) {
            try control.outputs[rate]?.start()
        } catch {
            close(rate, error, &control)
        }
    }

    /// What is to be heard; nil where that is nothing.
    private func clip(of request: SoundRequest, _ control: inout Control) throws(AudioFailure) -> SoundClip? {
        let id = request.id
        let (sound, options) = table.withLock { ($0.sounds[id], $0.options[id] ?? Options()) }
        let preferences = request.runtime.desktop.soundPreferences()
        let isUISound = (sound?.options ?? options).isUISound && !request.isAskedFor
        if isUISound, !preferences.playsEventSounds { return nil }
        if let sound { return sound.clip }
        if id > NumberedSound.lastOfSystem {
            throw AudioFailure(.invalidArgument, "There is no system sound \(id), or it has been disposed of.")
        }
        if NumberedSound.vibrations.contains(id) { return nil }
        guard let name = NumberedSound.find(id)?.name else {
            RuntimeLog.note("System sound \(id): the desktop has nothing in its place.")
            return nil
        }
        let key = "\(preferences.theme)/\(name)"
        if let known = control.numbered[key] { return known }
        guard let path = SoundThemes.system(request.runtime.files).path(of: name, in: preferences.theme) else {
            RuntimeLog.note("System sound \(id): no sound theme has '\(name)'.")
            return nil
        }
        let clip = try SoundClip(path: path, files: request.runtime.files, media: request.runtime.media)
        if control.numbered.count >= Self.mostNumbered { control.numbered = [:] }
        control.numbered[key] = clip
        return clip
    }

    // MARK: Outputs

    /// - Parameter begun: the rates of outputs that are about to play.
    private func openOutput(
        _ rate: Double,
        _ runtime: Runtime,
        keeping begun: Set<Double>,
        _ control: inout Control
    ) throws(AudioFailure) {
        if let output = control.outputs[rate] {
            if output.belongs(to: runtime) { return }
            close(rate, Self.wereReplaced, &control)
        }
        let now = runtime.clock.now
        if let failure = control.failure, SoundOutput.isSame(failure.devices, runtime.devices), now >= failure.time,
            now - failure.time < Self.pauseAfterFailure
        {
            throw failure.reason
        }
        for output in control.outputs.values where output.isIdle && !output.belongs(to: runtime) {
            close(output.sampleRate, nil, &control)
        }
        if control.outputs.count >= Self.mostOutputs {
            let idle = control.outputs.values.filter { $0.isIdle && !begun.contains($0.sampleRate) }
            guard let oldest = idle.min(by: { $0.idleSince < $1.idleSince }) else {
                throw AudioFailure(.limitReached, "Sounds of \(Self.mostOutputs) sample rates play already.")
            }
            close(oldest.sampleRate, nil, &control)
        }
        control.lastOutput += 1
        let number = control.lastOutput
        do throws(AudioFailure) {
            control.outputs[rate] = try SoundOutput(number: number, sampleRate: rate, runtime: runtime) {
                [weak self] event in
                if case .lost(let failure) = event { self?.lost(number, failure, runtime.clock) }
            }
            control.failure = nil
        } catch {
            control.failure = Failure(devices: runtime.devices, time: runtime.clock.now, reason: error)
            throw error
        }
    }

    /// From a thread of the device layer.
    private func lost(_ number: Int, _ failure: AudioFailure, _ clock: any HostClock) {
        let hold = clock.hold()
        control.async { [self] control in
            if let output = control.outputs.values.first(where: { $0.number == number }) {
                close(output.sampleRate, failure, &control)
            }
            withExtendedLifetime(hold) {}
        }
    }

    private func close(_ rate: Double, _ reason: AudioFailure?, _ control: inout Control) {
        let cut = control.outputs[rate]?.close() ?? []
        control.outputs[rate] = nil
        for request in cut { request.ended(reason) }
    }

    /// Tells of the sounds that have been heard, and sees to it that it is done again when the next one has.
    private func look(_ control: inout Control) {
        var next: (wait: Duration, clock: any HostClock)?
        for (rate, output) in control.outputs {
            guard let heard = control.outputs[rate]?.takeHeard() else {
                close(rate, AudioFailure(.deviceUnavailable, "The speaker takes no sound."), &control)
                continue
            }
            for request in heard { request.ended(nil) }
            let clock = output.clock
            let idle = control.outputs[rate].flatMap { $0.isIdle ? clock.now - $0.idleSince : nil }
            if let idle, idle >= Self.linger {
                close(rate, nil, &control)
                continue
            }
            let wait = control.outputs[rate]?.untilNext() ?? (Self.linger - (idle ?? .zero))
            if next.map({ wait < $0.wait }) ?? true { next = (wait, clock) }
        }
        control.look += 1
        if let next { lookAgain(control.look, after: next.wait, next.clock) }
    }

    private func lookAgain(_ number: Int, after wait: Duration, _ clock: any HostClock) {
        let turn: @Sendable (inout Control) -> Void = { [weak self] control in
            // A later look has been arranged since.
            if control.look == number { self?.look(&control) }
        }
        control.async(after: wait, turn)
        clock.call(at: clock.now + wait) { [control] in
            let hold = clock.hold()
            control.async { state in
                turn(&state)
                withExtendedLifetime(hold) {}
            }
        }
    }
}
