// Loads the module that fits: with threads where memory can be shared, else with SIMD where the browser has it.

import { isNode, nodeModule } from './node.js';
import { ThreadStarter } from './thread-starter.js';

/** Only a page that is isolated (COOP and COEP) can share memory with its workers; Node always can. */
const canShare = typeof SharedArrayBuffer !== 'undefined' && (globalThis.crossOriginIsolated ?? true);

/** A module that returns a vector. */
export const SIMD_TEST = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);

/**
 * Returns the classes and functions of the module, and what starts its threads: `null` if it has none.
 *
 * @param {object} [options]
 * @param {boolean} [options.simd] whether to use SIMD; by default where it is there
 * @param {boolean} [options.threads] whether to load a module with threads, where that is possible
 * @param {() => void} [options.onprogress] called for each part of the module that a browser has loaded
 */
export async function load({ simd = WebAssembly.validate(SIMD_TEST), threads = true, onprogress } = {}) {
  if (simd && threads && canShare) {
    try {
      return await loadShared(onprogress);
    } catch (error) {
      // A package without this module, or no room for a memory that can be shared.
      console.warn(`one thread only: ${error}`);
    }
  }
  const address = simd ? new URL('./cannonade-simd.wasm', import.meta.url) : new URL('./cannonade.wasm', import.meta.url);
  // Bindings that are imported into a variable alone lose what this file does not call if Parcel bundles them.
  const [bindings, module] = [await import('./cannonade_wasm.js'), await compile(address, onprogress)];
  bindings.initSync({ module });
  return { bindings, threads: null };
}

async function loadShared(onprogress) {
  const address = new URL('./cannonade-threads.wasm', import.meta.url);
  const [bindings, module] = [await import('./cannonade_wasm_threads.js'), await compile(address, onprogress)];
  const { memory } = bindings.initSync({ module });
  return { bindings, threads: await ThreadStarter.create(module, memory, bindings.give_up_threads) };
}

async function compile(address, onprogress) {
  if (isNode) {
    const { readFile } = await nodeModule('fs/promises');
    return WebAssembly.compile(await readFile(address));
  }
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address}: status ${response.status}`);
  const watched = onprogress ? watch(response, onprogress) : response;
  // A module of another type is not compiled while it loads.
  if (response.headers.get('Content-Type') === 'application/wasm') return WebAssembly.compileStreaming(watched);
  return WebAssembly.compile(await watched.arrayBuffer());
}

/** Returns a response with the same body, each part of which is told. */
function watch({ body, headers }, onprogress) {
  const parts = new TransformStream({
    transform(part, out) {
      onprogress();
      out.enqueue(part);
    },
  });
  return new Response(body.pipeThrough(parts), { headers: { 'Content-Type': headers.get('Content-Type') ?? '' } });
}
