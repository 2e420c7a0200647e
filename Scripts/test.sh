#!/usr/bin/env bash
# All tests. First those that only compute, side by side. Then those that wait for servers, devices, disks and programs in
# real time: in two lanes, in each one after the other, so that they do not wait for each other's processor time.
#
#   Scripts/test.sh FLAG…     the flags with which the tests were built
set -euo pipefail
cd "$(dirname "$0")/.."

disks='^(FaultTests|CampaignTests)\.'
devices='^(ServerTests|ConformanceTests|CLITests|ExamplesTests|AudioRuntimeTests)\.'

swift=${SWIFT:-swift}
run() { "$swift" test --skip-build --disable-xctest --ignore-lock "${flags[@]}" "$@"; }
flags=("$@")

run --skip "$disks" --skip "$devices"

log=$(mktemp)
trap 'rm -f "$log"' EXIT
run --no-parallel --filter "$disks" >"$log" 2>&1 &
lane=$!
status=0
run --no-parallel --filter "$devices" || status=$?
wait "$lane" || status=$?
echo "── the other lane: disks and campaigns"
cat "$log"
exit "$status"
