// The games that the page keeps: in the browser (IndexedDB), and in the folder of a server that has one, so that another
// browser finds them, too.

import { keepGame, keptGame, keptGames, readOldGame, removeGame, restoreGame } from './functions.js';

/**
 * @typedef {{key: string, revision: number, changed: number, red: string, black: string, event: string, date: string, result: string,
 *   plies: number, fen: string, is_going_on: boolean}} KeptGame a game in the list
 * @typedef {Omit<import('./game.js').Contest, 'start'> & {start: number, left: [number, number]|null}} KeptContest
 * @typedef {{tree: import('./functions.js').TreeData, node: number, bottom: import('./rules.js').Side, contest: KeptContest|null, added: number[],
 *   forfeit: {node: number, winner: import('./rules.js').Side|null, reason: any}|null, sweep?: {left: number[], total: number, limits: object}|null}} KeptState
 * @typedef {{head: {revision: number, changed: number, summary: object}, game: KeptState}} KeptFile
 * @typedef {{name: string, modified: number, bytes: Uint8Array, folder?: string}} Stored a file in the browser; the folder has it, too
 */

const STORE = 'games';
/** The end of the name of a file, and of one that was removed and can be brought back. */
const KEPT = '.json';
const REMOVED = '.removed';
/** Games that are listed, the newest ones. */
const MOST = 200;
/** Milliseconds in which the storage of the browser opens. */
const PATIENCE = 5000;
/** Milliseconds for which a removed game can be brought back. */
const REMAINS = 24 * 3600 * 1000;

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

export const newKey = () => Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/** @param {Stored} stored @returns {KeptFile|null} */
function fileOf(stored) {
  try {
    return JSON.parse(new TextDecoder().decode(stored.bytes));
  } catch {
    return null;
  }
}

/** @param {Stored} stored @returns {KeptGame|null} */
function listed(stored) {
  const file = fileOf(stored);
  return file && { key: stored.name.slice(0, -KEPT.length), revision: file.head.revision, changed: file.head.changed, .../** @type {any} */ (file.head.summary) };
}

export class GameStore {
  /** @param {string|null} folder that of the server */
  constructor(folder) {
    this.folder = folder;
    /** @type {IDBDatabase|null} */
    this.database = null;
    /** Why the browser keeps nothing, if it should. @type {Error|null} */
    this.problem = null;
  }

  /** Opens the store of the browser, if it has one. Games that the folder does not have yet come there. */
  async open() {
    const late = new Error('the storage of the browser does not answer');
    try {
      const opening = indexedDB.open('cannonade', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'name' }).createIndex('modified', 'modified');
      this.database = await Promise.race([done(opening), new Promise((_, fail) => { setTimeout(() => fail(late), PATIENCE); })]);
      // A later version of the page must be able to change the store.
      this.database.onversionchange = () => this.database.close();
      for (const { name, modified } of await this.stored(REMOVED)) if (Date.now() - modified > REMAINS) await this.delete(name);
    } catch (error) {
      // A browser may keep nothing.
      this.database = null;
      this.problem = error === late && !this.folder ? late : null;
    }
  }

  /** @returns {Promise<Stored[]>} the newest first */
  async stored(end = KEPT) {
    if (!this.database) return [];
    const all = await done(this.database.transaction(STORE).objectStore(STORE).index('modified').getAll());
    return all.filter(({ name }) => name.endsWith(end)).reverse();
  }

  /** @param {(store: IDBObjectStore) => void} work */
  write(work) {
    // A browser may keep nothing.
    if (!this.database) return Promise.resolve();
    return /** @type {Promise<void>} */ (new Promise((resolve, reject) => {
      const transaction = this.database.transaction(STORE, 'readwrite');
      work(transaction.objectStore(STORE));
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    }));
  }

  /** @param {Stored} stored */
  put(stored) { return this.write((store) => store.put(stored)); }

  /** @param {string} name */
  delete(name) { return this.write((store) => store.delete(name)); }

  /** @param {string} name @returns {Promise<Stored|undefined>} */
  async get(name) {
    return this.database ? done(this.database.transaction(STORE).objectStore(STORE).get(name)) : undefined;
  }

  /** The games, the newest first. What the browser has and the folder lacks is brought there. @returns {Promise<KeptGame[]>} */
  async list() {
    const own = await this.stored().catch(() => []);
    if (!this.folder) return own.slice(0, MOST).map(listed).filter(Boolean);
    const games = await keptGames();
    for (const stored of own) {
      const [game, known] = [listed(stored), games.find(({ key }) => `${key}${KEPT}` === stored.name)];
      if (!game || (stored.folder && stored.folder !== this.folder)) continue;
      if (stored.folder && !known) {
        // Another page has removed it.
        await this.delete(stored.name).catch(() => {});
      } else if (!known || game.revision === known.revision + 1) {
        await this.send(stored).catch(() => {});
        games.splice(known ? games.indexOf(known) : games.length, known ? 1 : 0, game);
      }
    }
    return games.sort((a, b) => b.changed - a.changed).slice(0, MOST);
  }

  /** Brings a file of the browser to the folder. @param {Stored} stored */
  async send(stored) {
    const { head: { revision, summary }, game } = fileOf(stored);
    await keepGame({ key: stored.name.slice(0, -KEPT.length), revision, summary, game });
    await this.put({ ...stored, folder: this.folder });
  }

  /** A game by its key. @param {string} key @returns {Promise<{revision: number, game: KeptState}>} */
  async read(key) {
    const stored = await this.get(`${key}${KEPT}`).catch(() => undefined);
    const own = stored && fileOf(stored);
    const kept = this.folder ? await keptGame(key).catch((error) => { if (own && !error.status) return null; throw error; }) : null;
    const file = kept && (!own || kept.head.revision >= own.head.revision) ? kept : own;
    if (!file) throw Object.assign(new Error('there is no such game; it may have been deleted'), { status: 404, problem: { code: 'noKeptGame', values: [] } });
    const isOld = 'record' in file.game;
    return { revision: file.head.revision, game: isOld ? await readOldGame(file) : file.game };
  }

  /** Keeps a game in the browser and in the folder. @param {string} key @param {number} revision @param {object} summary @param {KeptState} game */
  async keep(key, revision, summary, game) {
    const changed = Date.now();
    const bytes = new TextEncoder().encode(JSON.stringify({ head: { revision, changed, summary }, game }));
    const name = `${key}${KEPT}`;
    const before = await this.get(name).catch(() => undefined);
    if (!this.folder && before && fileOf(before)?.head.revision >= revision) throw Object.assign(new Error('another page has kept it'), { status: 409 });
    const stored = { name, modified: changed, bytes, ...(before?.folder ? { folder: before.folder } : {}) };
    const own = this.put(stored);
    if (!this.folder) return own;
    // A browser that keeps nothing is no problem where there is a folder.
    await own.catch(() => {});
    await keepGame({ key, revision, summary, game });
    await this.put({ ...stored, folder: this.folder }).catch(() => {});
  }

  /** Removes a game, which can be brought back for a day. @param {string} key */
  async remove(key) {
    if (this.folder) await removeGame(key);
    await this.rename(key, KEPT, REMOVED);
  }

  /** @param {string} key */
  async restore(key) {
    if (this.folder) await restoreGame(key);
    await this.rename(key, REMOVED, KEPT);
  }

  async rename(key, from, to) {
    const stored = await this.get(key + from).catch(() => undefined);
    const modified = to === REMOVED ? Date.now() : stored && fileOf(stored)?.head.changed;
    if (stored) await this.write((store) => { store.put({ ...stored, name: key + to, modified }); store.delete(key + from); });
  }
}
