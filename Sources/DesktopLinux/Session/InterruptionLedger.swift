import AudioCore

/// Why the session does not have the sound. Reasons may overlap: one beginning is told for the first, one end for the last.
struct InterruptionLedger {
    enum Cause: Hashable {
        case floor(Floor)
        /// Somebody else telephones, as the sound server shows it.
        case call
    }

    private var causes: Set<Cause> = []
    /// What was told last, until its end.
    private(set) var open: SessionInterruption?
    private var mayResume = true

    func contains(_ cause: Cause) -> Bool { causes.contains(cause) }

    /// - Returns: the event to tell.
    mutating func begin(_ cause: Cause, _ kind: SessionInterruption) -> ArbiterEvent? {
        causes.insert(cause)
        if open != nil { return nil }
        open = kind
        mayResume = true
        return .began(kind)
    }

    /// - Parameter shouldResume: one reason that ends without it is enough for nobody to be asked to go on.
    /// - Returns: the event to tell.
    mutating func end(_ cause: Cause, shouldResume: Bool) -> ArbiterEvent? {
        guard causes.remove(cause) != nil else { return nil }
        if !shouldResume { mayResume = false }
        guard causes.isEmpty, let kind = open else { return nil }
        open = nil
        return .ended(kind, shouldResume: mayResume)
    }

    /// Forgets everything, and tells nothing.
    mutating func clear() { self = InterruptionLedger() }
}
