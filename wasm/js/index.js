// The engine in a worker of its own, for browsers, Node and bundlers.

import { isNode, nodeModule } from './node.js';

async function newWorker() {
  if (!isNode) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const { Worker: NodeWorker } = await nodeModule('worker_threads');
  return new NodeWorker(new URL('./worker.js', import.meta.url));
}

/** Milliseconds in which a worker loads the engine and begins. */
const START_TIMEOUT = 60_000;

class Engine {
  constructor(worker, options, startTimeout) {
    this.worker = worker;
    this.onmessage = null;
    this.onerror = null;
    const receive = (data) => {
      // Lines are texts.
      if (data?.begun) clearTimeout(this.start);
      else this.onmessage?.(data);
    };
    // A worker whose script or module never arrives fires no event of its own.
    this.start = setTimeout(() => {
      this.terminate();
      const error = new Error(`the worker has not begun within ${startTimeout / 1000} seconds`);
      if (this.onerror) this.onerror(error);
      else throw error;
    }, startTimeout);
    if (isNode) {
      this.start.unref?.();
      worker.on('message', receive);
      worker.on('error', (error) => {
        clearTimeout(this.start);
        if (this.onerror) this.onerror(error);
        else throw error;
      });
    } else {
      worker.onmessage = ({ data }) => receive(data);
      worker.onerror = (event) => {
        // In Node an error ends a worker.
        this.terminate();
        if (!this.onerror) return;
        event.preventDefault();
        this.onerror(new Error(event.message || 'the script of the worker cannot be loaded'));
      };
    }
    try {
      worker.postMessage(options);
    } catch (error) {
      clearTimeout(this.start);
      worker.terminate();
      throw error;
    }
  }

  postMessage(line) {
    this.worker.postMessage(line);
  }

  terminate() {
    clearTimeout(this.start);
    this.worker.terminate();
  }
}

export async function createEngine({ simd, threads, startTimeout = START_TIMEOUT } = {}) {
  return new Engine(await newWorker(), { simd, threads, tell: true }, startTimeout);
}
