package import AudioCore
import Foundation
import Synchronization

/// What the public classes read and set.
extension SessionCore {
    var configuration: SessionConfiguration { state.withLock { $0.effective } }

    var wish: SessionRouteWish { state.withLock { $0.wish } }

    var preferences: SessionPreferences { state.withLock { $0.preferences } }

    func updatePreferences(_ change: (inout SessionPreferences) -> Void) {
        state.withLock { change(&$0.preferences) }
    }

    /// What others play now. Answers at once.
    var others: OtherAudio { runtime.arbiter.others }

    var preferredInput: DeviceDescription? { state.withLock { $0.preferredInput } }

    private func setPreferredInput(_ device: DeviceDescription?) {
        state.withLock { state in
            routes.start(state.wish)
            state.preferredInput = device
            routes.update(state.wish, reason: .override)
        }
    }

    private func setOverrideOutput(_ id: String?) {
        state.withLock { state in
            routes.start(state.wish)
            state.overrideOutputID = id
            routes.update(state.wish, reason: .override)
        }
    }

    func choosePreferredInput(_ port: AVAudioSessionPortDescription?) throws {
        let summary = "Setting the preferred input failed"
        guard let port else { return setPreferredInput(nil) }
        if !wish.needsInput {
            throw SessionError.make(.incompatibleCategory, summary, "The session's category does not record.")
        }
        guard let devices = directory.devices() else {
            throw SessionError.make(.mediaServicesFailed, summary, "No sound server answers.")
        }
        guard let device = selectableInputs(devices).first(where: { $0.id == port.uid }) else {
            throw SessionError.make(.badParam, summary, "\"\(port.portName)\" is none of the available inputs.")
        }
        setPreferredInput(device)
    }

    /// Those of `devices` that the program may choose under its category and options.
    func selectableInputs(_ devices: [DeviceDescription]) -> [DeviceDescription] {
        SessionRouting.selectableInputs(devices, allowsBluetooth: wish.allowsBluetoothInput)
    }

    func chooseOutput(_ portOverride: AVAudioSession.PortOverride) throws {
        let summary = "Overriding the output failed"
        if configuration.category != .playAndRecord {
            throw SessionError.make(.incompatibleCategory, summary, "Only category playAndRecord can override.")
        }
        if portOverride == .none { return setOverrideOutput(nil) }
        guard let devices = directory.devices() else {
            throw SessionError.make(.mediaServicesFailed, summary, "No sound server answers.")
        }
        guard let speaker = devices.first(where: { $0.direction == .output && $0.port == .builtInSpeaker }) else {
            throw SessionError.make(.resourceNotAvailable, summary, "No built-in loudspeaker is connected now.")
        }
        setOverrideOutput(speaker.id)
    }

    /// The route now, asked of the server; empty where nobody answers.
    package var currentRoute: SessionRoute {
        let wish = wish
        routes.start(wish)
        return SessionRouting.route(directory.devices() ?? [], routes.wish(from: wish))
    }

    /// Returns when every change of devices and wishes so far has been handed to the callback executor.
    package func settleRoutes() { routes.settle() }

    /// Runs `work` and turns its failure into Apple's error.
    func attempt(_ summary: String, _ work: () throws(AudioFailure) -> Void) throws {
        do throws(AudioFailure) { try work() } catch { throw SessionError.make(error, summary) }
    }
}

extension SessionRouteChange {
    var appleReason: AVAudioSession.RouteChangeReason {
        switch self {
        case .newDevice: .newDeviceAvailable
        case .oldDeviceGone: .oldDeviceUnavailable
        case .category: .categoryChange
        case .override: .override
        case .noSuitableRoute: .noSuitableRouteForCategory
        case .configuration: .routeConfigurationChange
        }
    }
}
