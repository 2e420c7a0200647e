#!/usr/bin/env bash
# Has eight threads call everything at random, and makes one take after the other, under the thread sanitizer and under the
# address and leak sanitizer; and runs the test suites of what hands data between threads under the thread sanitizer. The
# first report ends it with a failure.
#
#     Scripts/sanitize.sh [SECONDS [TAKES [RUNS]]]        RUNS of players, 500 by default
#
# The locks of Swift's Synchronization library change hands in a library that was not built for the thread sanitizer:
# Scripts/sanitizers/swift-mutex.c tells it of them. Suppressions are for the suites alone, and Scripts/sanitizers/thread.txt
# says why. Each sanitizer has a build folder of its own.
set -euo pipefail
cd "$(dirname "$0")/.."

seconds=${1:-60}
takes=${2:-1000}
runs=${3:-500}
seed=${KAYIT_SEED:-1}
work=.build/sanitizers
mkdir -p "$work"

build() { # thread|address
    swift build --quiet --product CampaignThreads --sanitize "$1" --scratch-path ".build/$1-sanitizer"
    program=$(swift build --show-bin-path --sanitize "$1" --scratch-path ".build/$1-sanitizer")/CampaignThreads
}

run() { # title, command …
    local title=$1 from=$SECONDS log="$work/$1.log"
    shift
    "$@" >"$log" 2>&1 || { echo "$title: status $?" >&2; grep -v '^$' "$log" | head -n 100 >&2; exit 1; }
    echo "$title: no report, $((SECONDS - from)) s; $(grep -v '^$' "$log" | tail -n 1)"
}

build thread
clang=$(dirname "$(readlink -f "$(command -v swift)")")/clang
"$clang" -shared -fPIC -O1 -Wall -Wextra -Werror -o "$work/swift-mutex.so" Scripts/sanitizers/swift-mutex.c
tsan="halt_on_error=1 exitcode=66 history_size=5"
thread() { env TSAN_OPTIONS="$tsan" LD_PRELOAD="$PWD/$work/swift-mutex.so" "$@"; }
# A race made on purpose must be seen: otherwise silence means nothing.
status=0
thread "$program" race >"$work/race.log" 2>&1 || status=$?
if [ "$status" != 66 ] || ! grep -q 'WARNING: ThreadSanitizer' "$work/race.log"; then
    echo "thread: a race made on purpose was not reported (status $status)" >&2
    exit 1
fi
run thread-calls thread "$program" calls "$seconds" "$seed"
run thread-takes thread "$program" takes "$takes"
run thread-players thread "$program" players "$runs" "$seed"

suites='AudioCoreTests|AudioRuntimeTests|AVFAudioTests|AudioSimulationTests'
swift build --quiet --build-tests --sanitize thread --scratch-path .build/thread-sanitizer
tsan+=" suppressions=$PWD/Scripts/sanitizers/thread.txt"
# Not by `swift test`, which would load swift-mutex.so itself.
run thread-tests thread "$(dirname "$program")/kayitPackageTests.xctest" --testing-library swift-testing --filter "$suites"

build address
address() { env ASAN_OPTIONS="detect_leaks=1 exitcode=67 detect_stack_use_after_return=0" "$@"; }
run address-calls address "$program" calls "$seconds" "$seed"
run address-takes address "$program" takes "$takes"
run address-players address "$program" players "$runs" "$seed"
