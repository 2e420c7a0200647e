import CPulse

/// The server's yes or no to an operation.
final class PulseConfirmation {
    private(set) var isGiven = false

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let callback: pa_stream_success_cb_t = { _, success, user in
        guard let user else { return }
        Unmanaged<PulseConfirmation>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.isGiven = success != 0 }
    }
}
