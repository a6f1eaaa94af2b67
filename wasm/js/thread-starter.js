// Starts the threads of the search: workers that have the module and the memory of this one.

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);
const system = isNode ? await import('node:os') : null;
const { Worker: NodeWorker } = isNode ? await import('node:worker_threads') : {};

export class ThreadStarter {
  /**
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Memory} memory
   * @param {() => void} giveUp tells the module that the threads which have not begun never will
   */
  constructor(module, memory, giveUp) {
    this.module = module;
    this.memory = memory;
    this.giveUp = giveUp;
    /** The number of cores, with that of this worker. */
    this.most = system ? system.availableParallelism?.() ?? system.cpus().length : navigator.hardwareConcurrency;
    /** Threads that have not begun. As long as there are some, nobody may call the module. */
    this.waiting = 0;
    this.hasFailed = false;
    /** Called when all have begun, or failed. */
    this.onready = () => {};
  }

  start() {
    this.waiting += 1;
    const worker = isNode
      ? new NodeWorker(new URL('./thread.js', import.meta.url))
      : new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
    let hasBegun = false;
    const begun = () => {
      hasBegun = true;
      this.settled();
    };
    /** Returns whether the search goes on without the thread. */
    const canDoWithout = (error) => {
      // The module waits for a thread that has begun.
      if (hasBegun) return false;
      console.warn(`a thread of the search does not start: ${error.message}`);
      this.hasFailed = true;
      this.settled();
      return true;
    };
    if (isNode) {
      worker.once('message', begun);
      worker.on('error', (error) => { if (!canDoWithout(error)) throw error; });
      // It ends with this worker.
      worker.unref();
    } else {
      worker.onmessage = begun;
      // An error that is not handled here is one of this worker, too.
      worker.onerror = (event) => { if (canDoWithout(event)) event.preventDefault(); };
    }
    worker.postMessage({ module: this.module, memory: this.memory });
  }

  settled() {
    this.waiting -= 1;
    if (this.waiting > 0) return;
    if (this.hasFailed) this.giveUp();
    this.hasFailed = false;
    this.onready();
  }
}
