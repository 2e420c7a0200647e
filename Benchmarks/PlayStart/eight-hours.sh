#!/usr/bin/env bash
# First seek, and 200 others, in files of eight hours. PROGRAM is the release build of PlayStart.
#
#   Benchmarks/PlayStart/eight-hours.sh PROGRAM
set -euo pipefail

program=$(realpath "$1")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"

ffmpeg -v error -f lavfi -i "sine=f=300:r=44100:d=300,tremolo=f=3" part.wav
ffmpeg -v error -i part.wav -c:a aac -b:a 64k part.m4a
ffmpeg -v error -i part.wav -c:a aac -b:a 64k part.aac
ffmpeg -v error -i part.wav -c:a libvorbis -q:a 2 part.ogg
ffmpeg -v error -i part.wav -c:a libopus -b:a 48k part.opus
lame --quiet -V 6 -t part.wav part.mp3
for format in aac mp3; do
    for _ in $(seq 96); do cat part.$format; done >hours.$format
done
for format in m4a ogg opus; do
    for _ in $(seq 96); do echo "file part.$format"; done >list
    ffmpeg -v error -f concat -i list -c copy hours.$format
done
for _ in $(seq 96); do echo "file part.wav"; done >list
ffmpeg -v error -f concat -i list -c:a flac hours.flac
ffmpeg -v error -f concat -i list -c copy hours.wav
"$program" seek hours.wav hours.flac hours.m4a hours.opus hours.aac hours.mp3 hours.ogg
