import AudioCore
import AudioSimulation

/// A simulation whose speaker is heard by its monitor, and whose microphones are plugged in when a test asks.
final class SimulationHarness: DeviceHarness {
    private let simulation: SimulatedHost
    let output = "loop"
    let input = "loop.monitor"

    init(_ time: SimulatedConfiguration.Time) {
        var configuration = SimulatedConfiguration()
        configuration.time = time
        let microphones = ["first", "second"]
        configuration.devices =
            microphones.map { .microphone($0, name: $0, signal: .silence) } + [
                .speaker("loop", name: "loop"), .monitor(of: "loop"),
            ]
        simulation = SimulatedHost(configuration)
        for name in microphones { simulation.inject(.vanish(name)) }
    }

    var host: any AudioDeviceHost { simulation }
    var now: HostTime { simulation.clock.now }

    func pass(_ seconds: Double) { simulation.clock.advance(by: .seconds(seconds)) }

    func addMicrophone(_ name: String) { simulation.inject(.return(name)) }
    func makeDefault(microphone name: String) { simulation.inject(.setDefault(name)) }
    func remove(microphone name: String) { simulation.inject(.vanish(name)) }
    func suspend(_ isSuspended: Bool, microphone name: String) { simulation.inject(.suspend(name, isSuspended)) }
    func loseServer() { simulation.inject(.serverLoss) }
    func restoreServer() { simulation.inject(.serverReturn) }
}
