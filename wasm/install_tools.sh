#!/usr/bin/env bash
# Installs what build.sh needs: the Rust target, the sources of the standard library, wasm-bindgen in the version
# of Cargo.lock, and, beside the builds, wasm-opt of Binaryen.
set -euo pipefail
cd "$(dirname "$0")"

version=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"/\1/p}' Cargo.lock)
rustup target add wasm32-unknown-unknown
rustup component add rust-src
cargo install wasm-bindgen-cli --version "$version" --locked
npm install --no-save --prefix target/tools binaryen
