// A worker with an engine: it receives lines of UCI or UCCI, and sends the lines of the engine. With threads the
// search is theirs, and this worker passes lines on at once. Without threads it searches itself, in slices.

import { load } from './module.js';
import { listen } from './node.js';

/** Lines that wait for the engine and its threads. */
const waiting = [];
let session = null;
/** What starts the threads of the search; `null` without threads. */
let threads = null;
let timer;
/** The page. */
let port = null;

listen((message, from) => {
  if (typeof message === 'object' && message && 'simd' in message) {
    begin(message, from).catch(fail);
  } else {
    waiting.push(...String(message).split('\n'));
    goOn();
  }
});

async function begin(options, from) {
  port = from;
  const loaded = await load(options);
  threads = loaded.threads;
  const start = threads ? () => threads.start() : undefined;
  if (threads) threads.onready = goOn;
  session = new loaded.bindings.UciSession((line) => port.postMessage(line), threads?.most ?? 1, start);
  if (options.tell) port.postMessage({ begun: true });
  goOn();
}

/** Ends the work with an error that the page receives: it does not hear of a promise that has failed. */
function fail(error) {
  setTimeout(() => { throw error; });
}

/** Takes the lines that wait, until one of them starts threads. */
function goOn() {
  while (session && waiting.length > 0 && !threads?.waiting) {
    if (session.receive(waiting.shift())) {
      port.close();
      return;
    }
  }
  schedule(0);
}

/** Works after the messages that are there. */
function schedule(time) {
  clearTimeout(timer);
  timer = setTimeout(work, time);
}

function work() {
  if (!session || threads?.waiting) return;
  const time = session.advance();
  if (time !== undefined) schedule(time);
}
