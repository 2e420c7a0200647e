#!/usr/bin/env bash
# All tests. First those that only compute, side by side. Then those that wait for servers, devices, disks and programs in
# real time: in lanes, in each one after the other, so that they do not wait for each other's processor time.
#
#   Scripts/test.sh FLAG…     the flags with which the tests were built
set -euo pipefail
cd "$(dirname "$0")/.."

disks='^(FaultTests|CampaignTests)\.'
programs='^(CLITests|ExamplesTests|AudioRuntimeTests)\.'
devices='^(ServerTests|ConformanceTests)\.'

swift=${SWIFT:-swift}
flags=("$@")
run() { "$swift" test --skip-build --disable-xctest --ignore-lock "${flags[@]}" "$@"; }

run --skip "$disks" --skip "$programs" --skip "$devices"

logs=$(mktemp -d)
trap 'rm -rf "$logs"' EXIT
run --no-parallel --filter "$disks" >"$logs/disks" 2>&1 &
disks_lane=$!
run --no-parallel --filter "$programs" >"$logs/programs" 2>&1 &
programs_lane=$!
status=0
run --no-parallel --filter "$devices" || status=$?
wait "$programs_lane" || status=$?
echo "── the lane of programs"
cat "$logs/programs"
wait "$disks_lane" || status=$?
echo "── the lane of disks and campaigns"
cat "$logs/disks"
exit "$status"
