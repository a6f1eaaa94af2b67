// The engine in a worker of its own, for browsers, Node and bundlers.

import { isNode, nodeModule } from './node.js';

async function newWorker() {
  if (!isNode) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const { Worker: NodeWorker } = await nodeModule('worker_threads');
  return new NodeWorker(new URL('./worker.js', import.meta.url));
}

class Engine {
  constructor(worker, options) {
    this.worker = worker;
    this.onmessage = null;
    this.onerror = null;
    if (isNode) {
      worker.on('message', (line) => this.onmessage?.(line));
      worker.on('error', (error) => { if (this.onerror) this.onerror(error); else throw error; });
    } else {
      worker.onmessage = ({ data }) => this.onmessage?.(data);
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
      worker.terminate();
      throw error;
    }
  }

  postMessage(line) {
    this.worker.postMessage(line);
  }

  terminate() {
    this.worker.terminate();
  }
}

export async function createEngine({ simd, threads } = {}) {
  return new Engine(await newWorker(), { simd, threads });
}
