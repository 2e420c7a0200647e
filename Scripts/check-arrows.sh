#!/usr/bin/env bash
# The arrows between targets in Package.swift are those that docs/ARCHITECTURE.md shows, and no others.
#
# This is about Sources: tests and examples (targets with a path of their own) may import what they look at.
# The document has them as tables between <!-- arrows --> marks: | `Target` | `Imports`, `These` | … |
# That the sources import only what the manifest allows is the compiler's own check
# (swift build --explicit-target-dependency-import-check error).
set -euo pipefail
cd "$(dirname "$0")/.."

# Both sides print one line for each arrow, and one for each target without any.
in_manifest() {
    swift package dump-package | jq -r '
        .targets[] | select(.type != "test" and .type != "system" and .path == null)
        | .name as $from | ([.dependencies[] | (.byName // .target // .product)[0]] | if . == [] then ["nothing"] else . end)[]
        | "\($from) -> \(.)"'
}

in_document() {
    local from row
    sed -n '/<!-- arrows -->/,/<!-- \/arrows -->/p' docs/ARCHITECTURE.md | grep '^| `' | while IFS='|' read -r _ from row _; do
        from=$(tr -d '` ' <<<"$from")
        { grep -oE '`[A-Za-z]+`' <<<"$row" || echo nothing; } | tr -d '`' | sed "s/^/$from -> /"
    done
}

if ! difference=$(diff <(in_manifest | sort) <(in_document | sort)); then
    echo "Arrows differ (< Package.swift, > docs/ARCHITECTURE.md):" >&2
    echo "$difference" >&2
    exit 1
fi
