package import AudioCore
import CPulse

/// The level of an input, which belongs to everybody who uses it.
extension PulseHost {
    package func setVolume(_ volume: Double, ofInput id: String) throws(AudioFailure) {
        guard volume >= 0, volume <= 1 else {
            throw AudioFailure(.invalidArgument, "The level of an input is 0 to 1, not \(volume).")
        }
        let deadline = Deadline.ofCall
        let connection = try core.connection(deadline)
        let list = try connection.devices(deadline)
        guard let device = list.device(named: id, .input) else {
            throw AudioFailure(.deviceUnavailable, "There is no input '\(id)' whose level could be set.")
        }
        guard device.isVolumeSettable else {
            throw AudioFailure(.unsupported, "The level of '\(device.name)' cannot be set.")
        }
        try connection.setVolume(pa_sw_volume_from_linear(volume), ofSource: id, deadline)
    }
}

extension PulseConnection {
    fileprivate func setVolume(
        _ volume: pa_volume_t,
        ofSource name: String,
        _ deadline: Deadline
    ) throws(AudioFailure) {
        let query = PulseVolumeQuery()
        try withExtendedLifetime(query) { () throws(AudioFailure) in
            try perform("tell the level of '\(name)'", deadline) { context in
                [pa_context_get_source_info_by_name(context, name, PulseVolumeQuery.source, query.pointer)]
            }
        }
        guard var volumes = query.volumes else {
            throw AudioFailure(.deviceUnavailable, "The input '\(name)' went away.")
        }
        pa_cvolume_scale(&volumes, volume)
        let confirmation = PulseConfirmation()
        try withExtendedLifetime(confirmation) { () throws(AudioFailure) in
            try perform("set the level of '\(name)'", deadline) { context in
                [
                    pa_context_set_source_volume_by_name(
                        context,
                        name,
                        &volumes,
                        PulseConfirmation.callback,
                        confirmation.pointer
                    )
                ]
            }
        }
        if confirmation.isGiven { return }
        throw PulseFailure.refused("set the level of '\(name)'", try withContext { pa_context_errno($0) })
    }
}

/// What the server says of one source's level. Touched under the loop lock only, and after the operation has ended.
private final class PulseVolumeQuery {
    private(set) var volumes: pa_cvolume?

    var pointer: UnsafeMutableRawPointer { Unmanaged.passUnretained(self).toOpaque() }

    static let source: pa_source_info_cb_t = { _, info, _, user in
        guard let info, let user else { return }
        Unmanaged<PulseVolumeQuery>.fromOpaque(user)._withUnsafeGuaranteedRef { $0.volumes = info.pointee.volume }
    }
}
