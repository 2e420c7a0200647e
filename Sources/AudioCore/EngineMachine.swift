/// What an engine does next, as a pure table: *phase × input → effects*, with no clock, thread or file.
package protocol EngineMachine: Sendable, Equatable {
    associatedtype Phase: Sendable, Hashable, CaseIterable
    associatedtype Input: Sendable, Equatable
    associatedtype Effect: Sendable, Equatable

    var phase: Phase { get }

    init()

    /// What is to be done about `input`, in order; the first that fails ends the rest, and the machine is told by
    /// `failed(_:)`.
    mutating func handle(_ input: Input) -> [Effect]

    /// An effect could not be carried out: where the machine stands then, and what is to be done about it.
    mutating func failed(_ effect: Effect) -> [Effect]
}
