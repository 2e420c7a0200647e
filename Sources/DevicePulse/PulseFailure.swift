import AudioCore
import CPulse
import Glibc

/// What libpulse's error numbers mean to a caller.
enum PulseFailure {
    /// The server cannot be reached, or stopped answering.
    static func unreachable(_ code: Int32, address: String?) -> AudioFailure {
        let place = address.map { " at \($0)" } ?? ""
        if code == PA_ERR_ACCESS.code || code == PA_ERR_AUTHKEY.code {
            return AudioFailure(
                .permissionDenied,
                "The sound server\(place) refuses this program (\(text(code))). "
                    + "It must run as the user who is logged in, or be given access to the sound socket of its sandbox."
            )
        }
        var help =
            "Install and start one, for example the package pipewire-pulse with `systemctl --user start pipewire-pulse`,"
            + " or the package pulseaudio with `pulseaudio --start`."
        if address == nil, getenv("XDG_RUNTIME_DIR") == nil, getenv("PULSE_SERVER") == nil {
            help += " XDG_RUNTIME_DIR is not set, so a server of this user's session would not be found."
        }
        return AudioFailure(.serverUnavailable, "No sound server answers\(place) (\(text(code))). \(help)")
    }

    static func silent(address: String?) -> AudioFailure {
        let place = address.map { " at \($0)" } ?? ""
        return AudioFailure(
            .serverUnavailable,
            "The sound server\(place) took the connection but does not answer. It hangs: restart it, for example with "
                + "`systemctl --user restart pipewire-pulse` or `pulseaudio -k`."
        )
    }

    /// A request was refused by a server that answers.
    static func refused(_ what: String, _ code: Int32) -> AudioFailure {
        let message = "The sound server cannot \(what): \(text(code))."
        switch code {
        case PA_ERR_NOENTITY.code, PA_ERR_KILLED.code: return AudioFailure(.deviceUnavailable, message)
        case PA_ERR_ACCESS.code, PA_ERR_AUTHKEY.code: return AudioFailure(.permissionDenied, message)
        case PA_ERR_INVALID.code: return AudioFailure(.invalidArgument, message)
        case PA_ERR_NOTSUPPORTED.code, PA_ERR_NOTIMPLEMENTED.code: return AudioFailure(.unsupported, message)
        case PA_ERR_BUSY.code: return AudioFailure(.busy, message)
        case PA_ERR_TOOLARGE.code: return AudioFailure(.limitReached, message)
        case PA_ERR_IO.code: return AudioFailure(.inputOutput, message)
        case PA_ERR_CONNECTIONREFUSED.code, PA_ERR_CONNECTIONTERMINATED.code, PA_ERR_TIMEOUT.code,
            PA_ERR_BADSTATE.code:
            return AudioFailure(.serverUnavailable, message)
        default: return AudioFailure(.deviceUnavailable, message)
        }
    }

    static func text(_ code: Int32) -> String {
        pa_strerror(code).map { String(cString: $0) } ?? "error \(code)"
    }
}

extension pa_error_code {
    /// As functions of libpulse return it.
    var code: Int32 { Int32(bitPattern: rawValue) }
}
