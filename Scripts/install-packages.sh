#!/usr/bin/env bash
# Installs the Debian packages that a purpose needs and that are not there yet, after saying which.
#
#   Scripts/install-packages.sh build        to build and run
#   Scripts/install-packages.sh build test   to run the tests as well
#
# One list for each purpose lies in Scripts/packages/. Nothing is asked of the network when nothing is missing.
set -euo pipefail
cd "$(dirname "$0")/.."

wanted=()
for purpose in "$@"; do
    while read -r name; do
        wanted+=("$name")
    done < <(sed -e 's/#.*//' -e '/^[[:space:]]*$/d' "Scripts/packages/$purpose.txt")
done

if ! command -v dpkg-query >/dev/null; then
    echo "This is not a Debian system. Its packages that match these must be there:"
    printf '  %s\n' "${wanted[@]}"
    exit 0
fi

missing=()
for name in "${wanted[@]}"; do
    status=$(dpkg-query --show --showformat='${db:Status-Status}' "$name" 2>/dev/null || true)
    [[ "$status" == installed ]] || missing+=("$name")
done
[[ ${#missing[@]} -gt 0 ]] || exit 0

as_root=()
if [[ $(id -u) -ne 0 ]]; then
    if ! command -v sudo >/dev/null; then
        echo "Missing Debian packages, and no sudo to install them with. As root: apt-get install ${missing[*]}" >&2
        exit 1
    fi
    as_root=(sudo)
fi

echo "Installing the Debian packages that are missing (${#missing[@]}): ${missing[*]}"
log=$(mktemp)
trap 'rm -f "$log"' EXIT
apt() {
    "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get --quiet=2 --option Dpkg::Use-Pty=0 "$@" \
        </dev/null >"$log" 2>&1 || { cat "$log" >&2; exit 1; }
}
apt update
apt install --yes --no-install-recommends "${missing[@]}"
