// The stream of changes of one board: opened while the page is seen, watched, and opened again.

import { leave, openEvents, request } from './transport.js';

/** Seconds that a hidden tab keeps its stream. A browser has six connections for all tabs together. */
const HIDDEN_SECONDS = 10;

/** Streams of all tabs; the other connections are for requests. Further tabs ask for changes instead. */
const STREAMS = 4;

/** Milliseconds between two questions of a tab without a stream. */
const POLL = 600;

/** Milliseconds of silence after which the server counts as away: it shows that it is there every 5 s. */
const SILENCE = 8000;

/** Milliseconds in which the server answers whether it is there, and between two such questions. */
const PROBE = 4000;
const RETRY = 1500;

/** Takes one of the streams of all tabs; what gives it back, or null. @returns {Promise<(() => void)|null>} */
async function takeStream() {
  // Pages of plain HTTP addresses other than this machine have no locks, and those without storage may not use them.
  if (!navigator.locks) return () => {};
  for (let number = 0; number < STREAMS; number += 1) {
    /** @type {(() => void)|null} */
    const free = await new Promise((done) => {
      navigator.locks.request(`stream ${number}`, { ifAvailable: true }, (lock) => {
        if (lock) return new Promise((end) => done(() => end(undefined)));
        done(null);
        return undefined;
      }).catch(() => done(() => {}));
    });
    if (free) return free;
  }
  return null;
}

/**
 * @typedef {object} Listener
 * @property {(view: import('./server.js').View, isFirst: boolean) => void} view `isFirst` after each
 *   connection: the versions of a server that was started again begin anew
 * @property {(lines: import('./server.js').Lines) => void} lines
 * @property {(reason: 'away'|'address'|null) => void} away
 * @property {() => void} gone the server has forgotten the board
 */

export class Stream {
  /** @param {string} base the address of the board @param {Listener} on */
  constructor(base, on) {
    this.base = base;
    this.on = on;
    /** @type {ReturnType<typeof openEvents>|null} */
    this.source = null;
    this.giveBack = null;
    this.isOpening = false;
    this.isProbing = false;
    this.isFirst = true;
    /** The versions that a tab without a stream has seen. */
    this.seen = { view: 0, lines: 0 };
    this.pollTimer = 0;
    this.hiddenTimer = 0;
    this.heardAt = performance.now();
    this.tickedAt = this.heardAt;
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.hiddenTimer = setTimeout(() => this.shut(), 1000 * HIDDEN_SECONDS);
      else this.open();
    });
    window.addEventListener('pagehide', () => {
      this.shut();
      leave(this.base);
    });
    window.addEventListener('pageshow', () => this.open());
    setInterval(() => this.tick(), 1000);
    this.open();
  }

  async open() {
    clearTimeout(this.hiddenTimer);
    // A tab that is opened in the background, or loses its stream there, listens when it is seen.
    if (document.hidden || this.source || this.isOpening || this.isProbing) return;
    clearTimeout(this.pollTimer);
    this.isOpening = true;
    this.giveBack = await takeStream();
    this.isOpening = false;
    this.isFirst = true;
    this.heardAt = performance.now();
    if (!this.giveBack) {
      this.seen = { view: 0, lines: 0 };
      this.poll(0);
      return;
    }
    const source = openEvents(`${this.base}/events`);
    this.source = source;
    source.addEventListener('view', (event) => this.heardView(JSON.parse(event.data)));
    source.addEventListener('lines', (event) => { this.heard(); this.on.lines(JSON.parse(event.data)); });
    source.addEventListener('alive', () => this.heard());
    source.addEventListener('error', () => { if (this.source === source) this.fail(); });
  }

  shut() {
    this.source?.close();
    this.source = null;
    this.giveBack?.();
    this.giveBack = null;
    clearTimeout(this.pollTimer);
  }

  heard() {
    this.heardAt = performance.now();
    this.on.away(null);
  }

  heardView(view) {
    this.heard();
    this.on.view(view, this.isFirst);
    this.isFirst = false;
  }

  /** Asks for changes, and now and then for a stream that another tab has given back. */
  poll(count) {
    this.pollTimer = setTimeout(async () => {
      if (document.hidden || this.isProbing) return;
      try {
        const { view, lines } = this.seen;
        const response = await request(`${this.base}/changes?view=${view}&lines=${lines}`, { signal: AbortSignal.timeout(PROBE) });
        if (!response.ok) throw new Error(response.statusText);
        const changes = await response.json();
        if (changes.view) this.heardView(changes.view);
        else this.heard();
        if (changes.lines) this.on.lines(changes.lines);
        this.seen = { view: changes.view?.version ?? view, lines: changes.lines?.version ?? lines };
      } catch {
        this.fail();
        return;
      }
      if (count % 10 === 9) this.open();
      else this.poll(count + 1);
    }, POLL);
  }

  tick() {
    const now = performance.now();
    // A computer that has slept has heard nothing either.
    if (now - this.tickedAt > 5000) this.heardAt = now;
    this.tickedAt = now;
    if (this.source && now - this.heardAt > SILENCE) this.fail();
  }

  /** Something has failed: asks the server until it answers. */
  async fail() {
    if (this.isProbing) return;
    this.shut();
    this.isProbing = true;
    for (;;) {
      const status = await request(this.base, { signal: AbortSignal.timeout(PROBE) }).then((response) => response.status, () => 0);
      if (status === 404) {
        this.on.gone();
        return;
      }
      if (status && status !== 403) break;
      // A page that is being left loses its connections, too.
      if (!document.hidden) this.on.away(status === 403 ? 'address' : 'away');
      await new Promise((done) => { setTimeout(done, RETRY); });
    }
    this.isProbing = false;
    this.on.away(null);
    this.open();
  }
}
