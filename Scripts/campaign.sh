#!/usr/bin/env bash
# Tries to break recordings for some minutes, on a machine with nothing else to do, and puts the tables of what came out
# into docs/RELIABILITY.md.
#
#     Scripts/campaign.sh [SEED]
#
# Sizes are in the environment: KAYIT_KILLS (of each format, on a real server), KAYIT_VIRTUAL_KILLS (of each pair, in
# virtual time), KAYIT_PART_KILLS (of each pair, in parts), KAYIT_JOB_KILLS, KAYIT_POWER_CUTS (rounds on a real file
# system), KAYIT_TAKES, KAYIT_THREAD_SECONDS.
set -euo pipefail
cd "$(dirname "$0")/.."

export KAYIT_SEED=${1:-1}
export KAYIT_KILLS=${KAYIT_KILLS:-40} KAYIT_VIRTUAL_KILLS=${KAYIT_VIRTUAL_KILLS:-16} KAYIT_JOB_KILLS=${KAYIT_JOB_KILLS:-20}
export KAYIT_PART_KILLS=${KAYIT_PART_KILLS:-8}
export KAYIT_POWER_CUTS=${KAYIT_POWER_CUTS:-12} KAYIT_TAKES=${KAYIT_TAKES:-1000} KAYIT_THREAD_SECONDS=${KAYIT_THREAD_SECONDS:-60}
export KAYIT_TABLES=$PWD/.build/campaign
rm -rf "$KAYIT_TABLES"
mkdir -p "$KAYIT_TABLES"

status=0
checked=(-Xswiftc -warnings-as-errors --explicit-target-dependency-import-check error)
swift build --quiet --build-tests "${checked[@]}"
swift test --skip-build --disable-xctest "${checked[@]}" --no-parallel \
    --filter '^CampaignTests\.' --filter '^FaultTests\.PowerCutTests' || status=$?

# Each table stands between <!-- campaign: NAME --> and <!-- end -->.
document=docs/RELIABILITY.md
for table in "$KAYIT_TABLES"/*.md; do
    name=$(basename "$table" .md)
    grep -q "^<!-- campaign: $name -->" "$document" || { echo "$document has no place for $name" >&2; status=1; }
    awk -v name="$name" -v table="$table" '
        /^<!-- end -->/ { inside = 0 }
        !inside { print }
        $0 == "<!-- campaign: " name " -->" { while ((getline line < table) > 0) print line; inside = 1 }' \
        "$document" >"$document.new"
    mv "$document.new" "$document"
done
sed -i "s/^Last campaign: .*/Last campaign: seed $KAYIT_SEED, commit $(git rev-parse --short HEAD), $(date +%F)./" "$document"
exit "$status"
