// A thread of the search, in a worker of its own.

import { initSync, run_thread as runThread, thread_failed as threadFailed } from './cannonade_wasm_threads.js';
import { listen } from './node.js';

/** Bytes; the search recurses to 128 plies and more, with a few kilobytes each. */
const STACK = 8 << 20;

listen(({ module, memory }, port) => {
  const { __wbindgen_thread_destroy: freeThread } = initSync({ module, memory, thread_stack_size: STACK });
  port.postMessage('begun');
  let hasFailed = false;
  try {
    runThread();
  } catch (error) {
    // Nothing is unwound, so the module would wait for this thread.
    threadFailed();
    hasFailed = true;
    console.error('a thread of the search has failed:', error);
  }
  // Its stack and variables; those of a thread that has failed may be in use.
  if (!hasFailed) freeThread();
  port.close();
});
