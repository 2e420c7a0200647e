# A private PulseAudio server, to be sourced: it ends with the script, as does the folder "$scratch".
#
#   start_server NAME CHANNELS     its one device is a null sink of that name at 44.1 kHz
scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_RUNTIME_DIR=$scratch PULSE_SERVER=unix:$scratch/native
unset KAYIT_AUDIO DBUS_SESSION_BUS_ADDRESS DISPLAY

start_server() {
    pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=false --log-level=error \
        --load="module-native-protocol-unix socket=$scratch/native auth-anonymous=1" \
        --load="module-null-sink sink_name=$1 rate=44100 channels=$2 norewinds=1" &
    until pactl info >/dev/null 2>&1; do sleep 0.1; done
}
