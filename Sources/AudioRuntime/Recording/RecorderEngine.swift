package import AudioCore
import Synchronization

/// A recorder without Apple's names: carries out what `RecorderMachine` decides.
///
/// Calls may come from any thread; they take turns on a queue of the engine's own. Reading `isRecording`, `frames` and the
/// meters waits for nobody.
package final class RecorderEngine: MachineEngine {
    struct Control: EngineControl {
        var machine = RecorderMachine()
        var take: Take?
        var limit: FrameCount?
        var startTime: HostTime?
        /// Why the take that is ending ends.
        var failure: AudioFailure?
        /// The number of the take whose events count.
        var generation = 0
        /// When the take that is open was started, and when it ends by itself.
        var startedAt: HostTime?
        var deadline: HostTime?
        /// Follows the machine's state while a take is open.
        var conditions: (any AnyObject & Sendable)?
        /// Keeps the machine awake: while frames are recorded, and at no other time.
        var wakefulness: (any SleepInhibition)?
    }

    /// Read by every thread without waiting for control.
    private struct Published {
        var phase = RecorderMachine.Phase.stopped
        var take: Take?
        var join: JoinJob?
        /// What is heard is recorded as silence.
        var isMuted = false
    }

    package let configuration: TakeConfiguration
    package let reports: EngineReports
    let control = ControlQueue(label: "kayit.recorder", Control())
    let runtime: Runtime
    private let plan: @Sendable () -> TakePlan
    private let limits: TakeLimits
    private let published = Mutex(Published())
    private let wishes = Mutex(TakeOptions())
    /// Hear of notices on the runtime's callback executor, in order with the reports.
    package let observers = TakeObservers()

    /// - Parameters:
    ///   - limits: what may wait in memory.
    ///   - plan: asked whenever a microphone is opened.
    package init(
        _ configuration: TakeConfiguration,
        runtime: Runtime,
        limits: TakeLimits = TakeLimits(),
        plan: @escaping @Sendable () -> TakePlan = { TakePlan() },
        report: @escaping @Sendable (EngineReport) -> Void
    ) {
        self.configuration = configuration
        self.runtime = runtime
        self.limits = limits
        self.plan = plan
        reports = EngineReports(runtime.callbacks, deliver: report)
    }

    // MARK: State

    package var phase: RecorderMachine.Phase { published.withLock { $0.phase } }

    /// Frames of the recording so far; 0 when stopped.
    package var frames: FrameCount {
        let (phase, take) = published.withLock { ($0.phase, $0.take) }
        return phase == .recording || phase == .paused ? take?.keptFrames ?? 0 : 0
    }

    /// The meter of the open recording; nil when stopped.
    package var meter: LevelMeter? { published.withLock { $0.take?.meter } }

    /// The microphone in use.
    package var device: DeviceDescription? { published.withLock { $0.take }?.device }

    /// Frames heard but not yet delivered; nil when stopped.
    package var latency: FrameCount? { published.withLock { $0.take }?.latency }

    /// Parts per million that the microphone runs faster than the machine's clock; nil when stopped, and where that is not
    /// known (yet).
    package var clockDrift: Double? { published.withLock { $0.take }?.clockDrift }

    /// Gaps of the open recording so far; empty when stopped.
    package var gaps: [RecordingGap] { published.withLock { $0.take }?.gaps ?? [] }

    /// Seconds that the disk has room for, as it was known a second ago; nil when stopped, and where the disk does not say.
    package var secondsLeft: Double? { published.withLock { $0.take }?.secondsLeft }

    /// Markers of the open recording so far, in the order in which they were set; empty when stopped.
    package var markers: [MediaMetadata.Marker] { published.withLock { $0.take }?.markers ?? [] }

    /// Names the frame that is being heard now, while it records or pauses. Waits for nobody.
    /// - Returns: nil in every other phase, and where the recording has more markers than are kept.
    package func addMarker(_ name: String) -> MediaMetadata.Marker? {
        let (phase, take) = published.withLock { ($0.phase, $0.take) }
        return phase == .recording || phase == .paused ? take?.addMarker(name) : nil
    }

    /// What the next recording is asked for; what its members say of a running one counts at once.
    package var options: TakeOptions {
        get { wishes.withLock { $0 } }
        set {
            let before = wishes.withLock { wishes in
                defer { wishes = newValue }
                return wishes
            }
            if before.deadline != newValue.deadline { moveDeadline() }
        }
    }

    private var microphoneLossPolicy: MicrophoneLossPolicy { options.microphoneLossPolicy }

    // MARK: Control

    package func prepare() throws(AudioFailure) { try perform(.prepare) }

    /// Starts or goes on.
    ///
    /// - Parameters:
    ///   - time: the moment of the first frame of a new recording; nil means at once.
    ///   - limit: the length at which the recording ends by itself; nil for none.
    package func record(at time: HostTime? = nil, limit: FrameCount? = nil) throws(AudioFailure) {
        try perform(.record) { control in
            control.startTime = time
            if let limit { control.limit = limit }
        }
    }

    package func pause() { try? perform(.pause) }

    /// Records silence in the place of what is heard, or what is heard again. Counts at once. Any thread.
    package func setMuted(_ isMuted: Bool) {
        let take = published.withLock { published in
            published.isMuted = isMuted
            return published.take
        }
        take?.setMuted(isMuted)
    }

    /// As `pause()`, by somebody who takes the sound away: the place is marked when the recording goes on.
    package func interrupt() { try? perform(.interrupt) }

    /// The file is complete when it returns.
    package func stop() { try? perform(.stop) }

    /// Everything heard before the call is on the disk when it returns, if the disk takes it within ten seconds; the recording
    /// goes on.
    package func secure() throws(AudioFailure) {
        try control.sync { control throws(AudioFailure) in try control.take?.secure(within: .seconds(10)) }
    }

    /// Ends everything without a word to the owner, who is going away.
    package func release() { try? perform(.release) }

    /// Removes the file; only when stopped.
    package func delete() throws(AudioFailure) {
        try control.sync { control throws(AudioFailure) in
            guard control.machine.phase == .stopped else {
                throw AudioFailure(.busy, "The recording must be stopped before it is deleted.")
            }
            try self.removeFiles()
        }
    }

    /// What the last recording left: its file, and its parts where they are there.
    private func removeFiles() throws(AudioFailure) {
        guard let job = joinJob else { return try runtime.files.remove(configuration.path) }
        if case .success(let result) = job.wait() { try runtime.files.remove(result.path) }
        try PartsFolder(path: job.folder).remove(in: runtime)
        published.withLock { $0.join = nil }
    }

    func publish(_ control: Control) {
        published.withLock { published in
            published.phase = control.machine.phase
            published.take = control.take
            if control.take != nil { published.join = nil }
        }
    }

    func carryOut(_ effect: RecorderMachine.Effect, _ control: inout Control) throws(AudioFailure) {
        switch effect {
        case .open:
            control.generation += 1
            let generation = control.generation
            control.take = try Take(
                configuration,
                options: options,
                plan: plan(),
                runtime: runtime,
                limits: limits,
                lossPolicy: { [weak self] in self?.microphoneLossPolicy ?? .stop }
            ) { [weak self] event in
                self?.receive(event, generation: generation)
            }
        case .start:
            let start = max(control.startTime ?? runtime.clock.now, runtime.clock.now)
            control.deadline = try moment(of: options.deadline, start: start)
            control.startedAt = start
            control.take?.setMuted(published.withLock { $0.isMuted })
            control.take?.setLimit(control.limit)
            control.take?.setDeadline(control.deadline, first: start)
            try control.take?.start(at: control.startTime)
            stayAwake(&control)
            watchConditions(&control)
        case .resume(let interrupted):
            let isFilled = interrupted && options.fillsInterruptions
            control.take?.setLimit(control.limit)
            // Filled, the file goes on with the clock as if nothing had been.
            if !isFilled { control.take?.setDeadline(control.deadline, first: runtime.clock.now) }
            try control.take?.resume(from: interrupted ? .interruption(filled: isFilled) : .pause)
            stayAwake(&control)
        case .suspend:
            // Also where the pause fails; what then follows needs no more time than an ending.
            defer { maySleep(&control) }
            try control.take?.suspend()
        case .finish:
            // Published afterwards: whoever sees that it records no more finds a complete file.
            defer {
                join(control.take)
                forget(&control)
            }
            try control.take?.finish()
        case .discard:
            defer { forget(&control) }
            control.take?.discard()
        case .reportError: tellFailure(&control)
        case .reportFinished(let successfully):
            tell(.finished(successfully: successfully))
        }
    }

    private func forget(_ control: inout Control) {
        control.take = nil
        control.limit = nil
        control.startTime = nil
        control.startedAt = nil
        control.deadline = nil
        control.conditions = nil
        maySleep(&control)
        publish(control)
    }

    /// Makes one file of the parts of a take that has ended.
    private func join(_ take: Take?) {
        guard let start = take?.makeJoin() else { return }
        let job = JoinJob(start, in: runtime) { [observers, reports] notice in
            reports.afterAll { observers.send(notice) }
        }
        published.withLock { $0.join = job }
    }

    /// The joining of the last recording in parts; nil where there was none since the last one began.
    package var joinJob: JoinJob? { published.withLock { $0.join } }

    /// Tells the observers in their turn.
    func notify(_ notice: TakeNotice) {
        reports.afterAll { [observers] in observers.send(notice) }
    }

    /// From the threads of a take.
    private func receive(_ event: Take.Event, generation: Int) {
        // Past the queue, on which the call may be that ends the take: its last gap is told before its end.
        switch event {
        case .notice(let notice), .microphone(.notice(let notice)): return notify(notice)
        case .limitReached, .deadlineReached, .failed, .microphone(.lost): break
        }
        let hold = runtime.clock.hold()
        enqueue(generation: generation) { engine, control in
            defer { withExtendedLifetime(hold) {} }
            guard control.take != nil else { return }
            switch event {
            case .limitReached, .deadlineReached:
                if case .deadlineReached = event { engine.notify(.deadlineReached) }
                try? engine.handle(.limitReached, &control)
            case .failed(let failure), .microphone(.lost(let failure)):
                control.failure = failure
                try? engine.handle(.failure, &control)
            case .notice, .microphone(.notice): break
            }
        }
    }

    // MARK: Sleep

    private func stayAwake(_ control: inout Control) {
        let generation = control.generation
        control.wakefulness = runtime.desktop.inhibitSleep(why: "A recording is running.") { [weak self] event in
            switch event {
            case .willSleep(let ready):
                if let self { self.prepareForSleep(generation, ready) } else { ready() }
            case .didWake:
                self?.notify(.machineAsleep(false))
            }
        }
    }

    private func maySleep(_ control: inout Control) {
        control.wakefulness?.release()
        control.wakefulness = nil
    }

    /// Brings what was heard to the disk, behind the calls that are under way. The machine sleeps without it where the disk
    /// takes too long.
    private func prepareForSleep(_ generation: Int, _ ready: @escaping @Sendable () -> Void) {
        notify(.machineAsleep(true))
        control.async { control in
            // A disk that fails says so itself, by the event of its writer.
            if control.generation == generation { try? control.take?.secure(within: Self.limitBeforeSleep) }
            ready()
        }
    }
}
