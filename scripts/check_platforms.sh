#!/usr/bin/env bash
# Checks the platforms other than this machine's, as far as one Linux machine can:
#
#   aarch64 Linux   built; the tests of the evaluation and the `bench` node count run under emulation,
#                   so the NEON kernels must give the same numbers as all others
#   Windows, Android, macOS, WebAssembly (WASI)   `cargo check`
#   the minimum Rust version of Cargo.toml        `cargo check`
#
# A part whose toolchain is missing and cannot be installed is named and skipped; the last line says how
# many parts were skipped. Needs rustup; for aarch64 also gcc-aarch64-linux-gnu and qemu-user (Debian's names).
set -uo pipefail
cd "$(dirname "$0")/.."

failed=()
skipped=()

run() { # run NAME COMMAND..
    local name=$1
    shift
    echo "== $name: $*"
    if "$@"; then echo "== $name: passed"; else failed+=("$name"); fi
}

has_target() {
    rustup target add "$1" >/dev/null 2>&1
}

aarch64=aarch64-unknown-linux-gnu
if has_target $aarch64 && command -v qemu-aarch64 >/dev/null && command -v aarch64-linux-gnu-gcc >/dev/null; then
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_LINKER=aarch64-linux-gnu-gcc
    export CARGO_TARGET_AARCH64_UNKNOWN_LINUX_GNU_RUNNER="qemu-aarch64 -L /usr/aarch64-linux-gnu"
    run "aarch64 build" cargo build --release --target $aarch64
    run "aarch64 kernels" cargo test --release --target $aarch64 --lib -- evaluation
    run "aarch64 evaluation" cargo test --release --target $aarch64 --test evaluation
    expected=$(cat engine-tests/data/bench-signature.txt)
    nodes=$(qemu-aarch64 -L /usr/aarch64-linux-gnu target/$aarch64/release/cannonade bench | tail -n 1 | cut -d ' ' -f 1)
    run "aarch64 bench ($nodes nodes, expected $expected)" test "$nodes" = "$expected"
else
    skipped+=("aarch64: needs the Rust target $aarch64, aarch64-linux-gnu-gcc and qemu-aarch64")
fi

for target in x86_64-pc-windows-gnu aarch64-linux-android aarch64-apple-darwin wasm32-wasip1; do
    if has_target "$target"; then
        run "$target" cargo check --release --target "$target"
    else
        skipped+=("$target: the Rust target cannot be installed")
    fi
done

minimum=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' Cargo.toml)
if rustup toolchain install "$minimum" --profile minimal >/dev/null 2>&1; then
    run "Rust $minimum" rustup run "$minimum" cargo check --release --all-targets --target-dir target/minimum
else
    skipped+=("Rust $minimum cannot be installed")
fi

for part in "${skipped[@]:-}"; do [ -n "$part" ] && echo "skipped: $part"; done
for part in "${failed[@]:-}"; do [ -n "$part" ] && echo "failed: $part"; done
echo "${#failed[@]} failed, ${#skipped[@]} skipped"
[ ${#failed[@]} = 0 ]
