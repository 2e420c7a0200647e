#!/usr/bin/env bash
# Fuzzes the readers and decoders: mutated files of every kind go through everything that reads, scenarios included; and what
# is heard on the message bus.
#
#   Scripts/fuzz.sh [SECONDS]     30 by default; findings are left in .build/fuzz/findings
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-30}
export KAYIT_FUZZ=1
flags=(--scratch-path .build/fuzz --configuration release --sanitize fuzzer)
swift build --quiet "${flags[@]}" --product FuzzReaders
swift build --quiet "${flags[@]}" --product FuzzBus
programs=$(swift build "${flags[@]}" --show-bin-path)

# Small files of every kind to begin with, made by another program.
corpus=.build/fuzz/corpus
findings=.build/fuzz/findings
mkdir -p "$corpus" "$findings"
# A scenario of the simulation and the description of a sound theme, with what their lines can say.
cp Fuzz/Readers/everything.scenario Fuzz/Readers/index.theme "$corpus/"
make_seed() {
    local file=$1
    shift
    [[ -e "$corpus/$file" ]] || ffmpeg -loglevel error -nostdin -f lavfi -i "sine=frequency=440:duration=0.3" "$@" "$corpus/$file"
}
make_seed aac.m4a -c:a aac -ac 1 -ar 12000
make_seed faststart.m4a -c:a aac -ac 2 -movflags +faststart
make_seed alac.m4a -c:a alac -ac 1 -ar 8000
make_seed alac.caf -c:a alac -ac 1 -ar 8000
make_seed ima4.caf -c:a adpcm_ima_qt -ac 2 -ar 8000
make_seed pcm.caf -c:a pcm_s16be -ar 8000
make_seed float.caf -c:a pcm_f32le -ar 8000
make_seed pcm.wav -c:a pcm_s16le -ar 8000
make_seed 24.wav -c:a pcm_s24le -ar 8000
make_seed rf64.wav -c:a pcm_s16le -ar 8000 -rf64 always
make_seed mulaw.wav -c:a pcm_mulaw -ar 8000
make_seed pcm.aiff -c:a pcm_s16be -ar 8000
make_seed sowt.aifc -c:a pcm_s16le -ar 8000 -f aiff
make_seed ima4.aifc -c:a adpcm_ima_qt -ar 8000 -f aiff
make_seed mono.flac -c:a flac -ar 8000
make_seed opus.opus -c:a libopus -b:a 24k
make_seed mp3.mp3 -c:a libmp3lame -b:a 32k
make_seed vorbis.ogg -c:a libvorbis -ac 2
make_seed link.ogg -c:a libvorbis -ac 2
[[ -e "$corpus/chain.ogg" ]] || cat "$corpus/vorbis.ogg" "$corpus/link.ogg" >"$corpus/chain.ogg"

# And files with markers and gaps, which the fuzzer makes by itself.
KAYIT_FUZZ_SEEDS=$corpus "$programs/FuzzReaders" "$corpus" -artifact_prefix="$findings/" \
    -max_total_time="$seconds" -timeout=10 -rss_limit_mb=1024 -max_len=65536 -print_final_stats=1 -verbosity=0

# What strangers send over the message bus: little code, a quarter of the time.
mkdir -p .build/fuzz/corpus-bus
"$programs/FuzzBus" .build/fuzz/corpus-bus -artifact_prefix="$findings/" \
    -max_total_time="$((seconds / 4 + 1))" -timeout=10 -rss_limit_mb=1024 -max_len=4096 -print_final_stats=1 -verbosity=0
