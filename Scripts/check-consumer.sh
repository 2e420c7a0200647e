#!/usr/bin/env bash
# Another package depends on this one by version, imports only Apple's names, compiles a corpus of typical client code,
# records, and runs its own tests on simulated devices. The version is a tag on a clone: what is not committed is not part of it.
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
git clone --quiet --no-tags . "$scratch/kayit"
git -C "$scratch/kayit" tag 0.1.0
cp -r Tests/Consumer "$scratch/consumer"
cd "$scratch/consumer"
rm -rf .build Package.resolved

export KAYIT_REPOSITORY="file://$scratch/kayit"
swift build --quiet --build-tests --cache-path "$scratch/cache"
KAYIT_AUDIO=simulated "$(swift build --show-bin-path --cache-path "$scratch/cache")/Recorder"
swift test --quiet --skip-build --disable-xctest --cache-path "$scratch/cache"
