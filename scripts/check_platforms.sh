#!/usr/bin/env bash
# Checks the platforms other than this machine's, as far as one Linux machine can:
#
#   scripts/check_platforms.sh [PART..]      all parts if none is named
#
#   aarch64                 built; the tests of the evaluation and the `bench` node count run under
#                           emulation, so the NEON kernels must give the same numbers as all others
#   x86_64-pc-windows-gnu, aarch64-linux-android, aarch64-apple-darwin, wasm32-wasip1
#                           `cargo check`
#   minimum                 `cargo check` with the oldest Rust that Cargo.toml allows
#
# A part whose toolchain is missing and cannot be installed is skipped with a message; the last line has
# the number of parts that were skipped. Needs rustup; for aarch64 also gcc-aarch64-linux-gnu and qemu-user
# (Debian's names).
set -uo pipefail
cd "$(dirname "$0")/.." || exit

checked=(x86_64-pc-windows-gnu aarch64-linux-android aarch64-apple-darwin wasm32-wasip1)
parts=("$@")
[ $# -gt 0 ] || parts=(aarch64 "${checked[@]}" minimum)
failed=()
skipped=()

run() { # run NAME COMMAND..
    local name=$1
    shift
    echo "== $name: $*"
    if "$@"; then echo "== $name: passed"; else failed+=("$name"); fi
}

has_target() {
    rustup target list --installed | grep -qx "$1" || rustup target add "$1" >/dev/null 2>&1
}

check_aarch64() {
    local target=aarch64-unknown-linux-gnu expected nodes
    if ! has_target $target || ! command -v qemu-aarch64 >/dev/null || ! command -v aarch64-linux-gnu-gcc >/dev/null; then
        skipped+=("aarch64: needs the Rust target $target, aarch64-linux-gnu-gcc and qemu-aarch64")
        return
    fi
    local emulator="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER=$emulator
    run "aarch64 build" cargo build --release --target $target
    run "aarch64 kernels" cargo test --release --target $target -p cannonade-engine --lib -- nnue::
    run "aarch64 evaluation" cargo test --release --target $target -p cannonade-engine --test all -- evaluation::
    expected=$(cat engine-tests/data/bench-signature.txt)
    nodes=$($emulator "${CARGO_TARGET_DIR:-target}/$target/release/cannonade" bench | tail -n 1 | cut -d ' ' -f 1)
    run "aarch64 bench ($nodes nodes, expected $expected)" test "$nodes" = "$expected"
}

check_minimum() {
    local minimum toolchain
    minimum=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
    for toolchain in "$minimum" "$minimum.0"; do
        if rustup run "$toolchain" rustc --version >/dev/null 2>&1 || rustup toolchain install "$toolchain" --profile minimal >/dev/null 2>&1; then
            run "Rust $toolchain" rustup run "$toolchain" cargo check --release --workspace --all-targets --target-dir target/minimum
            return
        fi
    done
    skipped+=("Rust $minimum cannot be installed")
}

for part in "${parts[@]}"; do
    case $part in
        aarch64) check_aarch64 ;;
        minimum) check_minimum ;;
        *)
            if ! printf '%s\n' "${checked[@]}" | grep -qx -- "$part"; then
                echo "$part is not a part; the parts are: aarch64 ${checked[*]} minimum"
                exit 2
            elif has_target "$part"; then
                run "$part" cargo check --release --workspace --target "$part"
            else
                skipped+=("$part: the Rust target cannot be installed")
            fi
            ;;
    esac
done

for part in "${skipped[@]:-}"; do [ -n "$part" ] && echo "skipped: $part"; done
for part in "${failed[@]:-}"; do [ -n "$part" ] && echo "failed: $part"; done
echo "${#failed[@]} failed, ${#skipped[@]} skipped"
[ ${#failed[@]} = 0 ]
