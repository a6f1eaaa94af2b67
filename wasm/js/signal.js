// Messages to a worker that is busy. A worker that computes receives nothing; it asks now and then whether
// a message has come, in one of three ways:
//
// - a number in shared memory, where pages are isolated (COOP and COEP), and in Node;
// - else the address of a small object that the page revokes when it sends: reading it fails then;
// - else, as with messages not sent by `Sender`, it ends its work after a while whether one has come or not.

/** Milliseconds between two readings of the object. */
const LOOK_INTERVAL = 50;

/** Milliseconds of work without any sign. */
const SLICE = 80;

/** Only a page that is isolated can share memory with its workers; Node always can. */
export const canShare = typeof SharedArrayBuffer !== 'undefined' && (globalThis.crossOriginIsolated ?? true);

// Without a type Firefox takes it for XML, and complains.
const newToken = () => URL.createObjectURL(new Blob(['.'], { type: 'text/plain' }));

/** Sends data to a worker that has a `Receiver`. */
export class Sender {
  /** @param {{postMessage(message: unknown): void}} worker */
  constructor(worker) {
    this.worker = worker;
    this.waiting = canShare ? new Int32Array(new SharedArrayBuffer(4)) : null;
    this.token = canShare ? null : newToken();
    worker.postMessage({ waiting: this.waiting, token: this.token });
  }

  send(data) {
    if (this.waiting) {
      // Counted afterwards: what cannot be sent throws.
      this.worker.postMessage({ data });
      Atomics.add(this.waiting, 0, 1);
      return;
    }
    const token = newToken();
    this.worker.postMessage({ data, token });
    this.close();
    this.token = token;
  }

  /** Frees the object. */
  close() {
    if (this.token) URL.revokeObjectURL(this.token);
  }
}

/** Returns whether an object is still there. */
function isThere(token) {
  try {
    const request = new XMLHttpRequest();
    request.open('GET', token, false);
    request.send();
    return request.status === 200;
  } catch {
    return false;
  }
}

/** The side of the worker. */
export class Receiver {
  constructor() {
    this.waiting = null;
    this.token = null;
    this.nextLook = 0;
    /** Whether the policy of the page lets objects be read; `null` before the first. */
    this.canRead = null;
    /** Whether the last work was ended by a pause. */
    this.isPaused = false;
  }

  /**
   * Takes a message; returns its data, `undefined` if it has none. A text that came without a `Sender` is
   * the data itself.
   */
  accept(message) {
    if (typeof message !== 'object' || !message) return message;
    if (message.waiting) this.waiting = message.waiting;
    // Where the policy of the page forbids to read objects, there is no sign.
    if (message.token) this.token = this.reads() && isThere(message.token) ? message.token : null;
    if (!('data' in message)) return undefined;
    if (this.waiting) Atomics.sub(this.waiting, 0, 1);
    return message.data;
  }

  /** Tries once to read an object, since the page is told of each one that it forbids. */
  reads() {
    if (this.canRead === null) {
      const own = newToken();
      this.canRead = isThere(own);
      URL.revokeObjectURL(own);
    }
    return this.canRead;
  }

  /** The worker begins to work. */
  begin() {
    this.isPaused = false;
    this.nextLook = performance.now() + (this.token ? LOOK_INTERVAL : SLICE);
  }

  /** Returns whether the worker has to read its messages. */
  isDue() {
    if (this.waiting) {
      this.isPaused = Atomics.load(this.waiting, 0) > 0;
    } else if (performance.now() >= this.nextLook) {
      this.isPaused = !this.token || !isThere(this.token);
      this.nextLook = performance.now() + LOOK_INTERVAL;
    }
    return this.isPaused;
  }
}
