#!/usr/bin/env bash
# All tests, which are built. Those that only compute run beside those that wait for servers, devices and programs in real
# time, at the lowest priority: they get the processor that the others leave.
#
#     Scripts/test.sh FLAGS …     as they were given to `swift build`
#
# What runs in turn is shown as it happens. The rest is printed behind it: each has the runner's own closing lines, and the
# last lines printed are such.
set -uo pipefail
cd "$(dirname "$0")/.."

# One after the other, so that they do not wait for each other's processor time.
in_turn='^(ServerTests|FaultTests|ConformanceTests|CLITests|ExamplesTests|CampaignTests|AudioRuntimeTests)\.'

log=$(mktemp)
computing=
trap 'rm -f "$log"; if [ -n "$computing" ]; then kill "$computing" 2>/dev/null; fi' EXIT
# As `swift test` calls them; of which one would wait for the other.
tests=("$(swift build --show-bin-path "$@")/kayitPackageTests.xctest" --testing-library swift-testing)
nice -n 19 "${tests[@]}" --skip "$in_turn" >"$log" 2>&1 &
computing=$!
status=0
"${tests[@]}" --no-parallel --filter "$in_turn" || status=$?
wait "$computing" || status=$?
computing=
cat "$log"
exit "$status"
