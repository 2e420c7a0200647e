import AudioCore
import Dispatch

/// What a scenario does to the simulation at one moment.
package enum ScenarioAction: Sendable, Hashable {
    case begin(SimulatedAudio.Interruption)
    case end(SimulatedAudio.Interruption, shouldResume: Bool)
    case otherAudio(playing: Bool, primary: Bool)
    case accessory(SimulatedAudio.Accessory, isConnected: Bool)
    case microphone(SimulatedAudio.Microphone, SimulationScenario.MicrophoneChange)
    case server(isRunning: Bool)
    case permission(isGranted: Bool)
    case disk(SimulationScenario.DiskChange)
    case app(SimulatedAudio.AppState)
    case lowPower(Bool)
    case memory(SimulatedAudio.MemoryPressure)
    case press(SimulationScenario.Button)
}

extension ScenarioAction {
    /// For people: "call begins".
    package var text: String {
        switch self {
        case .begin(let who): "\(who.text) begins"
        case .end(let who, let shouldResume): "\(who.text) ends" + (shouldResume ? ", resume" : "")
        case .otherAudio(let isPlaying, let isPrimary):
            SimulationScenario.Event.otherAudio(playing: isPlaying, primary: isPrimary).text
        case .accessory(let accessory, let isConnected):
            SimulationScenario.Event.accessory(accessory, isConnected: isConnected).text
        case .microphone(let microphone, let change): SimulationScenario.Event.microphone(microphone, change).text
        case .server(let isRunning): isRunning ? "server comes back" : "server ends"
        case .permission(let isGranted): SimulationScenario.Event.permission(isGranted: isGranted).text
        case .disk(let change): SimulationScenario.Event.disk(change).text
        case .app(let state): SimulationScenario.Event.app(state).text
        case .lowPower(let isOn): SimulationScenario.Event.lowPower(isOn).text
        case .memory(let pressure): SimulationScenario.Event.memory(pressure).text
        case .press(let button): SimulationScenario.Event.press(button).text
        }
    }
}

extension SimulationScenario {
    package struct Moment: Sendable, Hashable {
        package var time: Duration
        package var action: ScenarioAction
    }

    /// Everything that happens before the end, beginnings and endings apart, in order. What is in the list first happens
    /// first where times are equal, but an ending comes in front of what begins then.
    package var moments: [Moment] {
        var moments: [(time: Duration, rank: Int, index: Int, action: ScenarioAction)] = []
        func add(_ time: Duration, _ rank: Int, _ action: ScenarioAction) {
            if time < length { moments.append((time, rank, moments.count, action)) }
        }
        for step in steps {
            let time = step.time
            switch step.event {
            case .interruption(let who, let lasting, let shouldResume):
                add(time, 1, .begin(who))
                if let lasting {
                    add(time + max(lasting, .zero), lasting > .zero ? 0 : 1, .end(who, shouldResume: shouldResume))
                }
            case .otherAudio(let isPlaying, let isPrimary):
                add(time, 1, .otherAudio(playing: isPlaying, primary: isPrimary))
            case .accessory(let accessory, let isConnected):
                add(time, 1, .accessory(accessory, isConnected: isConnected))
            case .microphone(let microphone, let change): add(time, 1, .microphone(microphone, change))
            case .serverDown(let duration):
                add(time, 1, .server(isRunning: false))
                add(time + max(duration, .zero), duration > .zero ? 0 : 1, .server(isRunning: true))
            case .permission(let isGranted): add(time, 1, .permission(isGranted: isGranted))
            case .disk(let change): add(time, 1, .disk(change))
            case .app(let state): add(time, 1, .app(state))
            case .lowPower(let isOn): add(time, 1, .lowPower(isOn))
            case .memory(let pressure): add(time, 1, .memory(pressure))
            case .press(let button): add(time, 1, .press(button))
            }
        }
        return moments.sorted { ($0.time, $0.rank, $0.index) < ($1.time, $1.rank, $1.index) }
            .map { Moment(time: $0.time, action: $0.action) }
    }
}

extension SimulatedAudio {
    /// Does what a scenario says, but for the buttons, which belong to the program.
    package func perform(_ action: ScenarioAction) {
        switch action {
        case .begin(let interruption): beginInterruption(interruption)
        case .end(let interruption, let shouldResume): endInterruption(interruption, shouldResume: shouldResume)
        case .otherAudio(let isPlaying, let isPrimary): setOtherAudio(playing: isPlaying, primary: isPrimary)
        case .accessory(let accessory, let isConnected): setConnected(isConnected, accessory)
        case .microphone(let microphone, let change): perform(change, on: microphone)
        case .server(let isRunning): setServerRunning(isRunning)
        case .permission(let isGranted): setPermissionGranted(isGranted)
        case .disk(.stalled(let duration)): setDisk(.stalled(for: duration))
        case .disk(.full(let bytes)): setDisk(.full(afterBytes: bytes))
        case .disk(.healthy): setDisk(nil)
        case .app(let state): setAppState(state)
        case .lowPower(let isOn): setPower(Power(batteryLevel: isOn ? 0.2 : 0.8, isLowPowerMode: isOn))
        case .memory(let pressure): setMemoryPressure(pressure)
        case .press: break
        }
    }

    private func perform(_ change: SimulationScenario.MicrophoneChange, on microphone: Microphone) {
        switch change {
        case .connected: setMicrophoneConnected(true, microphone)
        case .disconnected: setMicrophoneConnected(false, microphone)
        case .muted: setMicrophoneMuted(true, microphone)
        case .unmuted: setMicrophoneMuted(false, microphone)
        case .asleep: setMicrophoneSuspended(true, microphone)
        case .awake: setMicrophoneSuspended(false, microphone)
        }
    }

    /// Lets everything of a scenario happen to the program that runs in this process, up to the scenario's end. For stepped
    /// time: see ``Configuration``.
    ///
    /// Before each thing time goes on to its moment, and after it the program has its turn on the main queue, as often as it
    /// still has something to hear of. Buttons are the program's own: `press` is called for them.
    /// - Parameters:
    ///   - scenario: its expectations are the test's own affair.
    ///   - press: presses a button of the program.
    /// - Returns: false where the program did not take or give frames for 30 s of the machine's time.
    @MainActor
    public func run(
        _ scenario: SimulationScenario,
        press: @MainActor (SimulationScenario.Button) -> Void = { _ in }
    ) async -> Bool {
        var time = Duration.zero
        for moment in scenario.moments {
            guard await pass(moment.time - time) else { return false }
            time = moment.time
            if case .press(let button) = moment.action { press(button) } else { perform(moment.action) }
            guard await pass(.zero) else { return false }
        }
        return await pass(scenario.length - time)
    }

    /// Time goes on on another thread, so that the main queue is free; then what waits there has its turn.
    @MainActor
    private func pass(_ duration: Duration) async -> Bool {
        // Hours in pieces: what stands still is noticed after 30 s of the machine's time without one of them.
        var rest = duration
        // One more: what is done in the first turn on the main queue may be answered in the next.
        var isOver = false
        while !isOver {
            isOver = rest == .zero
            let part = min(rest, .seconds(300))
            rest -= part
            let isDone = await withCheckedContinuation { continuation in
                Self.waiting.async { continuation.resume(returning: self.advance(by: part)) }
            }
            if !isDone { return false }
            await withCheckedContinuation { continuation in DispatchQueue.main.async { continuation.resume() } }
        }
        return true
    }

    private static let waiting = DispatchQueue(label: "kayit.simulation.waiting")
}
