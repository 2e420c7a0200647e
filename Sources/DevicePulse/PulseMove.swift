import AudioCore
import CPulse

/// The questions to the server after it moved a stream: what is the new device, and is it the default?
///
/// Made, answered and abandoned under the loop lock.
final class PulseMove {
    private let query = PulseDeviceQuery()
    private let resolved: (DeviceDescription?) -> Void
    private var operations: [OpaquePointer] = []

    init(
        to index: UInt32,
        _ direction: DeviceDirection,
        asking context: OpaquePointer,
        resolved: @escaping (DeviceDescription?) -> Void
    ) {
        self.resolved = resolved
        let device =
            switch direction {
            case .input:
                pa_context_get_source_info_by_index(context, index, PulseDeviceQuery.source, query.pointer)
            case .output:
                pa_context_get_sink_info_by_index(context, index, PulseDeviceQuery.sink, query.pointer)
            }
        let server = pa_context_get_server_info(context, PulseDeviceQuery.server, query.pointer)
        operations = [device, server].compactMap { $0 }
        for operation in operations {
            pa_operation_set_state_callback(
                operation,
                { _, user in
                    guard let user else { return }
                    // A reference of our own: the owner drops its one when the last answer is in.
                    Unmanaged<PulseMove>.fromOpaque(user).takeUnretainedValue().answered()
                },
                Unmanaged.passUnretained(self).toOpaque()
            )
        }
    }

    private func answered() {
        if operations.contains(where: { pa_operation_get_state($0) == PA_OPERATION_RUNNING }) { return }
        resolved(query.list.entries.first?.device)
    }

    func abandon() {
        for operation in operations { PulseConnection.abandon(operation) }
        operations = []
    }
}
