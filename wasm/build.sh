#!/usr/bin/env bash
# Builds the module with and without SIMD, and the npm package of both in the folder `package`.
# install_tools.sh installs what it needs; without wasm-opt the modules are larger.
set -euo pipefail
cd "$(dirname "$0")"

target=wasm32-unknown-unknown
wanted=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"/\1/p}' Cargo.lock)
found=$(wasm-bindgen --version 2>/dev/null || true)
if [ "$found" != "wasm-bindgen $wanted" ]; then
    echo "wasm-bindgen $wanted is needed, '${found:-none}' is there: wasm/install_tools.sh" >&2
    exit 1
fi

rm -rf package
mkdir package
for simd in + -; do
    # The other flags are those of .cargo/config.toml, which the variable replaces.
    RUSTFLAGS="-C link-arg=-zstack-size=8388608 -C target-feature=${simd}simd128 --cfg getrandom_backend=\"wasm_js\"" \
        cargo build --release --locked --target $target --target-dir "target/simd$simd"
    folder=target/simd$simd/bindings
    wasm-bindgen --target web --no-typescript --omit-default-module-path --out-dir "$folder" "target/simd$simd/$target/release/cannonade_wasm.wasm"
    name=package/cannonade$([ $simd = - ] || echo -simd).wasm
    if command -v wasm-opt >/dev/null; then
        wasm-opt -O3 --enable-simd --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
            --enable-mutable-globals --enable-reference-types --enable-multivalue "$folder/cannonade_wasm_bg.wasm" -o "$name"
    else
        cp "$folder/cannonade_wasm_bg.wasm" "$name"
    fi
done
# Both modules have the same bindings.
cmp target/simd+/bindings/cannonade_wasm.js target/simd-/bindings/cannonade_wasm.js
cp target/simd+/bindings/cannonade_wasm.js js/*.js js/*.d.ts package.json README.md ../LICENSE package/
# The page of `cannonade web` without a server is made of these and its own files.
cp -r page package/
ls -l package/*.wasm
