#!/usr/bin/env bash
# Fails if a built program is larger than a release may be:
#
#   scripts/check_size.sh target/release/cannonade x86_64-unknown-linux-gnu
#
# The network and the endgame results are most of it; a larger program is a mistake. Sizes are known for Linux only.
set -euo pipefail

built=${1:?the program}
target=${2:?the target, such as x86_64-unknown-linux-gnu}
case $target in *linux-gnu) limit=20 ;; *) limit=24 ;; esac
size=$(wc -c <"$built")
if ((size > limit << 20)); then
    echo "$built has $((size)) bytes, more than $limit MiB" >&2
    exit 1
fi
