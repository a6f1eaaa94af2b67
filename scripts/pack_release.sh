#!/usr/bin/env bash
# Packs a built program with its licence, documents and openings into dist/:
#
#   scripts/pack_release.sh v1.0.0 x86_64-unknown-linux-gnu
#
# The archive is a .zip for Windows and a .tar.gz for other systems.
set -euo pipefail
cd "$(dirname "$0")/.."

version=${1:?the version, such as v1.0.0}
target=${2:?the target, such as x86_64-unknown-linux-gnu}
name=cannonade-$version-$target
built=${CARGO_TARGET_DIR:-target}/$target/release/cannonade
case $target in *windows*) built+=.exe ;; esac

scripts/check_size.sh "$built" "$target"

rm -rf "dist/$name"
mkdir -p "dist/$name"
cp "$built" "dist/$name/"
cp -r docs "dist/$name/"
# The openings of examples and the files that READMEs and CONTRIBUTING.md link to, in the same folders.
for file in LICENSE scripts/openings.epd *.md nets/*.md {books,engine-tests,scripts}/README.md crates/xiangqi/README.md crates/xiangqi/src/pictures/assets/OFL.txt; do
    mkdir -p "dist/$name/$(dirname "$file")"
    cp "$file" "dist/$name/$file"
done
cd dist
case $target in
*windows*) 7z a -bso0 "$name.zip" "$name" ;;
*) tar czf "$name.tar.gz" "$name" ;;
esac
rm -r "$name"
