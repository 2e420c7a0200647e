#!/usr/bin/env bash
# Processor time and memory of an hour of recording, against ffmpeg: both record the same source of the same sound server,
# one after the other, to the same codec. What starting costs is taken off: each records twice, for 2 seconds and for longer,
# and the difference counts.
#
#   Benchmarks/Recording/against-ffmpeg.sh PROGRAM [SECONDS]     PROGRAM is the release build of kayit; 20 seconds each
#
# Both run in real time, so that what a recorder does per second (wake up, write, synchronise) counts as it does in use.
# kayit also writes a checkpoint every 40 ms and synchronises every 250 ms, which ffmpeg does not.
# Goal: at most 1.1 × ffmpeg's processor time, at most half its memory.
set -euo pipefail

kayit=$(realpath "$1")
seconds=${2:-20}
source "$(dirname "$0")/../private-server.sh"
start_server loop 1

# Speech for as long as it all takes.
espeak-ng -w "$scratch/speech.wav" "The recording goes on while nobody looks. $(seq -s ', ' 1 60)."
while true; do paplay --device=loop "$scratch/speech.wav"; done &
sleep 1

# Prints the processor seconds and kibibytes of one run.
run() {
    command time --format '%U %S %M' --output "$scratch/time" "$@" </dev/null >"$scratch/log" 2>&1 || {
        cat "$scratch/log" >&2
        exit 1
    }
    tail -n 1 "$scratch/time" | awk '{ print $1 + $2, $3 }'
}

# Prints processor seconds for an hour, and mebibytes. @ in the arguments stands for the seconds to record.
measure() {
    local short long
    short=$(run "${@//@/2}")
    long=$(run "${@//@/$((seconds + 2))}")
    awk -v short="$short" -v long="$long" -v seconds="$seconds" 'BEGIN {
        split(short, s); split(long, l); printf "%.1f %.1f", (l[1] - s[1]) * 3600 / seconds, l[2] / 1024
    }'
}

printf '%-6s %22s %22s %8s %8s\n' codec 'kayit s/h, MiB' 'ffmpeg s/h, MiB' 'time ×' 'memory ×'
compare() {
    local codec=$1 file=$2 ours theirs
    shift 2
    ours=$(measure "$kayit" record --force --duration @ --format "$codec" --rate 44100 --device loop.monitor "$scratch/$file")
    theirs=$(measure ffmpeg -nostdin -loglevel error -f pulse -sample_rate 44100 -channels 1 -i loop.monitor -t @ -y \
        "$@" "$scratch/ffmpeg-$file")
    awk -v codec="$codec" -v ours="$ours" -v theirs="$theirs" 'BEGIN {
        split(ours, o); split(theirs, t)
        printf "%-6s %12s s %5s MiB %12s s %5s MiB %8.2f %8.2f\n", codec, o[1], o[2], t[1], t[2], (t[1] > 0 ? o[1] / t[1] : 0), o[2] / t[2]
    }'
}
compare aac aac.m4a -c:a aac -b:a 96k
compare alac alac.m4a -c:a alac
compare ima4 ima4.caf -c:a adpcm_ima_qt
compare pcm pcm.wav -c:a pcm_s16le
compare flac flac.flac -c:a flac
