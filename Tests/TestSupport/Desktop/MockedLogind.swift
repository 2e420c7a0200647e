import Foundation

/// logind's part in sleep (org.freedesktop.login1), played by python-dbusmock.
package final class MockedLogind: Sendable {
    /// A lock that somebody holds.
    package struct Inhibitor: Sendable, Equatable {
        package var what, who, why, mode: String
    }

    private static let name = "org.freedesktop.login1"
    private static let path = "/org/freedesktop/login1"
    private static let interface = "org.freedesktop.login1.Manager"

    private let service: MockedService
    private let bus: PrivateBus

    package init(on bus: PrivateBus) throws {
        self.bus = bus
        service = try MockedService(.logind, name: Self.name, on: bus)
    }

    /// The locks that are held now; none where logind or its bus are gone.
    package var inhibitors: [Inhibitor] {
        let list = try? bus.answer(Self.name, Self.path, Self.interface + ".ListInhibitors")
        // GVariant's text form: "([('sleep', 'kayit', 'Why.', 'block', uint32 1000, 123456), …],)".
        let texts = (list ?? "").matches(of: #/\('([^']*)', '([^']*)', '([^']*)', '([^']*)', /#)
        return texts.map {
            Inhibitor(what: String($0.1), who: String($0.2), why: String($0.3), mode: String($0.4))
        }
    }

    /// The modes of the locks that are held now, sorted.
    package var held: [String] { inhibitors.map(\.mode).sorted() }

    /// Says to everybody that the machine goes to sleep (true) or is awake again.
    package func prepareForSleep(_ begins: Bool) throws {
        let method = "org.freedesktop.DBus.Mock.EmitSignal"
        if !(try bus.call(Self.name, Self.path, method, Self.interface, "PrepareForSleep", "b", "[<\(begins)>]")) {
            throw SetupFailure("The mocked logind does not say that the machine sleeps.")
        }
    }

    /// Stands still, as a service that hangs does (true), or goes on.
    package func hang(_ begins: Bool) { service.hang(begins) }

    /// Ends it as a crash would.
    package func end() { service.kill() }
}
