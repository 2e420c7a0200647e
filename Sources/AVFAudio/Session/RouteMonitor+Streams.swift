import AudioCore
import Synchronization

/// A stream that runs on another device than the session asks for.
struct PlacedStream: Sendable, Equatable {
    var stream: ObjectIdentifier
    var use: SessionUse
    var deviceID: String

    func isOn(_ device: DeviceDescription) -> Bool {
        device.id == deviceID && device.direction == (use == .recording ? .input : .output)
    }
}

extension SessionRouteWish {
    /// The same with streams at their places. Of several the last one counts.
    func with(_ placed: [PlacedStream]) -> SessionRouteWish {
        var wish = self
        wish.placedInputID = placed.last { $0.use == .recording }?.deviceID
        wish.placedOutputID = placed.last { $0.use == .playback }?.deviceID
        return wish
    }
}

extension SessionRoute {
    fileprivate func device(for use: SessionUse) -> DeviceDescription? { (use == .recording ? inputs : outputs).first }
}

/// What happens to single streams: the route is where they are.
extension RouteMonitor {
    /// What the session asks for, with its streams at their places.
    func wish(from wish: SessionRouteWish) -> SessionRouteWish { state.withLock { wish.with($0.placed) } }

    /// A stream is on the device of this id now, because it was opened there or because it was moved; nil once it is closed.
    ///
    /// What devices did by themselves is told first, as that: where the default device changes, its streams follow, and that is
    /// told once.
    func place(_ stream: ObjectIdentifier, _ use: SessionUse, on deviceID: String?) {
        let isNews = state.withLock { state in
            let isPlaced = state.placed.contains { $0.stream == stream }
            guard state.isKnown, let deviceID else { return isPlaced }
            return isPlaced || state.route.device(for: use)?.id != deviceID
        }
        if !isNews { return }
        later { [self] in
            devicesChanged()
            let (event, listener): (Event?, Listener?) = state.withLock { state in
                let previous = state.route
                state.placed.removeAll { $0.stream == stream }
                if let deviceID {
                    let place = PlacedStream(stream: stream, use: use, deviceID: deviceID)
                    let asked = SessionRouting.route(state.devices, state.wished).device(for: use)
                    if asked?.id != deviceID, state.devices.contains(where: place.isOn) { state.placed.append(place) }
                }
                state.route = SessionRouting.route(state.devices, state.wish)
                let change = SessionRouting.change(
                    from: previous,
                    to: state.route,
                    known: state.devices,
                    present: state.devices,
                    state.wish
                )
                return (change.map { Event(change: $0, previous: previous, current: state.route) }, state.listener)
            }
            if let event { listener?.routeChanged(event) }
        }
    }

    /// The device of a stream that runs was put to sleep, or is awake again: the port is the same, its state is another.
    func deviceFellAsleepOrAwoke() {
        later { [self] in
            devicesChanged()
            let (route, listener) = state.withLock { ($0.route, $0.listener) }
            listener?.routeChanged(Event(change: .configuration, previous: route, current: route))
        }
    }
}
