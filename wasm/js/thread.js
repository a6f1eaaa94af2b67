// A thread of the search, in a worker of its own.

import { initSync, run_thread as runThread, thread_failed as threadFailed } from './cannonade_wasm_threads.js';
import { listen } from './node.js';

/** Bytes; the search recurses to 128 plies and more, with a few kilobytes each. */
const STACK = 8 << 20;

listen(({ module, memory }, port) => {
  initSync({ module, memory, thread_stack_size: STACK });
  port.postMessage('begun');
  try {
    runThread();
  } catch (error) {
    // Nothing is unwound, so the module would wait for this thread.
    threadFailed();
    console.error('a thread of the search has failed:', error);
  }
  port.close();
});
