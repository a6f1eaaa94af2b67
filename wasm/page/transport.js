// How requests and changes travel without a server: as messages to a worker that has the engine and the boards.

/** Whether boards outlive the page: they end with its worker. */
export const outlivesPage = false;

/** Milliseconds between two signs that the worker is there; a worker that fails says so. */
const ALIVE = 5000;

/** Milliseconds in which the page has to be isolated; after that it starts as it is. */
const ISOLATION = 10000;

/** The item of the session that tells that the page was loaded again to be isolated. */
const RELOADED = 'cannonade reloaded';

/**
 * Seconds without a sign of the worker after which its start has stalled. Each part of the module is a sign, so that
 * a slow connection has as long as it needs.
 */
const STALL = 20;

/** Requests that are not answered. @type {Map<number, {message: object, done: (response: Response) => void, fail: (error: Error) => void}>} */
const open = new Map();
/** @type {Map<number, LocalEvents>} */
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
 * Starts the worker; after a failure a new one, in which no board is known. One that fails or stalls before its first
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
    if (data.stream) streams.get(data.stream)?.hear(data);
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

/** Sends the requests that wait for a worker. */
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
  for (const stream of [...streams.values()]) stream.dispatchEvent(new Event('error'));
}

function noEngine() {
  return Object.assign(new Error('the engine cannot be loaded'), { name: 'NoEngine' });
}

function answered({ number, status, headers, body }) {
  const waiting = open.get(number);
  open.delete(number);
  // These responses must not have a body.
  waiting?.done(new Response(status === 204 ? null : body, { status, headers }));
}

/** The path of an address behind that of the page, with its query. */
function pathOf(address) {
  const { pathname, search } = new URL(address, location.href);
  const base = new URL('.', location.href).pathname;
  return pathname.slice(base.length) + search;
}

/** The width of a picture in pixels, as a server draws it. */
const PICTURE_WIDTH = 976;

/** A picture in pixels: the module draws lines only, and the browser the rest. @param {Response} response a picture as SVG */
async function inPixels(response) {
  const address = URL.createObjectURL(await response.blob());
  try {
    const image = new Image();
    image.src = address;
    await image.decode();
    const canvas = document.createElement('canvas');
    canvas.width = PICTURE_WIDTH;
    canvas.height = Math.round(PICTURE_WIDTH * image.naturalHeight / image.naturalWidth);
    canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
    const blob = await new Promise((done) => { canvas.toBlob(done, 'image/png'); });
    return new Response(blob, { headers: { 'Content-Type': 'image/png', 'Content-Disposition': 'attachment; filename="position.png"' } });
  } finally {
    URL.revokeObjectURL(address);
  }
}

/** Answers like `fetch`. @param {string} address @param {RequestInit} [options] @returns {Promise<Response>} */
export async function request(address, options = {}) {
  if (!/\/picture\?kind=png/.test(address)) return ask(address, options);
  const drawing = await ask(address.replace('kind=png', 'kind=svg'), options);
  return drawing.ok ? inPixels(drawing) : drawing;
}

/** Asks the worker. @param {string} address @param {RequestInit} [options] @returns {Promise<Response>} */
async function ask(address, options) {
  const { method = 'GET', headers, signal } = options;
  const body = new Uint8Array(await new Response(options.body ?? null).arrayBuffer());
  if (failure) throw failure;
  lastNumber += 1;
  const number = lastNumber;
  return new Promise((done, fail) => {
    const message = { number, method, path: pathOf(address), type: new Headers(headers).get('Content-Type'), body };
    open.set(number, { message, done, fail });
    signal?.addEventListener('abort', () => {
      // Before it is loaded, no answer is late; if it cannot be loaded, the worker fails.
      if (!isLoaded) return;
      open.delete(number);
      fail(signal.reason);
    });
    sender?.send(message);
  });
}

/** The changes of a board, with the part of an `EventSource` that the page uses. */
class LocalEvents extends EventTarget {
  /** @param {string} address */
  constructor(address) {
    super();
    lastNumber += 1;
    this.number = lastNumber;
    streams.set(this.number, this);
    this.timer = setInterval(() => this.dispatchEvent(new Event('alive')), ALIVE);
    sender?.send({ stream: this.number, path: pathOf(address) });
  }

  /** @param {{event: string, data: string}} message */
  hear({ event, data }) {
    this.dispatchEvent(new MessageEvent(event, { data }));
  }

  close() {
    clearInterval(this.timer);
    streams.delete(this.number);
    sender?.send({ stream: this.number, path: null });
  }
}

/** @param {string} address */
export const openEvents = (address) => new LocalEvents(address);

/** The boards end with the page. */
export const leave = () => {};

// The games of an installed page stay when the browser needs room.
if (matchMedia('(display-mode: standalone)').matches) navigator.storage?.persist?.();
