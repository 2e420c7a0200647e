#!/usr/bin/env bash
# Runs what hands data between threads under the thread sanitizer, in a build folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

suites='AudioCoreTests|AudioRuntimeTests|AVFAudioTests|AudioSimulationTests'
flags=(--scratch-path .build/thread-sanitizer --sanitize thread)
swift build --quiet --build-tests "${flags[@]}"
# The first race ends the run with a failure.
TSAN_OPTIONS="halt_on_error=1 exitcode=66 suppressions=$PWD/Scripts/thread-sanitizer.txt" swift test --skip-build --disable-xctest --filter "$suites" "${flags[@]}" \
    >.build/thread-sanitizer.log 2>&1 || { tail -n 100 .build/thread-sanitizer.log >&2; exit 1; }
grep '^✔ Test run' .build/thread-sanitizer.log
