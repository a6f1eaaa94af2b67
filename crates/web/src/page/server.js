// The requests for one board, and its stream of changes; `transport.js` says how they travel. The rest of the
// page does not know of either.

import { tabStorage } from './storage.js';
import { Stream } from './stream.js';
import { outlivesPage, request } from './transport.js';

/**
 * Data that the server sends; `crates/web/src/view.rs` describes the parts.
 * @typedef {'red'|'black'} Side
 * @typedef {import('./scores.js').Score} Score
 * @typedef {{engine: boolean, elo: number|null}} Player
 * @typedef {{rules: string, loser: Side|null, red: string, black: string, undecided: boolean}} Ruling
 *
 * @typedef {object} Contest
 * @property {boolean} running
 * @property {Player} red
 * @property {Player} black
 * @property {number|null} per_move
 * @property {[number, number]|null} left
 * @property {Side|null} ticking
 * @property {number|null} book
 *
 * @typedef {object} View
 * @property {number} version
 * @property {string} start
 * @property {number} first_number
 * @property {import('./tree.js').Move[]} moves
 * @property {string} comment
 * @property {number} node
 * @property {number[]} path
 * @property {string} fen
 * @property {Side} side
 * @property {string|null} check
 * @property {string[]} checkers the squares of the pieces that give check
 * @property {string[]} legal
 * @property {{winner: Side|null, reason: string, text: string}|null} end
 * @property {{occurrences: number, rulings: Ruling[]}|null} repetition
 * @property {string} rules
 * @property {string} notation
 * @property {Side} bottom
 * @property {string} red
 * @property {string} black
 * @property {string} event
 * @property {string} date
 * @property {string} result
 * @property {string|null} undo the kind of the change that `undo` takes back
 * @property {string|null} redo
 * @property {boolean} repeats
 * @property {Contest|null} contest
 * @property {number|null} analysis
 * @property {[number, number]|null} sweep
 * @property {'none'|'waiting'|'working'} work
 * @property {Score|null} start_score
 * @property {boolean} threat whether the engine looks for the threat of the side that does not move
 * @property {{key: string|null, problem: string|null, cause: import('./problems.js').Problem|null}} kept the file of the game
 *
 * @typedef {{score: Score, moves: string[], texts: string[]}} Line
 * @typedef {{node: number, nodes: number, nps: number, lines: Line[], threat: Line|null}} Lines
 *
 * @typedef {{key: string, changed: number, red: string, black: string, event: string, date: string, result: string,
 *   plies: number, fen: string, is_going_on: boolean}} KeptGame
 *
 * @typedef {'best'|'good'|'inaccuracy'|'mistake'|'blunder'} MoveClass
 * @typedef {{accuracy: number|null, cpLoss: number|null, classes: Record<MoveClass, number>, phases: Record<string, number|null>}} SideSummary
 * @typedef {{node: number, class: MoveClass, loss: number, cpLoss: number, phase: string, better: string[], texts: string[]}} AssessedMove
 * @typedef {{complete: boolean, known: number, positions: number, opening: {en: string, zh: string}|null,
 *   summary: Record<Side, SideSummary>, moves: (AssessedMove|null)[], events: {node: number, text: {en: string, zh: string}}[]}} Assessment
 */

/** Milliseconds in which the server answers; files may take longer. */
const ANSWER_LIMIT = 10000;
const FILE_LIMIT = 60000;

/** An error that the server has explained. */
export class Refused extends Error {
  constructor(status, message, problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

async function answer(response) {
  if (response.status === 204) return null;
  const value = await response.json().catch(() => ({}));
  if (!response.ok) throw new Refused(response.status, value.error ?? response.statusText, value.problem);
  return value;
}

/** The answer to a request; fails after a while without one. @param {string} address @param {RequestInit} [options] */
const ask = (address, options = {}, limit = ANSWER_LIMIT) => request(address, { signal: AbortSignal.timeout(limit), ...options }).then(answer);

const asJson = (value) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const about = () => ask('api/about');
export const books = () => ask('api/books');
/** Checks whether a FEN, with moves from there on, is a position. */
export const checkFen = (fen, moves = '') => ask('api/fen', asJson({ fen, moves }));

/** The text of a move in a notation. @param {string} fen @param {string} move @param {string} notation @returns {Promise<string>} */
export async function moveText(fen, move, notation) {
  const { id, view } = await ask('api/sessions', asJson({ fen, moves: move, settings: { notation } }));
  ask(`api/sessions/${id}`, { method: 'DELETE' }).catch(() => null);
  return view.moves[0].text;
}

/** A file with its name; fails with the reason if there is none. @param {string} address @returns {Promise<[string, Blob]>} */
export async function fileAt(address) {
  const response = await request(address);
  if (!response.ok) return answer(response);
  const [, name] = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition')) ?? [null, 'game'];
  return [name, await response.blob()];
}

/** The games that the server keeps, the newest first. @returns {Promise<KeptGame[]>} */
export const keptGames = () => ask('api/games');
/** @param {string} key */
export const removeGame = (key) => ask(`api/games/${key}`, { method: 'DELETE' });
/** @param {string} key */
export const restoreGame = (key) => ask(`api/games/${key}/restore`, asJson({}));

/** The bytes of the largest file that the server takes; of a larger one it ends the connection, at times without a reason. */
const MOST_BYTES = 4 << 20;

/** @param {Blob} bytes */
async function octets(bytes) {
  if (outlivesPage && bytes.size > MOST_BYTES) throw new Refused(413, 'the file is larger than 4 MiB', { code: 'tooLarge', values: [] });
  return { method: 'POST', headers: { 'Content-Type': 'application/octet-stream' }, body: bytes };
}

/** Gives the server a book file; what it has read. @param {File} file */
export const openBook = async (file) => (
  ask(`api/books?name=${encodeURIComponent(file.name.slice(0, 80))}`, await octets(file), FILE_LIMIT)
);

/**
 * Milliseconds in which another tab answers that a board is its own. A tab that is too busy for that shares
 * its board; to wait longer would make every reload slow.
 */
const ANSWER_TIME = 400;

/** Where the tabs of one server agree on which board belongs to which tab. */
const tabs = outlivesPage ? openTabs() : null;

/** Without storage for the site there may be no channel either. */
function openTabs() {
  try {
    return new BroadcastChannel(`cannonade ${location.pathname}`);
  } catch {
    return null;
  }
}

/**
 * Returns whether another tab has this board: a duplicated tab begins with the number of the first one.
 * @param {number} board
 * @returns {Promise<boolean>}
 */
function isTaken(board) {
  if (!tabs) return Promise.resolve(false);
  return new Promise((done) => {
    const heard = ({ data }) => { if (data.mine === board) end(true); };
    const end = (found) => {
      tabs.removeEventListener('message', heard);
      done(found);
    };
    tabs.addEventListener('message', heard);
    tabs.postMessage({ whose: board });
    setTimeout(() => end(false), ANSWER_TIME);
  });
}

/** The session of this tab. */
export class Session {
  /** @param {number} id */
  constructor(id) {
    this.id = id;
    this.base = `api/sessions/${id}`;
    /** @type {Stream|null} */
    this.stream = null;
    tabs?.addEventListener('message', ({ data }) => { if (data.whose === id) tabs.postMessage({ mine: id }); });
  }

  /**
   * The session that this tab had before it was loaded again, or a new one; each tab has its own. The last
   * value says whether the server has forgotten the one that this tab had.
   * @param {object} settings those of a new one
   * @returns {Promise<[Session, View, boolean]>}
   */
  static async open(settings) {
    const known = Number(tabStorage.get('board'));
    // Another server begins to count anew.
    if (known && tabStorage.get('server') !== location.pathname) return [...await Session.create(settings), true];
    if (known) {
      const [view, taken] = await Promise.all([
        ask(`api/sessions/${known}`).catch((error) => { if (error.status === 404) return null; throw error; }),
        isTaken(known),
      ]);
      if (view && !taken) return [new Session(known), view, false];
      return [...await Session.create(settings), !view];
    }
    return [...await Session.create(settings), false];
  }

  /** @param {object} settings @returns {Promise<[Session, View]>} */
  static async create(settings) {
    const { id, view } = await ask('api/sessions', asJson({ settings }));
    tabStorage.set('board', String(id));
    tabStorage.set('server', location.pathname);
    return [new Session(id), view];
  }

  /** A board of its own for a position that is tried out. @param {string} fen @returns {Promise<[Session, View]>} */
  static async scratch(fen) {
    const { id, view } = await ask('api/sessions', asJson({ fen }));
    return [new Session(id), view];
  }

  /**
   * Makes a move and lets the engine compare it with the best one. Its mark: empty for a good move.
   * @param {string} move @param {number} time milliseconds for each of the two positions
   */
  async examine(move, time) {
    await this.change('goto', { to: 'start' });
    const view = await this.change('move', { move });
    const { node } = view;
    let now = await this.change('sweep', { time });
    while (now.sweep) {
      await new Promise((done) => { setTimeout(done, 100); });
      now = await ask(this.base);
    }
    return now.moves.find(({ id }) => id === node)?.mark ?? '';
  }

  close() {
    return ask(this.base, { method: 'DELETE' }).catch(() => null);
  }

  /** The shown line compared with what the engine has found. @returns {Promise<Assessment>} */
  assessment() {
    return ask(`${this.base}/assessment`, {}, FILE_LIMIT);
  }

  /** Asks for a change; the view after it. @param {string} action @param {object} [value] @returns {Promise<View>} */
  change(action, value = {}) {
    return ask(`${this.base}/${action}`, asJson(value));
  }

  /** @param {Blob} bytes @param {number} game */
  async load(bytes, game) {
    return ask(`${this.base}/load?game=${game}`, await octets(bytes), FILE_LIMIT);
  }

  /** The moves of a book in the shown position. @param {number} book */
  bookMoves(book) {
    return ask(`${this.base}/book?book=${book}`);
  }

  judge() {
    return ask(`${this.base}/judge`, {}, FILE_LIMIT);
  }

  /** @param {{kind: string, notation: string, variations: boolean, analysis: boolean}} wanted */
  savedAddress({ kind, notation, variations, analysis }) {
    return `${this.base}/save?kind=${kind}&notation=${notation}&variations=${variations ? 1 : 0}&analysis=${analysis && kind === 'pgn' ? 1 : 0}`;
  }

  /** @param {'svg'|'png'} kind @param {Record<string, string>} options */
  pictureAddress(kind, options) {
    const chosen = Object.entries(options).filter(([, value]) => value);
    return `${this.base}/picture?kind=${kind}${chosen.map(([name, value]) => `&${name}=${value}`).join('')}`;
  }

  /** @param {string} address of a picture */
  async picture(address) {
    const response = await request(address);
    return response.ok ? response.blob() : answer(response);
  }

  reportAddress(language) {
    return `${this.base}/report?language=${language}`;
  }

  async savedText(wanted) {
    const response = await request(this.savedAddress(wanted));
    return response.ok ? response.text() : answer(response);
  }

  /** Listens to the board while the page is seen. @param {import('./stream.js').Listener} on */
  listen(on) {
    this.stream = new Stream(this.base, on);
  }

  /** A request has not been answered: the stream finds out whether the server is there. */
  suspect() {
    this.stream?.fail();
  }
}
