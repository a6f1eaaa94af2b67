#!/usr/bin/env bash
# Checks the crate `xiangqi` as its users get it: packed; with each set of features; its examples; and the program of its README
# in a package of its own, outside the workspace.
set -euo pipefail
cd "$(dirname "$0")/.."

target=$(realpath "${CARGO_TARGET_DIR:-target}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cargo package --quiet --package xiangqi --allow-dirty --no-verify --target-dir "$target"
# In the same folder each time, so that a second run builds only what has changed.
crate="$target/crate/xiangqi"
rm -rf "$crate"
mkdir -p "$crate"
tar -xzf "$target"/package/xiangqi-*.crate -C "$crate" --strip-components 1
# The versions of the dependencies that the workspace is tested with.
cp Cargo.lock "$crate"
# It is below a workspace of which it is no part.
printf '\n[workspace]\n' >>"$crate/Cargo.toml"
export CARGO_TARGET_DIR="$target/crate" RUSTFLAGS="-D warnings"

cd "$crate"
cargo check --quiet --no-default-features
cargo check --quiet --all-features

show() { # show TEXT EXAMPLE ARGUMENTS..: the example prints the text
    local text=$1
    shift
    local output
    output=$(cargo run --quiet --example "$1" -- "${@:2}")
    grep --quiet --fixed-strings "$text" <<<"$output" || {
        echo "the example '$*' does not print '$text':"
        echo "$output"
        exit 1
    }
}
show '79666 nodes' perft 3
show 'WXF: red loses' judge_game examples/perpetual_check.xqf
show '1 games from xqf to pgn' convert examples/perpetual_check.xqf "$work/game.pgn"
show '將' draw_board '3k5/9/9/9/9/9/9/9/4A4/R3K4 w'

mkdir -p "$work/program/src"
# shellcheck disable=SC2016  # the quotes are those of Markdown
sed -n '/^```rust$/,/^```$/p' README.md | grep -v '^```' >"$work/program/src/main.rs"
cp Cargo.lock "$work/program"
cat >"$work/program/Cargo.toml" <<END
[package]
name = "program"
version = "1.0.0"
edition = "2021"

[dependencies]
xiangqi = { path = "$crate" }
END
cargo run --quiet --manifest-path "$work/program/Cargo.toml" >"$work/output"
grep --fixed-strings ': red perpetual check' "$work/output"
