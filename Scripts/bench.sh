#!/usr/bin/env bash
# All benchmarks, with the release build. Arguments go to the comparison with ffmpeg (seconds to record, 20 by default).
set -euo pipefail
cd "$(dirname "$0")/.."

export KAYIT_BENCH=1
swift build --quiet --configuration release --product kayit
swift build --quiet --configuration release --product StartStop
swift build --quiet --configuration release --product JoinParts
swift build --quiet --configuration release --product FinishTime
swift build --quiet --configuration release --product PlayStart
bin=$(swift build --configuration release --show-bin-path)

Benchmarks/Recording/against-ffmpeg.sh "$bin/kayit" "$@"
Benchmarks/Recording/eight-hours.sh "$bin/kayit"
Benchmarks/Recording/on-null-sink.sh "$bin/StartStop"
Benchmarks/Recording/on-null-sink.sh "$bin/PlayStart" start
Benchmarks/PlayStart/eight-hours.sh "$bin/PlayStart"
Benchmarks/Playing/against-players.sh "$bin/kayit"
Benchmarks/Joining/against-ffmpeg.sh "$bin/JoinParts" "$bin/kayit"
"$bin/FinishTime" "${TMPDIR:-/tmp}"
