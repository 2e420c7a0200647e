import AudioCore
import AudioSimulation
import TestSupport
import Testing

/// A device layer with what a test needs to do to its devices.
///
/// It begins with one output, `output`, and one input, `input`, that hears what the output plays.
protocol DeviceHarness: AnyObject {
    var host: any AudioDeviceHost { get }
    var output: String { get }
    var input: String { get }
    /// The clock of moments.
    var now: HostTime { get }

    /// Lets the time of the devices pass.
    func pass(_ seconds: Double)
    /// Adds a silent microphone.
    func addMicrophone(_ name: String) throws
    func makeDefault(microphone name: String) throws
    func remove(microphone name: String) throws
    func suspend(_ isSuspended: Bool, microphone name: String) throws
    func loseServer()
    func restoreServer() throws
}

extension DeviceHarness {
    /// Lets time pass until it is so.
    ///
    /// - Returns: false when `seconds` passed before it was.
    func pass(atMost seconds: Double = 3, until condition: () -> Bool) -> Bool {
        var passed = 0.0
        while passed < seconds {
            if condition() { return true }
            pass(0.02)
            passed += 0.02
        }
        return condition()
    }
}

/// The device layers that the suite is run on.
enum HarnessKind: String, CaseIterable, CustomTestStringConvertible {
    case pulseAudio, pipeWire, simulatedRealTime, simulatedSteps

    var testDescription: String { rawValue }

    /// PipeWire 0.3 takes a client's order to suspend a virtual device, and goes on.
    static var suspending: [Self] { allCases.filter { $0 != .pipeWire } }

    func make() throws -> any DeviceHarness {
        switch self {
        case .pulseAudio: try ServerHarness(PrivatePulseServer(modules: [PrivatePulseServer.nullSink("loop")]))
        case .pipeWire: try ServerHarness(PrivatePipeWireServer(sinks: ["loop"]))
        case .simulatedRealTime: SimulationHarness(.real)
        case .simulatedSteps: SimulationHarness(.stepped)
        }
    }
}
