import AudioCore
import Synchronization

/// A short vibration of a phone, by feedbackd (org.sigxcpu.Feedback). Machines without it do nothing.
final class DesktopVibration: Sendable {
    private let program: String
    private let address: String?
    private let log: @Sendable (String) -> Void
    private let isBusy = Atomic<Bool>(false)

    private static let name = "org.sigxcpu.Feedback"
    private static let path = "/org/sigxcpu/Feedback"
    private static let limitOfCall = Duration.seconds(2)
    /// As long as that of Apple's phones.
    private static let pulse = BusArgument.Pulse(strength: 1, milliseconds: 400)

    /// - Parameter address: of the session bus; nil for the user's own.
    init(program: String, address: String?, log: @escaping @Sendable (String) -> Void) {
        self.program = program
        self.address = address
        self.log = log
    }

    /// Vibrates once. On a thread of its own, which ends with it; while there is one, nothing else is begun.
    func begin() {
        let wasBusy = isBusy.exchange(true, ordering: .acquiringAndReleasing)
        if wasBusy { return }
        let hasStarted = BusThread.start("kayit-vibrate") { [self] in
            vibrate()
            isBusy.store(false, ordering: .releasing)
        }
        if !hasStarted {
            isBusy.store(false, ordering: .releasing)
            log("Nothing vibrates: no thread is left.")
        }
    }

    private func vibrate() {
        let bus = BusConnection()
        defer { bus.disconnect() }
        do throws(BusFailure) {
            try bus.connect(to: address.map { .at($0) } ?? .session)
            if try hasMotor(bus) { return }
            // Older services know events alone. This one vibrates where sounds are not wanted, which the hint says.
            try trigger(bus)
        } catch {
            log("Nothing vibrates: \(error.reason).")
        }
    }

    /// The interface is there where the service has found a motor.
    private func hasMotor(_ bus: BusConnection) throws(BusFailure) -> Bool {
        do throws(BusFailure) {
            return try call(bus, "Vibrate", of: Self.name + ".Haptic", [.text(program), .pulses([Self.pulse])])
                .first?.truth ?? true
        } catch {
            if !bus.isConnected { throw error }
            return false
        }
    }

    private func trigger(_ bus: BusConnection) throws(BusFailure) {
        let once: Int32 = -1
        _ = try call(
            bus,
            "TriggerFeedback",
            of: Self.name,
            [
                .text(program), .text("message-new-instant"), .dictionary(["profile": .text("quiet")]), .signed32(once),
            ]
        )
    }

    private func call(_ bus: BusConnection, _ method: String, of interface: String, _ arguments: [BusArgument])
        throws(BusFailure) -> [BusValue]
    {
        try bus.call(
            BusCall(
                method,
                of: interface,
                at: Self.path,
                of: Self.name,
                arguments,
                within: Self.limitOfCall,
                startsService: true
            )
        )
    }
}
