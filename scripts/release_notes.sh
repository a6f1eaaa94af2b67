#!/usr/bin/env bash
# Prints the section of a version in CHANGELOG.md, the notes of its release:
#
#   scripts/release_notes.sh 1.0.0
#
# Fails if a package states another version, or if the section is missing or empty.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?the version, such as 1.0.0}
for manifest in Cargo.toml python/Cargo.toml wasm/{Cargo.toml,package.json}; do
    stated=$(sed -nE 's/^(version =|  "version":) "(.*)",?$/\2/p' "$manifest" | head -n 1)
    if [ "$version" != "$stated" ]; then
        echo "the version is $version, but $manifest has $stated" >&2
        exit 1
    fi
done
notes=$(awk -v version="$version" '/^## / { inside = ($2 == version); next } inside' CHANGELOG.md)
if ! grep -q '[^[:space:]]' <<<"$notes"; then
    echo "CHANGELOG.md has no section '## $version', or it is empty" >&2
    exit 1
fi
echo "$notes"
