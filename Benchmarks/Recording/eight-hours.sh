#!/usr/bin/env bash
# Memory over eight hours of recording, from the simulated microphone whose time runs as fast as the recorder.
#
#   Benchmarks/Recording/eight-hours.sh PROGRAM [HOURS]     PROGRAM is the release build of kayit
#
# Prints the resident memory after the first minute of audio and at the end. Goal: growth below 2 MiB.
# The queue behind the microphone holds a minute, and here it is always full: in real time it is nearly empty.
set -euo pipefail

kayit=$(realpath "$1")
seconds=$((${2:-8} * 3600))
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
export KAYIT_AUDIO=simulated KAYIT_SIMULATED_TIME=free

"$kayit" record --json --duration "$seconds" "$scratch/take.m4a" >"$scratch/log" &
pid=$!
began=$SECONDS
first=
last=
while kill -0 "$pid" 2>/dev/null; do
    resident=$(awk '/^VmRSS/ { print $2 }' "/proc/$pid/status" 2>/dev/null || true)
    heard=$(tail -n 1 "$scratch/log" | grep -o '"seconds":[0-9]*' | cut -d: -f2 || true)
    if [[ -n "$resident" ]]; then
        last=$resident
        [[ -z "$first" && ${heard:-0} -ge 60 ]] && first=$resident
    fi
    sleep 0.2
done
wait "$pid"
echo "$((seconds / 3600)) h of AAC in $((SECONDS - began)) s; resident $((${first:-$last} / 1024)) MiB after a minute," \
    "$((last / 1024)) MiB at the end: $(((last - ${first:-$last}))) KiB more"
"$kayit" info --json "$scratch/take.m4a" | jq -r '"\(.frames) frames, \(.integrity)"'
