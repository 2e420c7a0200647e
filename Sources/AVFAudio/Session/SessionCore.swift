package import AudioCore
import AudioRuntime
import Dispatch
import Synchronization

/// The state of the process's audio session, and what recorders and players ask of it. The public classes are faces of it.
package final class SessionCore: Sendable {
    /// The one session of the process.
    package static let shared = {
        let core = SessionCore { Runtime.current }
        SoundServices.shared.holdBack { core.holdsBackSystemSounds }
        return core
    }()

    struct State {
        var machine = SessionMachine()
        /// The route before the change that is being told.
        var previousRoute = SessionRoute()
        var permission = SessionPermission.undetermined
        var preferredInput: DeviceDescription?
        var overrideOutputID: String?
        var preferences = SessionPreferences()
        var activities: [UInt64: Activity] = [:]
        var nextActivity: UInt64 = 0
        /// What is recorded, and what is played, is silence.
        var isInputMuted = false
        var isOutputMuted = false
        /// What the interruption that is under way has stopped.
        var interrupted: [WeakClient] = []
        /// Whose events count, and the number by which they are known.
        weak var arbiter: (any SessionArbiter)?
        var arbiterNumber = 0
        /// Whose word on the program's place counts, and what keeps it coming.
        var watched: (conditions: SystemConditions, observation: any AnyObject & Sendable)?
        /// In whose name notifications are posted; nil while there is no face of the session.
        var poster: (@Sendable () -> AVAudioSession?)?

        func allows(_ use: SessionUse) -> Bool {
            guard let configuration = machine.configuration else { return true }
            let rule = SessionPolicy.rule(for: configuration.category)
            return use == .recording ? rule.mayRecord : rule.mayPlay
        }

        var wish: SessionRouteWish {
            SessionRouteWish(
                needsInput: allows(.recording),
                needsOutput: allows(.playback),
                preferredInputID: preferredInput?.id,
                overrideOutputID: overrideOutputID,
                allowsBluetoothInput: machine.configuration.map(SessionPolicy.allowsBluetoothInput) ?? true,
                allowsBluetoothOutput: machine.configuration.map(SessionPolicy.allowsBluetoothOutput) ?? true
            )
        }
    }

    struct WeakClient {
        weak var object: (any SessionClient)?
    }

    struct Activity {
        weak var client: (any SessionClient)?
        var use: SessionUse
    }

    let state = Mutex(State())
    /// What changes the session takes turns here, with everything that follows from it: what is told is told in the order in
    /// which it happened, and after recorders and players have done their part.
    let turns = DispatchQueue(label: "kayit.session")
    let directory: DeviceDirectory
    let routes: RouteMonitor
    package let runtimeSource: @Sendable () -> Runtime

    package init(runtime: @escaping @Sendable () -> Runtime) {
        runtimeSource = runtime
        directory = DeviceDirectory(runtime: runtime)
        routes = RouteMonitor(runtime: runtime)
    }

    var runtime: Runtime { runtimeSource() }

    // MARK: Asked by recorders and players

    /// Why `use` is not allowed under the category; nil where it is. Before a program has set any category nothing is
    /// refused, as on systems that have no session.
    package func refusal(of use: SessionUse) -> AudioFailure? {
        state.withLock { $0.allows(use) ? nil : Self.refusal(of: use, under: $0.machine.effective.category) }
    }

    /// How a stream for `use` is to be opened now.
    package func streamPlan(for use: SessionUse) -> SessionStreamPlan {
        let inputID = preferredInputDeviceID ?? deviceInPlaceOfBluetooth(.recording)
        let outputID = state.withLock { $0.overrideOutputID } ?? deviceInPlaceOfBluetooth(.playback)
        return state.withLock { state in
            let preferences = state.preferences
            return SessionStreamPlan(
                deviceID: use == .recording ? inputID : outputID,
                mediaRole: SessionPolicy.mediaRole(for: use, state.machine.effective),
                processing: SessionPolicy.processing(state.machine.effective),
                fragment: preferences.fragment,
                preferredSampleRate: preferences.sampleRate > 0 ? preferences.sampleRate : nil,
                preferredChannelCount: preferences.channelCount(for: use)
            )
        }
    }

    /// The input that the program chose, by the device layer's id; nil follows the default, also while the chosen one is
    /// known to be gone.
    package var preferredInputDeviceID: String? {
        let id = state.withLock { $0.preferredInput?.id }
        return id.flatMap { routes.isGone($0) ? nil : $0 }
    }

    /// The device that a stream is pinned to where the default is a Bluetooth device that the options do not allow; nil where
    /// the default may be followed.
    private func deviceInPlaceOfBluetooth(_ use: SessionUse) -> String? {
        let wish = wish
        let isAllowed = use == .recording ? wish.allowsBluetoothInput : wish.allowsBluetoothOutput
        guard !isAllowed, let devices = routes.devices ?? directory.devices() else { return nil }
        let direction: DeviceDirection = use == .recording ? .input : .output
        let hasDefault = devices.contains { $0.direction == direction && $0.isDefault && $0.port == .bluetooth }
        let route = SessionRouting.route(devices, wish)
        return hasDefault ? (use == .recording ? route.inputs : route.outputs).first?.id : nil
    }

    /// Counts `client` as running, and makes the session active if it is not, as Apple's does. From now on changes of the
    /// route are told.
    /// - Throws: the reason why the category does not allow it, or who has the sound.
    package func begin(_ client: any SessionClient) throws(AudioFailure) -> SessionActivity {
        let use = client.sessionUse
        let id = try turn { () throws(AudioFailure) in
            if let refusal = self.refusal(of: use) { throw refusal }
            try self.handle(.activate(.client(use)))
            return self.state.withLock { state in
                state.nextActivity += 1
                state.activities[state.nextActivity] = Activity(client: client, use: use)
                self.routes.start(state.wish)
                return state.nextActivity
            }
        }
        return SessionActivity(core: self, id: id)
    }

    func endActivity(_ id: UInt64) { state.withLock { _ = $0.activities.removeValue(forKey: id) } }

    /// False once the session has stopped the client.
    func isRunning(_ id: UInt64) -> Bool { state.withLock { $0.activities[id] != nil } }

    /// True while a client that still exists is running.
    package var hasRunningClients: Bool { !runningClients { _ in true }.isEmpty }

    package var isActive: Bool { state.withLock { $0.machine.phase == .active } }

    /// True from the moment at which the sound was taken away until it may be taken back.
    package var isInterrupted: Bool { state.withLock { $0.machine.phase == .interrupted } }

    /// Others ask that players are quieter.
    package var isLowered: Bool { state.withLock { $0.machine.isLowered } }

    /// Seconds from or to the device over the running clients' streams; 0 where nothing runs.
    func latency(of use: SessionUse) -> Double {
        runningClients { $0 == use }.compactMap(\.sessionLatency).max() ?? 0
    }

    /// Clients leave the lock before they can be released: the last release of one ends its activity, which takes the lock.
    func runningClients(where isMeant: (SessionUse) -> Bool) -> [any SessionClient] {
        state.withLock { $0.activities.values.filter { isMeant($0.use) }.compactMap(\.client) }
    }

    // MARK: Asked by the public classes

    /// Judges and takes a configuration. What runs and is not allowed any more is stopped.
    /// - Throws: `invalidArgument` with the rule that refuses, or who has the sound that the new configuration wants for
    ///   itself; everything stays as it was.
    func configure(_ change: (SessionConfiguration) -> SessionConfiguration) throws(AudioFailure) {
        try turn { () throws(AudioFailure) in
            let (old, wishBefore) = self.state.withLock { ($0.machine, $0.wish) }
            let new = change(old.effective)
            if let reason = SessionPolicy.refusal(of: new) { throw AudioFailure(.invalidArgument, reason) }
            try self.handle(.configure(new))
            let clients = self.state.withLock { state in
                let isChanged = old.configuration?.category != new.category
                if isChanged { state.overrideOutputID = nil }
                self.routes.start(wishBefore)
                if isChanged || old.effective != new {
                    self.routes.update(state.wish, reason: .category, isAlwaysTold: isChanged)
                }
                let now = state
                return state.takeClients { use in !now.allows(use) }
            }
            let reason = "The session's category changed to one that does not allow it."
            for client in clients { client.sessionStops(AudioFailure(.cancelled, reason)) }
        }
    }

    /// - Throws: who has the sound.
    func activate() throws(AudioFailure) {
        try turn { () throws(AudioFailure) in
            try self.handle(.activate(.program))
            self.state.withLock { self.routes.start($0.wish) }
        }
    }

    /// Makes the session inactive. What runs is stopped, as Apple's session does.
    /// - Throws: `busy` where something was running; the session is inactive all the same.
    func deactivate(notifyingOthers: Bool) throws(AudioFailure) {
        try turn { () throws(AudioFailure) in
            // Before others are told that they may go on.
            let clients = self.state.withLock { $0.takeClients { _ in true } }
            let reason = AudioFailure(.cancelled, "The audio session was deactivated.")
            for client in clients { client.sessionStops(reason) }
            try self.handle(.deactivate(notifyingOthers: notifyingOthers))
            if clients.isEmpty { return }
            throw AudioFailure(
                .busy,
                "Recorders or players were running (\(clients.count)) and have been paused. "
                    + "Stop them before deactivating."
            )
        }
    }

    private static func refusal(of use: SessionUse, under category: SessionCategory) -> AudioFailure {
        let helps = use == .recording ? "record or playAndRecord" : "playback or playAndRecord"
        return AudioFailure(
            .invalidArgument,
            "The session's category \(category) does not allow \(use). Set the category \(helps)."
        )
    }
}

extension SessionCore.State {
    var effective: SessionConfiguration { machine.effective }

    /// Removes the activities whose use is `affected` and gives their clients, each once.
    mutating func takeClients(where affected: (SessionUse) -> Bool) -> [any SessionClient] {
        var clients: [any SessionClient] = []
        for (id, activity) in activities.sorted(by: { $0.key < $1.key }) where affected(activity.use) {
            activities.removeValue(forKey: id)
            if let client = activity.client, !clients.contains(where: { $0 === client }) { clients.append(client) }
        }
        return clients
    }
}

/// What the program wishes of the hardware; zero means no wish.
struct SessionPreferences: Sendable, Equatable {
    var sampleRate = 0.0
    var bufferDuration = 0.0
    var inputChannels = 0
    var outputChannels = 0
    var allowsHapticsAndSystemSounds = false
    var supportsMultichannelContent = false
    var inputOrientation = AVAudioSession.StereoOrientation.none

    /// The length of one delivery where the program has no wish: what `StreamRequest` has by itself.
    static let defaultFragment = Duration.milliseconds(20)

    /// Between 1 ms and 1 s: below it a desktop cannot hold real time, above it a kill would lose too much.
    var fragment: Duration {
        bufferDuration > 0 ? .seconds(min(max(bufferDuration, 0.001), 1)) : Self.defaultFragment
    }

    func channelCount(for use: SessionUse) -> Int? {
        let count = use == .recording ? inputChannels : outputChannels
        return count > 0 ? count : nil
    }
}
