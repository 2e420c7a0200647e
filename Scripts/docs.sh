#!/usr/bin/env bash
# DocC pages of every public module, as one site in .build/docs/site. A warning of DocC is an error.
#
# The symbols are read from the modules that a debug build has left behind, so that nothing is compiled again.
set -euo pipefail
cd "$(dirname "$0")/.."

package=$(swift package dump-package)
modules=$(jq -r '.products[] | select(.type | has("library")) | .targets[]' <<<"$package" | sort -u)
built=$(swift build --show-bin-path)/Modules
target=$(swift -print-target-info | jq -r .target.triple)
rm -rf .build/docs
mkdir -p .build/docs/archives
c_modules=()
# Those of C targets without one of their own are made by the build.
for map in Sources/*/module.modulemap Sources/*/include/module.modulemap "$(dirname "$built")"/C*.build/module.modulemap; do
    c_modules+=(-Xcc "-fmodule-map-file=$map")
done
# Libraries whose headers lie in folders of their own, as the manifest says.
for library in $(jq -r '.targets[].pkgConfig // empty' <<<"$package"); do
    for flag in $(pkg-config --cflags-only-I "$library"); do c_modules+=(-Xcc "$flag"); done
done

failed=0
for module in $modules; do
    graphs=.build/docs/graphs/$module
    mkdir -p "$graphs"
    swift symbolgraph-extract -module-name "$module" -target "$target" -I "$built" "${c_modules[@]}" \
        -minimum-access-level public -skip-synthesized-members -output-dir "$graphs"

    catalogue=Sources/$module/$module.docc
    docc convert $([[ -d "$catalogue" ]] && echo "$catalogue") \
        --fallback-display-name "$module" \
        --fallback-bundle-identifier "kayit.$module" \
        --additional-symbol-graph-dir "$graphs" \
        --output-path ".build/docs/archives/$module.doccarchive" \
        --warnings-as-errors >"$graphs/log" 2>&1 || { cat "$graphs/log" >&2; failed=1; }
done
[[ $failed -eq 0 ]] || exit 1

docc merge .build/docs/archives/*.doccarchive --synthesized-landing-page-name Kayıt --output-path .build/docs/site
echo "Documentation: .build/docs/site (docc preview or any web server shows it)"
