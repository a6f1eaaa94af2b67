// How calls travel without a server: as messages to a worker that has the engine.

/** Whether there is a server, which may keep games and may be away. */
export const hasServer = false;

/** Milliseconds in which the page has to be isolated; after that it starts as it is. */
const ISOLATION = 10000;

/** The item of the session that tells that the page was loaded again to be isolated. */
const RELOADED = 'cannonade reloaded';

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
/** The worker; `null` before it is started, and after a failure. @type {{send(message: object): void}|null} */
let sender = null;
isolate().then(() => {
  sender = start();
  sendAll();
});

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
  };
  /** @param {string[]|null} waits */
  const restart = (waits) => {
    end();
    sender = start(waits);
    sendAll();
  };
  worker.onmessage = ({ data }) => {
    silence = 0;
    if (data.waits) {
      waits = data.waits;
      return;
    }
    clearInterval(watch);
    hasAnswered = true;
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
  return { send: (message) => worker.postMessage(message) };
}

/** Sends the calls that wait for a worker. */
function sendAll() {
  for (const { message } of open.values()) sender?.send(message);
  if (failure) failAll(failure);
}

/**
 * Isolates the page, so that its worker shares memory with the threads of the search. The service worker does that,
 * and keeps the page for the time without a network; the page is loaded again once, before it loads the module.
 */
async function isolate() {
  if (!('serviceWorker' in navigator)) return;
  const registered = navigator.serviceWorker.register('service-worker.js');
  registered.catch(() => {});
  if (crossOriginIsolated) {
    forgetReload();
    return;
  }
  // A page in a frame is isolated only with the page around it.
  if (window.top !== window || !(await isActive(registered)) || !noteReload()) return;
  location.reload();
  await new Promise(() => {});
}

/** Returns whether the service worker becomes active in time. @param {Promise<ServiceWorkerRegistration>} registered */
async function isActive(registered) {
  try {
    const { active, installing, waiting } = await registered;
    if (active) return true;
    const worker = installing ?? waiting;
    return await new Promise((done) => {
      setTimeout(done, ISOLATION, false);
      worker.addEventListener('statechange', () => {
        if (worker.state === 'activated') done(true);
        else if (worker.state === 'redundant') done(false);
      });
    });
  } catch {
    return false;
  }
}

/** Returns whether the page may be loaded again: only once, and not where the browser does not remember it. */
function noteReload() {
  try {
    if (sessionStorage.getItem(RELOADED)) return false;
    sessionStorage.setItem(RELOADED, 'true');
    return true;
  } catch {
    return false;
  }
}

function forgetReload() {
  try {
    sessionStorage.removeItem(RELOADED);
  } catch {
    // It remembers nothing.
  }
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
    sender?.send(message);
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
