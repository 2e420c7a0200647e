import AudioCore
import Dispatch
import Foundation
import Synchronization

/// Watches the devices and tells which route the session has, in order, from one serial queue.
///
/// Starts when the session is first used: a program that never touches the session has no observer.
final class RouteMonitor: Sendable {
    struct Event: Sendable {
        var change: SessionRouteChange
        var previous: SessionRoute
        var current: SessionRoute
        /// What was heard came from a device that is not there any more.
        var outputIsGone = false
    }

    /// Called on the monitor's queue.
    struct Listener: Sendable {
        var routeChanged: @Sendable (Event) -> Void
        var inputsChanged: @Sendable () -> Void
        /// The forced output is not in effect any more.
        var overrideEnded: @Sendable () -> Void
        /// A server that answered does so no more (false), or answers again.
        var serverChanged: @Sendable (Bool) -> Void
    }

    struct State {
        /// Whose devices are watched; nil before the start.
        var host: (any AudioDeviceHost)?
        /// `devices` has been asked for.
        var isKnown = false
        /// Nil until it has answered once.
        var serverAnswers: Bool?
        var token: (any AnyObject & Sendable)?
        /// What the session asks for.
        var wished = SessionRouteWish(needsInput: true, needsOutput: true)
        /// Streams that are elsewhere than it asks for, in the order in which they came there.
        var placed: [PlacedStream] = []
        var devices: [DeviceDescription] = []
        /// Those of them whose plug has been pulled.
        var pulled: [DeviceDescription] = []
        var route = SessionRoute()
        var listener: Listener?

        var wish: SessionRouteWish { wished.with(placed) }
    }

    private let runtime: @Sendable () -> Runtime
    private let queue = DispatchQueue(label: "kayit.session.routes")
    let state = Mutex(State())

    init(runtime: @escaping @Sendable () -> Runtime) { self.runtime = runtime }

    func listen(_ listener: Listener) { state.withLock { $0.listener = listener } }

    /// Begins to watch; the route under `wish` is where changes are counted from. Only the first call does anything, and the
    /// first one after other devices have taken the place of the ones that are watched.
    func start(_ wish: SessionRouteWish) {
        let host = runtime().devices
        let isWatched = state.withLock { state in
            defer { state.host = host }
            return state.host.map { ($0 as AnyObject) === (host as AnyObject) } ?? false
        }
        if isWatched { return }
        later { [self] in
            let token = host.observeDevices { [weak self] in
                guard let self else { return }
                later { self.devicesChanged() }
            }
            let answer = Self.devices(of: host)
            let devices = answer ?? []
            let before = state.withLock { state in
                defer { state.token = token }
                state.isKnown = true
                state.serverAnswers = answer == nil ? nil : true
                state.wished = wish
                state.devices = devices
                state.route = SessionRouting.route(devices, state.wish)
                return state.token
            }
            // Outside of the lock.
            withExtendedLifetime(before) {}
        }
    }

    /// The session wants another route from now on.
    /// - Parameter isAlwaysTold: also where the route is the same.
    func update(_ wish: SessionRouteWish, reason: SessionRouteChange, isAlwaysTold: Bool = false) {
        later { [self] in
            // What devices did by themselves meanwhile is told as that.
            devicesChanged()
            let (event, listener): (Event?, Listener?) = state.withLock { state in
                let previous = state.route
                let devices = state.devices
                state.wished = wish
                state.route = SessionRouting.route(devices, state.wish)
                let isOther =
                    SessionRouting.change(
                        from: previous,
                        to: state.route,
                        known: devices,
                        present: devices,
                        pulled: state.pulled,
                        state.wish
                    ) != nil
                let event = Event(change: reason, previous: previous, current: state.route)
                return (isOther || isAlwaysTold ? event : nil, state.listener)
            }
            if let event { listener?.routeChanged(event) }
        }
    }

    /// On the monitor's queue; a stepped time waits for it.
    func later(_ body: @escaping @Sendable () -> Void) {
        let hold = runtime().clock.hold()
        queue.async {
            body()
            withExtendedLifetime(hold) {}
        }
    }

    /// The devices, as they were told last; nil before they are known. Answers at once.
    var devices: [DeviceDescription]? { state.withLock { $0.isKnown ? $0.devices : nil } }

    /// True where the devices are known and none has this id. Answers at once.
    func isGone(_ id: String) -> Bool {
        state.withLock { state in state.isKnown && !state.devices.contains { $0.id == id } }
    }

    /// Returns when everything that was asked before has been worked off.
    func settle() { queue.sync {} }

    func devicesChanged() {
        let answer = Self.devices(of: runtime().devices)
        let devices = answer ?? []
        let notes: [(Listener) -> Void] = state.withLock { state in
            var notes: [(Listener) -> Void] = []
            let answers = answer != nil
            if let before = state.serverAnswers, before != answers { notes.append { $0.serverChanged(answers) } }
            if answers || state.serverAnswers != nil { state.serverAnswers = answers }
            let known = state.devices
            let previous = state.route
            // A stream whose device is gone has been put somewhere else.
            state.placed.removeAll { place in !devices.contains { place.isOn($0) } }
            // A forced output lasts until the route would change without it.
            var free = state.wish
            free.overrideOutputID = nil
            let isForced = state.wish.overrideOutputID != nil
            let freeBefore = SessionRouting.route(known, free)
            let freeNow = SessionRouting.route(devices, free)
            let isMoved =
                SessionRouting.change(from: freeBefore, to: freeNow, known: known, present: devices, free) != nil
            let isGone = !devices.contains { $0.id == state.wish.overrideOutputID && $0.direction == .output }
            if isForced, isMoved || isGone {
                state.wished.overrideOutputID = nil
                notes.append { $0.overrideEnded() }
            }
            state.devices = devices
            state.pulled = SessionRouting.pulled(state.pulled, known: known, present: devices)
            state.route = SessionRouting.route(devices, state.wish)
            let change = SessionRouting.change(
                from: previous,
                to: state.route,
                known: known,
                present: devices,
                pulled: state.pulled,
                state.wish
            )
            if let change {
                var event = Event(change: change, previous: previous, current: state.route)
                // Players of a server that is gone know it by themselves.
                event.outputIsGone = answers && SessionRouting.outputIsGone(change, from: previous, to: state.route)
                notes.append { [event] in $0.routeChanged(event) }
            }
            let inputsBefore = SessionRouting.selectableInputs(known).map(\.id)
            if inputsBefore != SessionRouting.selectableInputs(devices).map(\.id), state.wish.needsInput {
                notes.append { $0.inputsChanged() }
            }
            return notes
        }
        guard let listener = state.withLock({ $0.listener }) else { return }
        for note in notes { note(listener) }
    }

    /// Nil where nobody answers: a server that does not has no devices.
    private static func devices(of host: any AudioDeviceHost) -> [DeviceDescription]? {
        do throws(AudioFailure) { return try host.devices() } catch { return nil }
    }
}
