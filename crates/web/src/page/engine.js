// What the page asks of the engine and of the judge: the move of a game, the lines of an analysis, the values of a whole
// game, the threat. A new wish takes the place of the one before.

import { judge, leave, moveNow, search, stopSearch, writeTree } from './functions.js';
import { hasServer } from './transport.js';

/** Milliseconds from the start of a search at a level to its move, so that a person can follow. */
const PACE = 400;

/** Milliseconds that a hidden tab keeps the engine for an analysis, which has no end. */
const HIDDEN = 10000;

/** Milliseconds after which a search that has not begun is said to wait for others. */
const WAIT = 700;

/** Plies without a capture from which on the rules may end a game. */
const QUIET = 60;

/** Below this Elo a level plays its first moves from the built-in book: its own would look absurd. */
const BOOK_ELO = 1600;
const BOOK_PLIES = 6;

/** Searches without an end in all tabs of a browser, which has six connections to a server. */
const STREAMS = 4;

/** Milliseconds that further tabs search at a time, and between two searches. */
const TURN = 1000;
const TURN_PAUSE = 200;

/** @typedef {import('./game.js').Node} Node */

/** Takes one of the streams of all tabs; what gives it back, or null if there is none. @returns {Promise<(() => void)|null>} */
async function takeStream() {
  // A worker needs no connection; pages of plain HTTP addresses other than this machine have no locks.
  if (!hasServer || !navigator.locks) return () => {};
  for (let number = 0; number < STREAMS; number += 1) {
    /** @type {(() => void)|null} */
    const free = await new Promise((done) => {
      navigator.locks.request(`cannonade stream ${number}`, { ifAvailable: true }, (lock) => {
        if (lock) return new Promise((end) => done(() => end(undefined)));
        done(null);
        return undefined;
      }).catch(() => done(() => {}));
    });
    if (free) return free;
  }
  return null;
}

export class Engine {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** The number of lines of the analysis that is on. @type {number|null} */
    this.analysis = null;
    this.threat = false;
    /** The analysis of the line: the nodes that are left, the next one last. @type {{root: Node, left: Node[], total: number, limits: object}|null} */
    this.sweep = null;
    /** What the engine does for this page. @type {'none'|'waiting'|'working'} */
    this.work = 'none';
    /** What was found in the shown position. @type {{node: Node, isThreat: boolean, found: import('./functions.js').FoundLines}|null} */
    this.found = null;
    /** What is asked. */
    this.key = '';
    /** @type {AbortController|null} */
    this.running = null;
    /** The nodes that are being judged. @type {Set<string>} */
    this.judging = new Set();
    this.isHidden = false;
    this.hiddenTimer = 0;
    this.waitTimer = 0;
    /** Numbers of games, to tell them from each other. @type {WeakMap<Node, number>} */
    this.numbers = new WeakMap();
    this.lastNumber = 0;
    /** The line that is analysed. @type {Node[]} */
    this.nodes = [];
    this.startedAt = 0;
    /** A move that is found and shown a little later. @type {{timer: number, play: () => void}|null} */
    this.paced = null;
    /** Whether the move is wanted at once. */
    this.isHurried = false;
    document.addEventListener('visibilitychange', () => {
      clearTimeout(this.hiddenTimer);
      if (document.hidden) this.hiddenTimer = setTimeout(() => { this.isHidden = true; this.update(); }, HIDDEN);
      else if (this.isHidden) { this.isHidden = false; this.update(); }
    });
    addEventListener('pagehide', () => { if (this.running) leave(); });
  }

  get game() { return this.app.game; }

  /** What the engine is to do now: a name by which it is recognized, and how to ask. */
  wanted() {
    const { game } = this;
    const { node, position } = game;
    const canMove = position.legal.length > 0;
    const wish = (kind, ...parts) => ({ kind, key: JSON.stringify([kind, game.rules, this.number(game.root), ...parts]) });
    if (game.isRunning) return game.isEnginesTurn && canMove && !this.mayBeOver ? wish('move', node.id) : null;
    if (this.sweep) return wish('sweep', this.sweep.total);
    if (this.isHidden) return null;
    if (this.threat) return position.checkers.length ? null : wish('threat', node.id, game.notation);
    return this.analysis !== null && canMove ? wish('analysis', node.id, this.analysis, game.notation) : null;
  }

  /** A number for a game. @param {Node} root */
  number(root) {
    if (!this.numbers.has(root)) {
      this.lastNumber += 1;
      this.numbers.set(root, this.lastNumber);
    }
    return this.numbers.get(root);
  }

  /** Asks for what is wanted now, and ends what was wanted before. */
  update() {
    const { app, game } = this;
    if (this.sweep?.root !== game.root) this.sweep = null;
    if (this.sweep) {
      this.sweep.left = this.sweep.left.filter((node) => game.holds(node));
      if (!this.sweep.left.length) this.sweep = null;
    }
    if (game.isRunning) [this.analysis, this.sweep] = [null, null];
    this.judge();
    const wanted = app.awayBar?.reason ? null : this.wanted();
    if ((wanted?.key ?? '') === this.key) return;
    const hadSearch = Boolean(this.running);
    this.running?.abort();
    this.running = null;
    this.key = wanted?.key ?? '';
    this.work = wanted ? 'working' : 'none';
    clearTimeout(this.waitTimer);
    // Others may have the engine.
    if (wanted) this.waitTimer = setTimeout(() => { this.work = 'waiting'; this.app.accept(); }, WAIT);
    if (!wanted) {
      if (hadSearch) stopSearch().catch(() => {});
      return;
    }
    this.running = new AbortController();
    this.ask(wanted, this.running).catch((error) => this.failed(error, wanted));
  }

  /** What every request says of a position. @param {Node} node */
  place(node) {
    const { root, rules, notation } = this.game;
    return { fen: root.position.fen, moves: node.path.map(({ move }) => move).join(' '), rules, notation };
  }

  async ask({ kind, key }, running) {
    const { signal } = running;
    const isWanted = () => this.key === key && this.running === running;
    const { node } = this.game;
    const { notation: _, ...line } = this.place(this.game.line.at(-1));
    let isAnswered = false;
    const hear = (event) => {
      if (!isWanted()) return;
      if (event.started) this.begun(kind);
      if (event.lines) this.hearLines(kind, node, event.lines);
      if (event.value) this.hearValue(event.value);
      if (event.best) { isAnswered = true; this.hearMove(kind, node, event.best, isWanted); }
    };
    if (kind === 'sweep') {
      const from = this.game.line.indexOf(this.sweep.left.at(-1));
      this.nodes = this.game.line;
      await search('analyse', { ...line, ...this.sweep.limits, from }, hear, signal);
      // The last value has ended it; a server that ends does so before.
      if (isWanted()) throw new TypeError('the analysis has ended early');
      return;
    }
    const limits = { move: () => this.moveLimits(), analysis: () => ({ lines: this.analysis }), threat: () => ({ threat: true }) }[kind]();
    // A search without an end keeps a connection.
    const isEndless = kind !== 'move';
    const free = isEndless ? await takeStream() : null;
    if (isEndless && !free) limits.time = TURN;
    if (isWanted()) await search('search', { ...this.place(node), ...limits }, hear, signal).finally(free ?? (() => {}));
    else free?.();
    if (isEndless && isWanted()) {
      this.key = '';
      setTimeout(() => this.update(), TURN_PAUSE);
    }
    // Only a page that was silent too long, or has asked twice, loses its search.
    if (isWanted() && kind === 'move' && !isAnswered) throw new TypeError('the search has ended without a move');
  }

  moveLimits() {
    const { contest, clock, position, node } = this.game;
    const { elo } = contest[position.side];
    const time = clock ? { clock: { left: Math.round(clock.now(position.side)), increment: contest.clock.increment } } : { time: contest.perMove };
    const isOpening = elo !== null && elo < BOOK_ELO && node.path.length < BOOK_PLIES;
    const book = contest.book ?? (isOpening ? 0 : null);
    return { ...time, ...(elo === null ? {} : { elo }), ...(book === null ? {} : { book }) };
  }

  begun(kind) {
    clearTimeout(this.waitTimer);
    this.work = 'working';
    this.startedAt = performance.now();
    if (kind === 'move') this.game.clock?.start(this.game.position.side);
    this.app.accept();
  }

  hearLines(kind, node, found) {
    this.found = { node, isThreat: kind === 'threat', found };
    const [best] = found.lines;
    const isWeak = kind === 'move' && this.game.contest?.[node.position.side].elo !== null;
    if (kind !== 'threat' && !isWeak) this.value(node, { ...best.score, line: best.moves });
    this.app.renderLines();
  }

  hearValue({ ply, score }) {
    const node = this.nodes[ply];
    if (node) this.value(node, score);
    if (this.sweep) this.sweep.left = this.sweep.left.filter((left) => left !== node);
    this.app.accept();
  }

  /** Keeps a value, unless a deeper one is known. @param {Node} node @param {import('./scores.js').Score} score */
  value(node, score) {
    if (!node.score || node.score.depth <= score.depth) node.score = score;
  }

  hearMove(kind, node, { move, score, book, time }, isWanted) {
    if (kind !== 'move' || !move) return;
    // The way to the server and back is not the engine's time.
    this.game.clock?.hold(Math.max(time, 1));
    const isPaced = book || this.game.contest[node.position.side].elo !== null;
    const play = () => {
      this.paced = null;
      if (!isWanted() || this.game.flag()) return;
      if (score) this.value(node, score);
      this.app.change('make', move);
      if (book) this.game.node.isFromBook = true;
      this.app.accept();
    };
    const left = isPaced && !this.isHurried ? PACE - (performance.now() - this.startedAt) : 0;
    this.isHurried = false;
    if (left > 0) this.paced = { timer: setTimeout(play, left), play };
    else play();
  }

  /** @param {Error & {status?: number, name: string}} error */
  failed(error, wanted) {
    if (this.key !== wanted.key || error.name === 'AbortError') return;
    clearTimeout(this.waitTimer);
    this.running = null;
    this.work = 'none';
    if (!error.status || error.status === 403) {
      this.key = '';
      this.app.lost(error);
      return;
    }
    // It would be refused again.
    if (wanted.kind === 'sweep') this.sweep = null;
    if (wanted.kind === 'move') this.game.pause();
    this.app.tell(error);
    this.app.accept();
  }

  // ---- what the page asks for

  /** @param {{lines: number|null}} value */
  analyse({ lines }) {
    if (lines !== null) this.game.pause();
    if (lines !== null && this.analysis !== null && lines < this.analysis && this.found) this.found.found.lines.splice(lines);
    this.analysis = lines;
  }

  /** @param {{show: boolean}} value */
  setThreat({ show }) {
    if (show) this.game.pause();
    this.threat = show;
  }

  /** Values all positions of the shown line; null ends that. @param {{limits: object|null}} value */
  setSweep({ limits }) {
    this.game.pause();
    const left = this.game.line;
    this.sweep = limits && { root: this.game.root, left, total: left.length, limits };
  }

  /** Ends all work, and pauses the game. */
  rest() {
    this.game.pause();
    [this.analysis, this.sweep, this.threat] = [null, null, false];
  }

  /** Asks for the move that the engine thinks about. */
  async now() {
    if (this.paced) {
      clearTimeout(this.paced.timer);
      this.paced.play();
    } else {
      this.isHurried = true;
      await moveNow();
    }
  }

  sweepState() {
    if (!this.sweep || this.sweep.root !== this.game.root) return null;
    const { numbers } = this.game.data();
    const { left, total, limits } = this.sweep;
    return { left: left.map((node) => numbers.get(node)).filter((number) => number !== undefined), total, limits };
  }

  /** @param {{left: number[], total: number, limits?: object, time?: number}} kept */
  resumeSweep({ left, total, limits, time }) {
    const { root } = this.game;
    const nodes = left.map((number) => root.nodes.get(number)).filter(Boolean);
    if (nodes.length) this.sweep = { root, left: nodes, total, limits: limits ?? { time } };
  }

  // ---- the judge

  /** Whether only the judge knows the shown position: a move without its text, or an end that is not by the moves alone. */
  get isUnjudged() {
    const { node } = this.game;
    return Boolean(node.parent && !node.text) || this.mayBeOver;
  }

  /** Whether the rules may have ended the game in the shown position. */
  get mayBeOver() {
    const { game } = this;
    if (game.judgement) return false;
    return game.isRepeated || game.position.quiet >= QUIET || !/[rncp]/i.test(game.position.key.slice(0, -2));
  }

  /** Asks for the texts of the moves to the shown one, and for what the rules say of the position. */
  async judge() {
    const { game } = this;
    const { node, root, rules, notation } = game;
    const name = JSON.stringify([this.number(root), node.id, rules, notation]);
    if (!this.isUnjudged || this.app.awayBar?.reason || this.judging.has(name)) return;
    this.judging.add(name);
    try {
      const { texts, end, repetition } = await judge(this.place(node));
      if (game.notation === notation) node.path.forEach((one, ply) => { one.text = texts[ply]; });
      game.judged(node, { rules, end, repetition });
      this.app.accept();
    } catch (error) {
      if (!error.status || error.status === 403) this.app.lost(error);
      else this.app.tell(error);
    } finally {
      this.judging.delete(name);
    }
  }

  /** Writes all moves in the notation that was chosen. */
  async rename() {
    const { game } = this;
    const { root, notation } = game;
    const { tree, numbers } = game.data();
    if (!tree.moves.length) return;
    const { moves } = await writeTree(tree, notation);
    if (game.notation !== notation || game.root !== root) return;
    for (const [node, number] of numbers) {
      if (number) [node.text, node.assessment] = [moves[number - 1].text, moves[number - 1].assessment ?? ''];
    }
  }
}
