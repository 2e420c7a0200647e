import AudioCore
import CPulse
import Glibc

/// Collects the answers of the server about streams. Filled under the loop lock, read after the operations ended.
final class PulseStreamQuery {
    private(set) var streams: [OtherStream] = []
    /// The index of the own connection among the server's clients.
    private let own: UInt32

    init(own: UInt32) { self.own = own }

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    private static func borrow(_ user: UnsafeMutableRawPointer?, _ body: (PulseStreamQuery) -> Void) {
        guard let user else { return }
        Unmanaged<PulseStreamQuery>.fromOpaque(user)._withUnsafeGuaranteedRef(body)
    }

    static let played: pa_sink_input_info_cb_t = { _, info, end, user in
        guard end == 0, let info = info?.pointee else { return }
        borrow(user) { $0.add(.output, client: info.client, isCorked: info.corked != 0, info.proplist) }
    }

    static let recorded: pa_source_output_info_cb_t = { _, info, end, user in
        guard end == 0, let info = info?.pointee else { return }
        borrow(user) { $0.add(.input, client: info.client, isCorked: info.corked != 0, info.proplist) }
    }

    /// What a module of the server moves about itself has no client, and is nobody's sound.
    private func add(_ direction: DeviceDirection, client: UInt32, isCorked: Bool, _ list: OpaquePointer?) {
        let properties = PulseProperties(list)
        if client == own || client == PulseIndex.none { return }
        if properties[PA_PROP_APPLICATION_PROCESS_ID] == String(getpid()) { return }
        streams.append(
            OtherStream(
                direction: direction,
                mediaRole: properties[PA_PROP_MEDIA_ROLE],
                isCorked: isCorked,
                program: properties[PA_PROP_APPLICATION_NAME]
            )
        )
    }
}

extension PulseConnection {
    /// The streams of other programs.
    func otherStreams(_ deadline: Deadline) throws(AudioFailure) -> [OtherStream] {
        let query = PulseStreamQuery(own: try withContext { pa_context_get_index($0) })
        try withExtendedLifetime(query) { () throws(AudioFailure) in
            try perform("list its streams", deadline) { context in
                [
                    pa_context_get_sink_input_info_list(context, PulseStreamQuery.played, query.pointer),
                    pa_context_get_source_output_info_list(context, PulseStreamQuery.recorded, query.pointer),
                ]
            }
        }
        return query.streams
    }
}

/// Tells of the streams of others for as long as it lives, beginning with those that are there.
final class PulseStreamObservation: Sendable {
    private let core: PulseHostCore

    init(_ core: PulseHostCore, _ changed: @escaping @Sendable ([OtherStream]) -> Void) {
        self.core = core
        core.addStreams(ObjectIdentifier(self)) { [weak core] in
            guard let core else { return }
            changed(core.otherStreams())
        }
    }

    deinit { core.removeStreams(ObjectIdentifier(self)) }
}
