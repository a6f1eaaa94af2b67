// Starts the threads of the search: workers that have the module and the memory of this one.

import { isNode, nodeModule } from './node.js';

export class ThreadStarter {
  /**
   * @param {WebAssembly.Module} module
   * @param {WebAssembly.Memory} memory
   * @param {() => void} giveUp tells the module that the threads which have not begun never will
   */
  static async create(module, memory, giveUp) {
    if (!isNode) return new ThreadStarter(module, memory, giveUp, navigator.hardwareConcurrency);
    const [system, { Worker: NodeWorker }] = await Promise.all([nodeModule('os'), nodeModule('worker_threads')]);
    const cores = system.availableParallelism?.() ?? system.cpus().length;
    return new ThreadStarter(module, memory, giveUp, cores, NodeWorker);
  }

  constructor(module, memory, giveUp, cores, NodeWorker) {
    this.module = module;
    this.memory = memory;
    this.giveUp = giveUp;
    /** The number of cores: this worker only passes messages on. */
    this.most = cores;
    this.NodeWorker = NodeWorker;
    /** Threads that have not begun. As long as there are some, nobody may call the module. */
    this.waiting = 0;
    this.hasFailed = false;
    /** Called when all have begun, or failed. */
    this.onready = () => {};
  }

  start() {
    this.waiting += 1;
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
    let worker;
    try {
      worker = isNode
        ? new this.NodeWorker(new URL('./thread.js', import.meta.url))
        : new Worker(new URL('./thread.js', import.meta.url), { type: 'module' });
    } catch (error) {
      // Later, since the module has called this.
      setTimeout(canDoWithout, 0, error);
      return;
    }
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
