// The connection to the server: requests for one board, and its stream of changes.

/**
 * Data that the server sends; `src/web/view.rs` describes the parts.
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
 * @property {string[]} legal
 * @property {{winner: Side|null, reason: string, text: string}|null} end
 * @property {{occurrences: number, length: number, rulings: Ruling[]}|null} repetition
 * @property {string} rules
 * @property {string} notation
 * @property {string} red
 * @property {string} black
 * @property {string} event
 * @property {Contest|null} contest
 * @property {number|null} analysis
 * @property {[number, number]|null} sweep
 * @property {'none'|'waiting'|'working'} work
 * @property {Score|null} start_score
 *
 * @typedef {{node: number, nodes: number, nps: number, lines: {score: Score, moves: string[], texts: string[]}[]}} Lines
 */

/** Seconds that a hidden tab keeps its stream. A browser has few connections for all tabs together. */
const HIDDEN_SECONDS = 10;

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

const asJson = (value) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/json' },
  body: JSON.stringify(value),
});

export const about = () => fetch('api/about').then(answer);
export const books = () => fetch('api/books').then(answer);
/** Checks whether a FEN, with moves from there on, is a position. */
export const checkFen = (fen, moves = '') => fetch('api/fen', asJson({ fen, moves })).then(answer);

/** Fails with the reason if a file cannot be downloaded: the browser shows none. @param {string} address */
export const checkDownload = (address) => fetch(address).then((response) => (response.ok ? null : answer(response)));

const octets = (bytes) => ({
  method: 'POST',
  headers: { 'Content-Type': 'application/octet-stream' },
  body: bytes,
});

/** Gives the server a book file; what it has read. @param {File} file */
export const openBook = (file) => (
  fetch(`api/books?name=${encodeURIComponent(file.name.slice(0, 80))}`, octets(file)).then(answer)
);

/**
 * Milliseconds in which another tab answers that a board is its own. A tab that is too busy for that shares
 * its board; to wait longer would make every reload slow.
 */
const ANSWER_TIME = 400;

/** Where the tabs of one server agree on which board belongs to which tab. */
const tabs = 'BroadcastChannel' in window ? new BroadcastChannel(`cannonade ${location.pathname}`) : null;

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
    this.stream = null;
    this.hiddenTimer = 0;
    tabs?.addEventListener('message', ({ data }) => { if (data.whose === id) tabs.postMessage({ mine: id }); });
  }

  /** The session that this tab had before it was loaded again, or a new one; each tab has its own. @returns {Promise<[Session, View]>} */
  static async open() {
    const known = Number(sessionStorage.getItem('board'));
    if (known) {
      const [view, taken] = await Promise.all([
        fetch(`api/sessions/${known}`).then(answer).catch(() => null),
        isTaken(known),
      ]);
      if (view && !taken) return [new Session(known), view];
    }
    return Session.create();
  }

  /** @returns {Promise<[Session, View]>} */
  static async create() {
    const { id, view } = await fetch('api/sessions', asJson({})).then(answer);
    sessionStorage.setItem('board', String(id));
    return [new Session(id), view];
  }

  /** Asks for a change; the view after it. @param {string} action @param {object} [value] @returns {Promise<View>} */
  change(action, value = {}) {
    return fetch(`${this.base}/${action}`, asJson(value)).then(answer);
  }

  /** @param {BodyInit} bytes @param {number} game */
  load(bytes, game) {
    return fetch(`${this.base}/load?game=${game}`, octets(bytes)).then(answer);
  }

  /** The moves of a book in the shown position. @param {number} book */
  bookMoves(book) {
    return fetch(`${this.base}/book?book=${book}`).then(answer);
  }

  judge() {
    return fetch(`${this.base}/judge`).then(answer);
  }

  savedAddress(kind, notation, variations) {
    return `${this.base}/save?kind=${kind}&notation=${notation}&variations=${variations ? 1 : 0}`;
  }

  reportAddress(language) {
    return `${this.base}/report?language=${language}`;
  }

  async savedText(kind, notation, variations) {
    const response = await fetch(this.savedAddress(kind, notation, variations));
    return response.ok ? response.text() : answer(response);
  }

  /**
   * Listens to the session while the page is seen.
   * @param {{view: (view: View) => void, lines: (lines: Lines) => void, lost: () => void, refused: (error: Refused) => void, gone: () => void}} on
   */
  listen(on) {
    const open = () => {
      clearTimeout(this.hiddenTimer);
      // A tab that is opened in the background, or loses its stream there, listens when it is seen.
      if (document.hidden) return;
      if (this.stream && this.stream.readyState !== EventSource.CLOSED) return;
      const stream = new EventSource(`${this.base}/events`);
      this.stream = stream;
      stream.addEventListener('view', (event) => on.view(JSON.parse(event.data)));
      stream.addEventListener('lines', (event) => on.lines(JSON.parse(event.data)));
      stream.addEventListener('error', () => {
        on.lost();
        // A server that has forgotten the session answers with an error, which ends the stream.
        if (stream.readyState === EventSource.CLOSED && this.stream === stream) {
          fetch(this.base).then(async (response) => {
            if (response.status === 404) on.gone();
            else if (response.status === 403) await answer(response).catch(on.refused);
            else setTimeout(open, 2000);
          }, () => { setTimeout(open, 2000); });
        }
      });
    };
    const shut = () => {
      this.stream?.close();
      this.stream = null;
    };
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) this.hiddenTimer = setTimeout(shut, 1000 * HIDDEN_SECONDS);
      else open();
    });
    window.addEventListener('pagehide', shut);
    window.addEventListener('pageshow', open);
    open();
  }
}
