#!/usr/bin/env bash
# Builds the module with SIMD, without, and with threads, and the npm package of them in the folder `package`.
# install_tools.sh installs what it needs; without wasm-opt the modules are larger, and without the sources of
# the standard library the module with threads is left out.
set -euo pipefail
cd "$(dirname "$0")"

PATH=$PWD/target/tools/node_modules/.bin:$PATH
target=wasm32-unknown-unknown
wanted=$(sed -n '/^name = "wasm-bindgen"$/{n;s/^version = "\(.*\)"/\1/p}' Cargo.lock)
found=$(wasm-bindgen --version 2>/dev/null || true)
if [ "$found" != "wasm-bindgen $wanted" ]; then
    echo "wasm-bindgen $wanted is needed, '${found:-none}' is there: wasm/install_tools.sh" >&2
    exit 1
fi

# build FOLDER FEATURES MODULE BINDINGS FLAGS..: builds a module with these features of the target.
build() {
    local folder=target/$1 features=$2 module=package/$3.wasm bindings=package/$4.js
    shift 4
    # The other flags are those of .cargo/config.toml, which the variable replaces.
    RUSTFLAGS="-C link-arg=-zstack-size=8388608 -C target-feature=$features --cfg getrandom_backend=\"wasm_js\" ${link_args:-}" \
        cargo build --release --locked --target $target --target-dir "$folder" "$@"
    wasm-bindgen --target web --no-typescript --omit-default-module-path --out-dir "$folder/bindings" \
        "$folder/$target/release/cannonade_wasm.wasm"
    cp "$folder/bindings/cannonade_wasm.js" "$bindings"
    if command -v wasm-opt >/dev/null; then
        wasm-opt -O3 --enable-simd --enable-threads --enable-bulk-memory --enable-nontrapping-float-to-int --enable-sign-ext \
            --enable-mutable-globals --enable-reference-types --enable-multivalue "$folder/bindings/cannonade_wasm_bg.wasm" -o "$module"
    else
        cp "$folder/bindings/cannonade_wasm_bg.wasm" "$module"
    fi
}

rm -rf package
mkdir package
build simd- -simd128 cannonade cannonade_wasm
mv package/cannonade_wasm.js target/bindings.js
build simd+ +simd128 cannonade-simd cannonade_wasm
# Both modules have the same bindings.
cmp target/bindings.js package/cannonade_wasm.js
if [ -d "$(rustc --print sysroot)/lib/rustlib/src/rust/library/std" ]; then
    # Shared memory needs a standard library built with atomics, and that an option which is not stable yet.
    link_args=$(printf ' -C link-arg=%s' --shared-memory --import-memory --max-memory=$((1 << 30)) \
        --export=__wasm_init_tls --export=__tls_{size,align,base} --export=__heap_base)
    RUSTC_BOOTSTRAP=1 build threads +simd128,+atomics,+bulk-memory cannonade-threads cannonade_wasm_threads \
        --features threads -Z build-std=std,panic_abort
else
    echo "no module with threads: its standard library has to be compiled, too: rustup component add rust-src" >&2
fi
# OFL.txt is the licence of the outlines of characters in the pictures.
cp js/*.js js/*.d.ts package.json README.md ../LICENSE ../crates/xiangqi/src/pictures/assets/OFL.txt package/
# The page of `cannonade web` without a server is made of these and its own files.
cp -r page package/
ls -l package/*.wasm
