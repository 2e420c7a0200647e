#!/usr/bin/env bash
# Every relative link in the Markdown files leads to a file that is there.
set -euo pipefail
cd "$(dirname "$0")/.."

broken=0
while IFS= read -r document; do
    while IFS= read -r target; do
        target=${target%%#*}
        # An empty rest is a link within the page; DocC resolves <doc:> links itself.
        case "$target" in
            '' | *://* | mailto:* | doc:*) continue ;;
        esac
        if [[ ! -e "$(dirname "$document")/$target" ]]; then
            echo "$document: no such file: $target" >&2
            broken=1
        fi
    done < <(sed '/^```/,/^```/d' "$document" | { grep -oE '\]\([^)[:space:]]+\)' || true; } | sed -e 's/^](//' -e 's/)$//')
done < <(git ls-files --cached --others --exclude-standard '*.md')
exit $broken
