// The functions that the page asks for what it cannot do; `transport.js` says how a call travels. None of them has a
// memory: `docs/web-requests.md` lists them.

import { call, callLast, hasServer, listen } from './transport.js';

/**
 * @typedef {import('./rules.js').Side} Side
 * @typedef {import('./scores.js').Score} Score
 * @typedef {{rules: string, loser: Side|null, red: string, black: string, undecided: boolean}} Ruling
 * @typedef {{occurrences: number, rulings: Ruling[]}} Repetition
 * @typedef {{code: string, values: string[]}} Problem
 *
 * @typedef {{parent: number, move: string, text?: string, comment?: string, glyphs?: number[], assessment?: string, score?: Score, book?: boolean}} MoveData
 * @typedef {{start: string, tags: [string, string][], result: string, comment: string, score?: Score, moves: MoveData[]}} TreeData
 *
 * @typedef {{start: string, fen: string, moves: string[], texts: string[], end: import('./game.js').End|null, repetition: Repetition|null,
 *   loops?: any[]}} JudgedLine
 *
 * @typedef {{red: string, black: string, event: string, date: string, result: string, plies: number, opening: {en: string, zh: string}|null}} ListedGame
 * @typedef {{tree: TreeData, kind: string, count: number, games: ListedGame[]|null, problems: string[], problem: Problem|null}} ReadFile
 *
 * @typedef {{score: Score, moves: string[], texts: string[]}} Line
 * @typedef {{nodes: number, nps: number, lines: Line[]}} FoundLines
 * @typedef {{move: string|null, score: Score|null, book: boolean, time: number}} BestMove
 * @typedef {{started?: object, lines?: FoundLines, best?: BestMove, value?: {ply: number, score: Score}}} SearchEvent
 *
 * @typedef {'best'|'good'|'inaccuracy'|'mistake'|'blunder'} MoveClass
 * @typedef {{accuracy: number|null, cpLoss: number|null, classes: Record<MoveClass, number>, phases: Record<string, number|null>}} SideSummary
 * @typedef {{node: number, class: MoveClass, loss: number, cpLoss: number, phase: string, better: string[], texts: string[]}} AssessedMove
 * @typedef {{complete: boolean, known: number, positions: number, opening: {en: string, zh: string}|null,
 *   summary: Record<Side, SideSummary>, moves: (AssessedMove|null)[], events: {node: number, text: {en: string, zh: string}}[]}} Assessment
 *
 * @typedef {{result: 'win'|'draw'|'loss', plies: number|null, exact: boolean}} TableValue
 * @typedef {{value: TableValue|null, moves: ({move: string, text: string} & Partial<TableValue>)[]}} TableResult
 */

/** Milliseconds in which a function answers; those that take files may take longer. */
const ANSWER_LIMIT = 10000;
const FILE_LIMIT = 60000;

/** The bytes of the largest file that the server takes; of a larger one it ends the connection, at times without a reason. */
const MOST_BYTES = 4 << 20;

/** An error that a function has explained. */
export class Refused extends Error {
  /** @param {number} status @param {string} message @param {Problem|null} [problem] */
  constructor(status, message, problem) {
    super(message);
    this.status = status;
    this.problem = problem;
  }
}

/** @param {import('./transport.js').Answer} answer */
async function refusal({ status, body }) {
  const { error = String(status), problem = null } = await body.text().then(JSON.parse).catch(() => ({}));
  return new Refused(status, error, problem);
}

/** The answer of a function; it fails after a while without one. @param {string} name @param {object|Blob|null} input */
async function ask(name, input = null, query = '', limit = ANSWER_LIMIT) {
  const answer = await call(name, query, input, AbortSignal.timeout(limit));
  if (answer.status >= 300) throw await refusal(answer);
  return answer;
}

const value = async (name, input = null, query = '', limit = ANSWER_LIMIT) => {
  const { body, status } = await ask(name, input, query, limit);
  return status === 204 ? null : JSON.parse(await body.text());
};

/** Milliseconds in which a server says that it is there. */
const SIGN_LIMIT = 4000;

/** @param {number} [limit] milliseconds */
export const about = (limit = SIGN_LIMIT) => value('about', null, '', limit);

/** @param {{fen: string, moves: string, rules?: string, notation?: string, explain?: boolean}} line @returns {Promise<JudgedLine>} */
export const judge = (line) => value('judge', line, '', line.explain ? FILE_LIMIT : ANSWER_LIMIT);

/**
 * Checks whether a FEN, with moves from there on, is a position.
 * @param {string} fen @param {string} [moves] @returns {Promise<{fen: string|null, error: string|null, problem: Problem|null}>}
 */
export const checkFen = (fen, moves = '') => value('check', { fen, moves });

/** @param {Blob} bytes */
async function checked(bytes) {
  if (hasServer && bytes.size > MOST_BYTES) throw new Refused(413, 'the file is larger than 4 MiB', { code: 'tooLarge', values: [] });
  return bytes;
}

/** One game of a file; without its number the first one, with the list of all. @param {Blob} bytes @param {string} notation @param {number} [game] @returns {Promise<ReadFile>} */
export const readFile = async (bytes, notation, game) => (
  value('read', await checked(bytes), `notation=${notation}${game ? `&game=${game}` : ''}`, FILE_LIMIT)
);

/** A game that an earlier version has kept. @param {object} file @returns {Promise<import('./store.js').KeptState>} */
export const readOldGame = (file) => value('read', new Blob([JSON.stringify(file)]), '', FILE_LIMIT);

/** A game as a file. @param {{tree: TreeData, kind: string, notation?: string, rules?: string, language?: string, plain?: boolean, analysis?: boolean}} wanted */
export const writeFile = (wanted) => ask('write', wanted, '', FILE_LIMIT);

/** The game with its moves in a notation. @param {TreeData} tree @param {string} notation @returns {Promise<TreeData>} */
export const writeTree = (tree, notation) => value('write', { tree, kind: 'tree', notation }, '', FILE_LIMIT);

/** @param {{fen: string, kind: string}} wanted with the looks of the board */
export const picture = (wanted) => ask('picture', wanted);

/** @param {TreeData} tree @param {string} rules @param {string} notation @returns {Promise<Assessment>} */
export const assess = (tree, rules, notation) => value('assess', { tree, rules, notation }, '', FILE_LIMIT);

export const books = () => value('books');
/** Reads a book file; what it holds. @param {File} file */
export const openBook = async (file) => (
  value('open-book', await checked(file), `name=${encodeURIComponent(file.name.slice(0, 80))}`, FILE_LIMIT)
);
/** @param {string} fen @param {number} book @param {string} notation */
export const bookMoves = (fen, book, notation) => value('book', { fen, book, notation });
/** What the endgame tables say of a position; null without a table. @param {string} fen @param {string} notation @returns {Promise<TableResult|null>} */
export const tableMoves = (fen, notation) => value('table', { fen, notation });

/** The name of this page among those that share an engine. */
export const page = Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, '0')).join('');

/**
 * A search, or the analysis of a line: it replaces the one before of this page. The promise comes with its end.
 * @param {'search'|'analyse'} name @param {object} wanted @param {(event: SearchEvent) => void} hear @param {AbortSignal} signal
 */
export async function search(name, wanted, hear, signal) {
  const refused = await listen(name, { page, ...wanted }, hear, signal);
  if (refused) throw await refusal(refused);
}

/** Ends the search of this page. */
export const stopSearch = () => value('stop', { page });
/** Asks for the move of the search of this page now. */
export const moveNow = () => value('now', { page });
/** The page is being left. */
export const leave = () => callLast('stop', { page });

/** The games in the folder of the server. @returns {Promise<import('./store.js').KeptGame[]>} */
export const keptGames = () => value('games');
/** @param {{key: string, revision: number, summary: object, game: object}} file */
export const keepGame = (file) => value('keep', file, '', FILE_LIMIT);
/** @param {string} key */
export const keptGame = (key) => value('kept', { key });
/** @param {string} key */
export const removeGame = (key) => value('remove', { key });
/** @param {string} key */
export const restoreGame = (key) => value('restore', { key });
