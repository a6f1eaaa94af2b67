// How calls travel without a server: as messages to a worker that has the engine.

import { Sender } from './signal.js';

/** Whether there is a server, which may keep games and may be away. */
export const hasServer = false;

/**
 * Seconds without a sign of the worker after which its start has stalled. Each part of the module is a sign, so that
 * a slow connection has as long as it needs.
 */
const STALL = 20;

/** Calls that are not answered. @type {Map<number, {message: object, done: (answer: any) => void, fail: (error: Error) => void}>} */
const open = new Map();
/** Searches that have not ended. @type {Map<number, {hear: (event: any) => void, end: () => void, fail: (error: Error) => void}>} */
const streams = new Map();
let lastNumber = 0;
/** The failure after which there is no worker. @type {Error|null} */
let failure = null;
/** Whether the module is loaded; that may take long. */
let isLoaded = false;
/** Called when the second start has stalled, too. */
let stalled = () => {};
let sender = start();

/** @param {() => void} hear called when the engine does not start; it may start later all the same */
export const onStall = (hear) => { stalled = hear; };

/**
 * Starts the worker; after a failure a new one, which has no search. One that fails or stalls before its first
 * answer is replaced once, by one that does not wait for the same.
 *
 * @param {string[]} [waited] what the one before has waited for; `null` if there was none
 */
function start(waited = null) {
  let worker;
  try {
    worker = new Worker(`board-worker.js${waited?.length ? `?without=${waited}` : ''}`, { type: 'module' });
  } catch {
    // A page that was opened as a file may start none.
    failure = noEngine();
    return null;
  }
  let hasAnswered = false;
  /** @type {string[]} */
  let waits = [];
  let silence = 0;
  // Counted: a computer that sleeps is not silent.
  const watch = setInterval(() => {
    silence += 1;
    if (silence < STALL) return;
    clearInterval(watch);
    if (waited) stalled();
    else restart(waits);
  }, 1000);
  const end = () => {
    clearInterval(watch);
    worker.onmessage = null;
    worker.onerror = null;
    worker.terminate();
    sender.close();
  };
  /** @param {string[]|null} waits */
  const restart = (waits) => {
    end();
    sender = start(waits);
    for (const { message } of open.values()) sender?.send(message);
    if (failure) failAll(failure);
  };
  worker.onmessage = ({ data }) => {
    silence = 0;
    if (data.waits) {
      waits = data.waits;
      return;
    }
    clearInterval(watch);
    hasAnswered = true;
    if (!isLoaded) keepPage();
    isLoaded = true;
    if (data.stream) heard(data);
    else answered(data);
  };
  worker.onerror = (event) => {
    if (hasAnswered) {
      failAll(new TypeError('the engine has failed'));
      restart(null);
    } else if (!waited) {
      // The second one says what the reason is, if it lasts.
      event.preventDefault();
      restart([]);
    } else {
      end();
      failure = noEngine();
      failAll(failure);
    }
  };
  return new Sender(worker);
}

/** @param {Error} error */
function failAll(error) {
  const failed = [...open.values()];
  open.clear();
  for (const { fail } of failed) fail(error);
  for (const { fail } of [...streams.values()]) fail(error);
}

function noEngine() {
  return Object.assign(new Error('the engine cannot be loaded'), { name: 'NoEngine' });
}

function answered({ number, status, type, name, body }) {
  const waiting = open.get(number);
  open.delete(number);
  waiting?.done({ status, type, name, body: new Blob([body], { type }) });
}

/** Events that came before the answer to their call was read. @type {{stream: number, event?: string}[]} */
const unheard = [];

/** An event of a search as JSON, or nothing at its end. @param {{stream: number, event?: string}} message */
function heard(message) {
  const listener = streams.get(message.stream);
  if (!listener) {
    if (unheard.push(message) > MOST_UNHEARD) unheard.shift();
  } else if (message.event === undefined) listener.end();
  else listener.hear(JSON.parse(message.event));
}

/** Events that wait for their listener. */
const MOST_UNHEARD = 100;

/** The width of a picture in pixels, as a server draws it. */
const PICTURE_WIDTH = 976;

/** A picture in pixels: the module draws lines only, and the browser the rest. @param {Blob} drawing a picture as SVG */
async function inPixels(drawing) {
  const address = URL.createObjectURL(drawing);
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = PICTURE_WIDTH;
    canvas.height = Math.round(PICTURE_WIDTH * image.naturalHeight / image.naturalWidth);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    const body = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
    return { status: 200, type: 'image/png', name: 'position.png', body };
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** @typedef {{status: number, type: string, name: string, body: Blob}} Answer of a function; `name` is that of a file */

/**
 * Calls a function. It has one kind of input: none, an object, or a file.
 * @param {string} name @param {string} query @param {object|Blob|null} input @param {AbortSignal} [signal] @returns {Promise<Answer>}
 */
export async function call(name, query, input, signal) {
  const isPixels = name === 'picture' && /** @type {any} */ (input)?.kind === 'png';
  if (!isPixels) return (await send(name, query, input, signal)).answer;
  const { answer } = await send(name, query, { ...input, kind: 'svg' }, signal);
  return answer.status === 200 ? inPixels(answer.body) : answer;
}

/** Sends a call to the worker; its answer and its number. */
async function send(name, query, input, signal) {
  const text = input instanceof Blob ? input : JSON.stringify(input ?? {});
  const body = new Uint8Array(await new Response(text).arrayBuffer());
  if (failure) throw failure;
  lastNumber += 1;
  const number = lastNumber;
  const answer = await new Promise((done, fail) => {
    const message = { number, name, query, body };
    open.set(number, { message, done, fail });
    signal?.addEventListener('abort', () => {
      // Before it is loaded, no answer is late; if it cannot be loaded, the worker fails.
      if (!isLoaded) return;
      open.delete(number);
      fail(signal.reason);
    });
    sender.send(message);
  });
  return { number, answer };
}

/**
 * Begins a search. `hear` gets its events; the promise comes with its end, or fails with the worker.
 * @param {string} name @param {object} input @param {(event: any) => void} hear @param {AbortSignal} signal
 * @returns {Promise<Answer|null>} the answer of a refusal, or null at the end
 */
export async function listen(name, input, hear, signal) {
  const { number, answer } = await send(name, '', input, signal);
  if (answer.status !== 200) return answer;
  const end = () => streams.delete(number);
  try {
    await new Promise((done, fail) => {
      streams.set(number, { hear, end: () => done(undefined), fail });
      for (const early of unheard.splice(0)) if (early.stream === number) heard(early);
      signal.addEventListener('abort', () => { sender?.send({ close: number }); fail(signal.reason); });
      if (signal.aborted) fail(signal.reason);
    });
  } finally {
    end();
  }
  return null;
}

/** The searches end with the page. @param {string} _name @param {object} _input */
export function callLast(_name, _input) {}

// The games of an installed page stay when the browser needs room.
if (matchMedia('(display-mode: standalone)').matches) navigator.storage?.persist?.();

/**
 * Keeps the page for the time without a network, and isolates it, so that the engine hears at once. It loads another
 * module, which would delay the one that the page waits for.
 */
function keepPage() {
  if ('serviceWorker' in navigator) navigator.serviceWorker.register('service-worker.js').catch(() => {});
}
