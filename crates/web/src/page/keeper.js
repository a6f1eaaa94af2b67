// Keeps the game of the page: its file after every change, and a copy for the tab, which may be loaded again.

import { newKey } from './store.js';
import { tabStorage } from './storage.js';
import { restoreTab, tabState } from './tab.js';

/** Milliseconds after a change, and after a write that has failed. */
const PAUSE = 300;
const RETRY = 3000;

/** @typedef {import('./game.js').Root} Root */

/** The name of the lock of a game that is open. */
const lockOf = (key) => `cannonade game ${key}`;

/** The keys of the games that are open in any tab. @returns {Promise<string[]>} */
async function openKeys() {
  // Pages of plain HTTP addresses other than this machine have no locks.
  const locks = await navigator.locks?.query().catch(() => null);
  return (locks?.held ?? []).filter(({ name }) => name.startsWith(lockOf(''))).map(({ name }) => name.slice(lockOf('').length));
}

export class Keeper {
  /** @param {import('./app.js').App} app @param {import('./store.js').GameStore} store */
  constructor(app, store) {
    this.app = app;
    this.store = store;
    /** Why the last change is in no file. @type {Error & {problem?: import('./functions.js').Problem}|null} */
    this.problem = store.problem;
    /** The games that are to be written. @type {Map<Root, {text: string, summary: object}>} */
    this.waiting = new Map();
    /** What was written last. @type {WeakMap<Root, string>} */
    this.written = new WeakMap();
    /** Ends the lock of the game that is open. @type {{key: string, free: () => void}|null} */
    this.lock = null;
    this.isWriting = false;
    this.timer = 0;
    /** The copy of this tab, without its times. */
    this.copied = '';
    addEventListener('pagehide', () => { if (this.timer) this.take(); });
  }

  /** The game may have changed. */
  changed() {
    if (!this.timer) this.timer = setTimeout(() => this.take(), PAUSE);
  }

  /** Takes the game as it is now, before another one takes its place. */
  take() {
    clearTimeout(this.timer);
    this.timer = 0;
    this.copy();
    const { game } = this.app;
    const { root } = game;
    const hasWork = root.isChanged || [root, ...root.moves].some((node) => node.score);
    if (!root.file && !(root.children.length && hasWork)) return;
    const text = JSON.stringify({ ...game.state(), sweep: this.app.engine.sweepState() });
    if (text === this.written.get(root) && !this.waiting.has(root)) return;
    this.waiting.set(root, { text, summary: this.summary() });
    this.writeAll();
  }

  /** Keeps the game for this tab, if it has changed. */
  copy() {
    const state = tabState(this.app);
    const text = JSON.stringify({ ...state, at: 0, spent: 0 });
    // A clock that runs is written with the time.
    if (text === this.copied && !state.ticking) return;
    this.copied = text;
    // An older copy must not come back in its place.
    if (!tabStorage.set('copy', JSON.stringify(state))) tabStorage.remove('copy');
  }

  summary() {
    const { game } = this.app;
    const plies = game.root.rest.length;
    return {
      red: game.tag('Red'), black: game.tag('Black'), event: game.tag('Event'), date: game.tag('Date'), result: game.result, plies,
      fen: game.position.fen, is_going_on: Boolean(game.contest && !game.end),
    };
  }

  async writeAll() {
    if (this.isWriting) return;
    this.isWriting = true;
    while (this.waiting.size) {
      const [[root, kept]] = this.waiting;
      try {
        await this.write(root, kept);
        if (this.waiting.get(root) === kept) this.waiting.delete(root);
        this.tell(this.store.problem);
      } catch (error) {
        this.tell(error);
        // It waits for the next try, with the games that come meanwhile.
        await new Promise((done) => { setTimeout(done, RETRY); });
      }
    }
    this.isWriting = false;
  }

  /** @param {Root} root */
  async write(root, { text, summary }) {
    const { key, revision } = root.file ?? { key: newKey(), revision: 0 };
    try {
      await this.store.keep(key, revision + 1, summary, JSON.parse(text));
      root.file = { key, revision: revision + 1 };
    } catch (error) {
      if (error.status !== 409) throw error;
      // Others have written or removed the file: neither is lost.
      root.file = { key: newKey(), revision: 1 };
      await this.store.keep(root.file.key, 1, summary, JSON.parse(text));
    }
    this.written.set(root, text);
    this.hold();
  }

  /** @param {Error|null} error */
  tell(error) {
    const isNew = this.problem?.message !== error?.message;
    this.problem = error;
    if (isNew) this.app.render();
  }

  /** Says to other tabs that the game is open here. */
  async hold() {
    const key = this.app.game.root.file?.key ?? null;
    if (key === (this.lock?.key ?? null)) return;
    this.lock?.free();
    this.lock = null;
    if (!key || !navigator.locks) return;
    await /** @type {Promise<void>} */ (new Promise((done) => {
      navigator.locks.request(lockOf(key), { ifAvailable: true }, (lock) => {
        done();
        return lock && new Promise((free) => { this.lock = { key, free: () => free(undefined) }; });
      }).catch(() => done());
    }));
  }

  /** The games that are open in other tabs. */
  async elsewhere() {
    return (await openKeys()).filter((key) => key !== this.lock?.key);
  }

  /** Opens a kept game in the place of the shown one. @param {string} key */
  async open(key) {
    const { revision, game } = await this.store.read(key);
    this.take();
    this.app.change('open', game);
    const { root } = this.app.game;
    root.file = { key, revision };
    if (game.sweep) this.app.engine.resumeSweep(game.sweep);
    this.written.set(root, JSON.stringify({ ...this.app.game.state(), sweep: this.app.engine.sweepState() }));
    await this.app.rename();
    await this.hold();
  }

  /** Shows the game that this tab had before it was loaded again. Returns whether there was one. */
  async reopen() {
    const isReopened = restoreTab(this.app, tabStorage.get('copy'));
    const { file } = this.app.game.root;
    // A tab that was duplicated begins with the game of the first one.
    if (file && (await openKeys()).includes(file.key)) this.app.game.root.file = null;
    // The last write may have ended after the copy was made.
    const kept = file && (await this.store.list().catch(() => [])).find(({ key }) => key === file.key);
    if (kept) file.revision = kept.revision;
    const state = tabState(this.app);
    this.copied = JSON.stringify({ ...state, at: 0, spent: 0 });
    await this.hold();
    return isReopened;
  }
}
