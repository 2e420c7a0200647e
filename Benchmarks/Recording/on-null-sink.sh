#!/usr/bin/env bash
# Runs a program on a private PulseAudio server whose only microphone is the monitor of a null sink.
#
#   Benchmarks/Recording/on-null-sink.sh PROGRAM [ARGUMENT…]
set -euo pipefail

scratch=$(mktemp -d)
trap 'kill $(jobs -p) 2>/dev/null || true; rm -rf "$scratch"' EXIT
export HOME=$scratch XDG_RUNTIME_DIR=$scratch PULSE_SERVER=unix:$scratch/native
unset KAYIT_AUDIO DBUS_SESSION_BUS_ADDRESS DISPLAY

pulseaudio -n --daemonize=no --exit-idle-time=-1 --use-pid-file=false --log-level=error \
    --load="module-native-protocol-unix socket=$scratch/native auth-anonymous=1" \
    --load="module-null-sink sink_name=loop rate=44100 channels=1 norewinds=1" &
until pactl info >/dev/null 2>&1; do sleep 0.1; done
"$@"
