// The engine in a worker of its own, for browsers, Node and bundlers.

import { Sender } from './signal.js';

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);

async function newWorker() {
  if (!isNode) return new Worker(new URL('./worker.js', import.meta.url), { type: 'module' });
  const { Worker: NodeWorker } = await import('node:worker_threads');
  return new NodeWorker(new URL('./worker.js', import.meta.url));
}

class Engine {
  constructor(worker, options) {
    this.worker = worker;
    this.onmessage = null;
    this.onerror = null;
    const hear = (line) => this.onmessage?.(line);
    const fail = (error) => this.onerror?.(error);
    if (isNode) {
      worker.on('message', hear);
      worker.on('error', (error) => { if (this.onerror) fail(error); else throw error; });
    } else {
      worker.onmessage = ({ data }) => hear(data);
      worker.onerror = (event) => fail(new Error(event.message));
    }
    worker.postMessage(options);
    this.sender = new Sender(worker);
  }

  postMessage(line) {
    this.sender.send(line);
  }

  terminate() {
    this.worker.terminate();
  }
}

export async function createEngine({ simd, threads } = {}) {
  return new Engine(await newWorker(), { simd, threads });
}
