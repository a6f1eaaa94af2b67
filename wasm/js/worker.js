// A worker with an engine: it receives lines of UCI or UCCI, and sends the lines of the engine.

import { UciSession } from './cannonade_wasm.js';
import { load } from './module.js';
import { Receiver } from './signal.js';

const receiver = new Receiver();
/** Messages that came before the engine was there. */
const early = [];
let session = null;
let isScheduled = false;

const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);
const port = isNode ? (await import('node:worker_threads')).parentPort : globalThis;
if (isNode) port.on('message', hear);
else port.onmessage = ({ data }) => hear(data);

function hear(message) {
  if (typeof message === 'object' && 'simd' in message) begin(message.simd);
  else if (session) handle(message);
  else early.push(message);
}

async function begin(simd) {
  await load(simd);
  session = new UciSession((line) => port.postMessage(line), () => receiver.isDue());
  early.splice(0).forEach(handle);
}

function handle(message) {
  const line = receiver.accept(message);
  if (line === undefined) return;
  if (session.receive(String(line))) port.close();
  else schedule();
}

/** Works after the messages that are there. */
function schedule() {
  if (isScheduled) return;
  isScheduled = true;
  setTimeout(work);
}

function work() {
  isScheduled = false;
  receiver.begin();
  // A search that waits for `stop` alone goes on after the next line.
  if (session.advance() && receiver.isPaused) schedule();
}
