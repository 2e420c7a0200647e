#!/usr/bin/env bash
# All benchmarks, with the release build.
set -euo pipefail
cd "$(dirname "$0")/.."

swift build --quiet --configuration release --product kayit
Benchmarks/Recording/against-ffmpeg.sh "$(swift build --configuration release --show-bin-path)/kayit" "$@"
