import AudioCore
import Glibc

/// Levels of the route's devices.
extension SessionCore {
    /// A level as Apple's properties give it, the place of the slider: 0 … 1, 0 where muted. Sliders of desktop mixers are
    /// cubic: half way up is an eighth of the amplitude (PulseAudio, volume.c).
    static func level(of device: DeviceDescription?) -> Float {
        guard let device, !device.isMuted, device.volume > 0 else { return 0 }
        return Float(min(cbrt(device.volume), 1))
    }

    /// - Parameter gain: the place of the slider.
    func setInputGain(_ gain: Float) throws {
        let summary = "Setting the input gain failed"
        try SessionError.require(!gain.isNaN, "The gain must be a number from 0 to 1.")
        guard let devices = directory.devices() else {
            throw SessionError.make(.mediaServicesFailed, summary, "No sound server answers.")
        }
        let wish = wish
        routes.start(wish)
        guard let input = SessionRouting.route(devices, routes.wish(from: wish)).inputs.first else {
            throw SessionError.make(.resourceNotAvailable, summary, "The route has no input.")
        }
        guard input.isVolumeSettable else {
            throw SessionError.make(
                .resourceNotAvailable,
                summary,
                "\"\(input.name)\" has no level that could be set. Check isInputGainSettable first."
            )
        }
        let place = Double(min(max(gain, 0), 1))
        try attempt(summary) { () throws(AudioFailure) in
            try runtime.devices.setVolume(place * place * place, ofInput: input.id)
        }
    }
}
