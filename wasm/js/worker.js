// A worker with an engine: it receives lines of UCI or UCCI, and sends the lines of the engine.

import { load } from './module.js';
import { listen } from './node.js';
import { Receiver } from './signal.js';

const receiver = new Receiver();
/** Messages that came before the engine and its threads were there. */
const early = [];
let session = null;
/** What starts the threads of the search; `null` without threads. */
let threads = null;
let isScheduled = false;
/** The page. */
let port = null;

listen((message, from) => {
  if (typeof message === 'object' && message && 'simd' in message) begin(message, from).catch(fail);
  else if (session && !threads?.waiting) handle(message);
  else early.push(message);
});

async function begin(options, from) {
  port = from;
  const loaded = await load(options);
  threads = loaded.threads;
  const start = threads ? () => threads.start() : undefined;
  if (threads) threads.onready = goOn;
  session = new loaded.bindings.UciSession((line) => port.postMessage(line), () => receiver.isDue(), threads?.most ?? 1, start);
  if (options.tell) port.postMessage({ begun: true });
  goOn();
}

/** Ends the work with an error that the page receives: it does not hear of a promise that has failed. */
function fail(error) {
  setTimeout(() => { throw error; });
}

/** Takes the messages that came before, until one of them starts threads. */
function goOn() {
  while (early.length > 0 && !threads?.waiting) handle(early.shift());
  schedule();
}

function handle(message) {
  const line = receiver.accept(message);
  if (line === undefined) return;
  if (String(line).split('\n').some((one) => session.receive(one))) port.close();
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
  if (threads?.waiting) return;
  receiver.begin();
  // A search that waits for `stop` alone goes on after the next line.
  if (session.advance() && receiver.isPaused) schedule();
}
