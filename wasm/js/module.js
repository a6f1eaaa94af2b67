// Loads the module, with SIMD where the browser has it.

import init, { initSync } from './cannonade_wasm.js';

/** A module that returns a vector. */
const SIMD_TEST = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);

/** @param {boolean} [simd] whether to use SIMD; by default where it is there */
export async function load(simd = WebAssembly.validate(SIMD_TEST)) {
  const address = simd ? new URL('./cannonade-simd.wasm', import.meta.url) : new URL('./cannonade.wasm', import.meta.url);
  if (isNode) {
    const { readFile } = await import('node:fs/promises');
    initSync({ module: await readFile(address) });
  } else {
    await init({ module_or_path: address });
  }
}
