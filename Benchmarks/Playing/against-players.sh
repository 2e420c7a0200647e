#!/usr/bin/env bash
# What playing costs: processor for each second of sound, and memory, of kayit, paplay, ffmpeg, mpv and GStreamer, one after
# the other on a private PulseAudio server with a null sink. The bound is that of paplay with the same PCM, and the decoder's.
#
#   Benchmarks/Playing/against-players.sh KAYIT [SECONDS]
set -euo pipefail

kayit=$1
seconds=${2:-20}

source "$(dirname "$0")/../private-server.sh"
start_server speaker 2

sound() { ffmpeg -loglevel error -y -f lavfi -i "aevalsrc=0.4*sin(2*PI*(200+20*t)*t)*sin(3*t):s=44100:d=$1" -ac 2 "${@:2}"; }
sound "$seconds" "$scratch/a.wav"
sound "$seconds" -b:a 96k "$scratch/a.m4a"
sound "$seconds" "$scratch/a.flac"
# A second and a half for what a start costs by itself, which does not grow with the sound.
sound 1.5 "$scratch/s.wav"
sound 1.5 -b:a 96k "$scratch/s.m4a"
sound 1.5 "$scratch/s.flac"

# Processor time in seconds and memory in KiB.
cost() { /usr/bin/time --format='%U %S %M' --output="$scratch/time" "$@" >/dev/null 2>&1 && awk '{print $1 + $2, $3}' "$scratch/time"; }

row() {
    local name=$1 suffix=$2 long short
    shift 2
    long=$(cost "$@" "$scratch/a.$suffix")
    short=$(cost "$@" "$scratch/s.$suffix")
    awk -v name="$name" -v suffix="$suffix" -v long="$long" -v short="$short" -v seconds="$seconds" 'BEGIN {
        split(long, l); split(short, s)
        printf "| %s | %s | %.2f | %.0f | %.1f |\n", name, suffix, (l[1] - s[1]) / (seconds - 1.5) * 1000, s[1] * 1000, l[2] / 1024
    }'
}

gst_play() { gst-launch-1.0 -q filesrc location="$1" ! decodebin ! audioconvert ! audioresample ! pulsesink; }
export -f gst_play

echo "| player | file | processor for 1 s of sound, ms | start, ms | memory, MiB |"
echo "|---|---|--:|--:|--:|"
for suffix in wav m4a flac; do
    row kayit "$suffix" "$kayit" play
    [[ $suffix == wav ]] && row paplay "$suffix" paplay
    row mpv "$suffix" mpv --no-config --really-quiet --no-video --ao=pulse
    row GStreamer "$suffix" bash -c 'gst_play "$0"'
    # What decoding alone costs, to be added to paplay.
    row "ffmpeg, decoding only" "$suffix" bash -c 'ffmpeg -loglevel error -nostdin -i "$0" -f null -'
done
