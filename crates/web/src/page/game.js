// The game of the page: its moves with their variations, the shown place, the players with their clocks, and the
// changes that can be undone.

import { Clock } from './clock.js';
import { otherSide, Position } from './rules.js';

/** More moves with variations would be beyond any game, and slow. */
const MOST_MOVES = 5000;
const MOST_STEPS = 10000;
/** Games before the shown one to which undoing leads back. */
const MOST_GAMES = 32;
const MOST_COMMENT = 10000;
const MOST_NAME = 200;

/** The minimum depth of the searches before and after a move that is marked as a mistake. */
const MARK_DEPTH = 6;
/** Marks of moves by the expected points that they lose. @type {[number, string][]} */
const MARKS = [[0.2, '??'], [0.1, '?'], [0.05, '?!']];

/** The sentences of ends that are not by the rules. */
const ENDS = { time: 'on time', resignation: 'by resignation', agreement: 'by agreement' };

/**
 * @typedef {import('./rules.js').Side} Side
 * @typedef {import('./scores.js').Score} Score
 * @typedef {{engine: boolean, elo: number|null}} Player
 * @typedef {{red: Player, black: Player, perMove: number|null, clock: {base: number, increment: number}|null, book: number|null, start: Node}} Contest
 * @typedef {{node: Node, winner: Side|null, reason: 'time'|'resignation'|'agreement'}} Forfeit
 * @typedef {{winner: Side|null, reason: string, text: string}} End
 * @typedef {{rules: string, end: End|null, repetition: import('./functions.js').Repetition|null}} Judgement
 */

/** Why a game does not allow something; `problem` is the sentence of the page. */
export class NotAllowed extends Error {
  /** @param {string} code @param {string} message */
  constructor(code, message) {
    super(message);
    this.status = 409;
    this.problem = { code, values: [] };
  }
}

const enginesTurn = () => new NotAllowed('enginesTurn', 'it is the engine\'s turn; wait for its move or pause the game');
const gameOver = () => new NotAllowed('gameOver', 'the game is over; take a move back or start a new one');
const noContest = () => new NotAllowed('noContest', 'no game is being played');

/** A place of a game: the start, or a move. */
export class Node {
  /** @param {number} id @param {Node|null} parent @param {string} move */
  constructor(id, parent, move) {
    this.id = id;
    this.parent = parent;
    this.move = move;
    /** The continuation first. Another list takes its place when it changes. @type {Node[]} */
    this.children = [];
    /** The move in the notation; empty until it is known. */
    this.text = '';
    this.comment = '';
    /** @type {number[]} */
    this.glyphs = [];
    this.assessment = '';
    /** @type {Score|null} */
    this.score = null;
    this.isFromBook = false;
    /** Whether the game against the engine has added it. */
    this.isPlayed = false;
    /** @type {Judgement|null} */
    this.judgement = null;
    /** @type {Position|null} */
    this.known = null;
  }

  get position() {
    this.known ??= this.parent.position.after(this.move);
    return this.known;
  }

  /** The nodes from the first move to this one. @returns {Node[]} */
  get path() {
    const path = [];
    for (let at = /** @type {Node} */ (this); at.parent; at = at.parent) path.unshift(at);
    return path;
  }

  /** The nodes after this one along its line. @returns {Node[]} */
  get rest() {
    const rest = [];
    for (let [at] = this.children; at; [at] = at.children) rest.push(at);
    return rest;
  }

  /** `?!`, `?` or `??` for a move that loses points, as in reports. */
  get mark() {
    const [before, after] = [this.parent.score, this.score];
    if (!before || !after || before.depth < MARK_DEPTH || (after.depth < MARK_DEPTH && after.mate !== 0)) return '';
    if (before.line?.[0] === this.move) return '';
    const lost = (this.parent.position.side === 'red' ? before.red - after.red : after.red - before.red) / 1000;
    return MARKS.find(([least]) => Math.round(1e4 * lost) / 1e4 >= least)?.[1] ?? '';
  }
}

/** The start of a game; its nodes are numbered, and its file is known here. */
export class Root extends Node {
  /** @param {Position} start */
  constructor(start) {
    super(0, null, '');
    this.known = start;
    this.last = 0;
    /** @type {Map<number, Node>} */
    this.nodes = new Map([[0, this]]);
    /** Where the game is kept. @type {{key: string, revision: number}|null} */
    this.file = null;
    /** Whether it was changed since it was opened. */
    this.isChanged = false;
  }

  /** @param {Node} parent @param {string} move */
  add(parent, move) {
    this.last += 1;
    const node = new Node(this.last, parent, move);
    this.nodes.set(node.id, node);
    return node;
  }

  /** All moves: parents before their children, the continuation before variations. @returns {Node[]} */
  get moves() {
    const found = [];
    const open = [...this.children].reverse();
    for (let node = open.pop(); node; node = open.pop()) {
      found.push(node);
      open.push(...[...node.children].reverse());
    }
    return found;
  }

  /** @param {import('./functions.js').TreeData} tree as the functions write it */
  static of(tree) {
    const root = new Root(Position.of(tree.start));
    root.comment = tree.comment;
    root.score = tree.score ?? null;
    for (const { parent, move, text = '', comment = '', glyphs = [], assessment = '', score = null, book = false } of tree.moves) {
      const node = root.add(root.nodes.get(parent), move);
      Object.assign(node, { text, comment, glyphs, assessment, score, isFromBook: book });
      node.parent.children = [...node.parent.children, node];
    }
    return root;
  }
}

export class Game {
  constructor() {
    this.root = new Root(Position.of(`${XiangqiBoard.START} w`));
    /** @type {[string, string][]} */
    this.tags = [];
    this.result = '*';
    /** @type {Node} */
    this.node = this.root;
    /** @type {Contest|null} */
    this.contest = null;
    this.isRunning = false;
    /** @type {Clock|null} */
    this.clock = null;
    /** @type {Forfeit|null} */
    this.forfeit = null;
    this.rules = 'WXF';
    this.notation = 'wxf';
    /** @type {Side} */
    this.bottom = 'red';
    this.done = [];
    this.undone = [];
    /** What the change that is being made has replaced. */
    this.parts = [];
  }

  // ---- what is asked

  get position() { return this.node.position; }

  /** The shown line, the start first. */
  get line() { return [this.root, ...this.node.path, ...this.node.rest]; }

  /** @param {Node} node */
  holds(node) {
    for (let at = node; at.parent; at = at.parent) if (!at.parent.children.includes(at)) return false;
    return this.root.nodes.get(node.id) === node;
  }

  /** @param {number} id @returns {Node} */
  nodeOf(id) {
    const node = this.root.nodes.get(id);
    if (!node || !this.holds(node)) throw new NotAllowed('noNode', 'the game has no such move; reload the page');
    return node;
  }

  /** What the judge has said of the shown position. */
  get judgement() {
    const { judgement } = this.node;
    return judgement?.rules === this.rules ? judgement : null;
  }

  /** The end in the shown place by the rules. @returns {End|null} */
  get outcome() {
    const { end } = this.position;
    return end ? { ...end, text: `${end.winner} wins: ${end.reason}` } : this.judgement?.end ?? null;
  }

  /** @returns {End|null} */
  get end() {
    const { forfeit } = this;
    if (forfeit?.node !== this.node) return this.outcome;
    const { winner, reason } = forfeit;
    return { winner, reason, text: `${winner ? `${winner} wins` : 'draw'} ${ENDS[reason]}` };
  }

  /** Whether the shown position has occurred before on its way. */
  get isRepeated() {
    const { key } = this.position;
    for (let at = this.node.parent; at; at = at.parent) if (at.position.key === key) return true;
    return false;
  }

  /** Whether any position of the shown line occurs twice. */
  get repeats() {
    const keys = this.line.map((node) => node.position.key);
    return new Set(keys).size < keys.length;
  }

  /** Whether the side to move in the running game is the engine's. */
  get isEnginesTurn() { return Boolean(this.isRunning && this.contest?.[this.position.side].engine); }

  tag(name) { return this.tags.find(([known]) => known.toLowerCase() === name.toLowerCase())?.[1] ?? ''; }

  // ---- changes and their history

  /** Replaces a part so that it can be undone. */
  set(object, field, value) {
    this.parts.push({ object, field, value: object[field] });
    object[field] = value;
  }

  situation() {
    const { node, result, contest, forfeit, clock } = this;
    return { node, result, contest, forfeit, clock: clock?.atTurn() ?? null };
  }

  /** Makes a change that is undone as a whole. One without effect leaves no step. @param {string} kind @param {() => void} work */
  change(kind, work) {
    const before = this.situation();
    this.parts = [];
    work();
    const after = this.situation();
    const isSame = ['node', 'result', 'contest', 'forfeit'].every((name) => before[name] === after[name]);
    if (isSame && !this.parts.length) return;
    this.done.push({ kind, parts: this.parts, before, after });
    this.undone = [];
    this.root.isChanged ||= kind !== 'replace';
    const games = this.done.filter((step) => step.kind === 'replace');
    const first = games.length > MOST_GAMES ? this.done.indexOf(games.at(-MOST_GAMES)) : 0;
    this.done.splice(0, Math.max(first, this.done.length - MOST_STEPS));
  }

  /** Adds to the last change what follows from it. @param {() => void} work */
  amend(work) {
    const step = this.done.at(-1);
    this.parts = step?.parts ?? [];
    work();
    if (step) step.after = this.situation();
  }

  undo() {
    const step = this.done.at(-1);
    if (!step) throw new NotAllowed('nothingToUndo', 'there is no change to undo');
    this.pause();
    this.done.pop();
    for (const part of [...step.parts].reverse()) this.exchange(part);
    this.restore(step.before, step.after);
    this.undone.push(step);
  }

  redo() {
    const step = this.undone.at(-1);
    if (!step) throw new NotAllowed('nothingToRedo', 'there is no change to redo');
    this.pause();
    this.undone.pop();
    for (const part of step.parts) this.exchange(part);
    this.restore(step.after, step.before);
    this.done.push(step);
  }

  exchange(part) {
    [part.object[part.field], part.value] = [part.value, part.object[part.field]];
  }

  /** The clocks stand as at the start of the turn; a change that has not touched them leaves them. */
  restore(situation, from) {
    const { node, result, contest, forfeit, clock } = situation;
    const isSame = JSON.stringify(clock) === JSON.stringify(from.clock);
    Object.assign(this, { node, result, contest, forfeit });
    if (!isSame) this.clock = clock?.atTurn() ?? null;
    this.root.isChanged = true;
  }

  // ---- changes that the page asks for

  /** @param {{move: string}} value */
  move({ move }) {
    if (this.isEnginesTurn) throw enginesTurn();
    if (this.flag()) throw new NotAllowed('outOfTime', 'the time is over');
    if (!this.position.legal.includes(move)) throw new NotAllowed('notMove', `'${move}' is not a legal move`);
    this.make(move);
  }

  /** Makes a legal move: along an existing line or as a new one; in a running game it becomes the main line. @param {string} move */
  make(move) {
    const { isRunning, node } = this;
    const { side } = node.position;
    const known = node.children.find((child) => child.move === move);
    if (!known && this.root.nodes.size > MOST_MOVES) {
      this.isRunning = false;
      throw new NotAllowed('tooLong', `the game has ${MOST_MOVES} moves; save it and start a new one`);
    }
    this.change('move', () => {
      if (isRunning) this.clock?.moved(side);
      // A person who plays on after a forfeit examines other moves; that game is over.
      else if (this.forfeit) Object.assign(this, { contest: null, clock: null, forfeit: null });
      this.node = known ?? this.root.add(node, move);
      if (!known) this.set(node, 'children', [...node.children, this.node]);
      if (!isRunning) return;
      if (!known) this.node.isPlayed = true;
      this.lead(this.node);
      this.endByRules();
    });
    this.startClock();
  }

  /** The judge's word on a node, which may end the running game. @param {Node} node @param {Judgement} judgement */
  judged(node, judgement) {
    node.judgement = judgement;
    if (this.isRunning && node === this.node && this.outcome) this.amend(() => this.endByRules());
  }

  endByRules() {
    const { outcome } = this;
    if (!outcome) return;
    this.endContest();
    this.result = { red: '1-0', black: '0-1' }[outcome.winner] ?? '1/2-1/2';
  }

  endContest() {
    this.isRunning = false;
    this.clock?.cancel();
  }

  /** @param {{fen?: string, root?: Root, tags?: [string, string][], result?: string, node?: Node}} value a position, or a game that was read */
  replace({ fen, root, tags = [], result = '*', node }) {
    this.pause();
    this.change('replace', () => {
      const start = root ?? new Root(Position.of(fen ?? `${XiangqiBoard.START} w`));
      this.set(this, 'root', start);
      this.set(this, 'tags', tags);
      Object.assign(this, { node: node ?? start, result, contest: null, clock: null, forfeit: null });
    });
  }

  /** @param {{to: number|'start'|'back'|'forward'|'end'}} value */
  goto({ to }) {
    const { node } = this;
    const steps = { start: () => this.root, back: () => node.parent ?? node, forward: () => node.children[0] ?? node, end: () => node.rest.at(-1) ?? node };
    const target = steps[to]?.() ?? this.nodeOf(/** @type {number} */ (to));
    if (target === node) return;
    this.pause();
    this.node = target;
  }

  /** @param {{node: number}} value */
  remove({ node: id }) {
    const node = this.nodeOf(id);
    if (!node.parent) return;
    this.pause();
    this.change('remove', () => this.drop(node));
  }

  /** @param {Node} node */
  drop(node) {
    if (this.node.path.includes(node)) this.node = node.parent;
    this.set(node.parent, 'children', node.parent.children.filter((child) => child !== node));
  }

  /** Makes the line of a node the main line, or with `by: 1` one step closer to it. @param {{node: number, by?: number}} value */
  promote({ node: id, by }) {
    const node = this.nodeOf(id);
    if (!by) {
      this.change('promote', () => this.lead(node));
      return;
    }
    const turn = [...node.path].reverse().find((at) => at.parent.children[0] !== at);
    if (!turn) return;
    const others = turn.parent.children.filter((child) => child !== turn);
    others.splice(turn.parent.children.indexOf(turn) - 1, 0, turn);
    this.change('promote', () => this.set(turn.parent, 'children', others));
  }

  /** @param {Node} node */
  lead(node) {
    for (let at = node; at.parent; at = at.parent) {
      const { parent } = at;
      if (parent.children[0] !== at) this.set(parent, 'children', [at, ...parent.children.filter((child) => child !== at)]);
    }
  }

  /** @param {{node: number, comment?: string, glyphs?: number[]}} value */
  annotate({ node: id, comment, glyphs }) {
    const node = this.nodeOf(id);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: they would end the comment or the line of a game file.
    const text = comment?.trim().replace(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '').slice(0, MOST_COMMENT);
    this.change('annotate', () => {
      if (text !== undefined && text !== node.comment) this.set(node, 'comment', text);
      if (glyphs && node.parent && String(glyphs) !== String(node.glyphs)) this.set(node, 'glyphs', glyphs);
    });
  }

  /** @param {{rules?: string, notation?: string, bottom?: Side, red?: string, black?: string, event?: string, date?: string, result?: string}} value */
  settings({ rules, notation, bottom, result, ...names }) {
    if (bottom) this.bottom = bottom;
    if (notation) this.notation = notation;
    if (rules && rules !== this.rules) this.setRules(rules);
    this.change('tags', () => {
      for (const [name, value] of Object.entries(names)) this.setTag(name[0].toUpperCase() + name.slice(1), value.trim().slice(0, MOST_NAME));
      if (result) this.result = result;
    });
  }

  setTag(name, value) {
    if (value === this.tag(name)) return;
    // PGN has `White` for the same.
    const others = this.tags.filter(([known]) => !(name === 'Red' && known === 'White'));
    const at = others.findIndex(([known]) => known.toLowerCase() === name.toLowerCase());
    if (at < 0) others.push([name, value]);
    else others.splice(at, 1, [name, value]);
    this.set(this, 'tags', others.filter(([, text]) => text));
  }

  setRules(rules) {
    this.rules = rules;
    for (const node of this.root.nodes.values()) node.score = null;
  }

  // ---- a game that is played

  /** @param {{red: Player, black: Player, time: {move?: number, clock?: {base: number, increment: number}}, book?: number|null}} value */
  play({ red, black, time, book = null }) {
    if (this.outcome) throw gameOver();
    this.pause();
    for (const node of this.root.nodes.values()) node.isPlayed = false;
    const player = ({ engine, elo = null }) => ({ engine, elo: engine ? elo : null });
    this.change('resume', () => {
      this.contest = { red: player(red), black: player(black), perMove: time.move ?? null, clock: time.clock ?? null, book, start: this.node };
      this.clock = time.clock ? new Clock(time.clock) : null;
      this.goOn(this.node);
    });
    this.startClock();
  }

  resume() {
    this.change('resume', () => this.goOn(this.contestStart()));
    this.startClock();
  }

  /** The place where the game began; one that is resumed elsewhere begins there. @returns {Node} */
  contestStart() {
    const start = this.contest?.start ?? this.root;
    return start === this.root || this.node.path.includes(start) ? start : this.node;
  }

  /** @param {Node} start */
  goOn(start) {
    if (this.outcome) throw gameOver();
    if (!this.contest) throw noContest();
    if (this.contest.start !== start) this.contest = { ...this.contest, start };
    this.isRunning = true;
    this.clock?.revive();
    this.forfeit = null;
    this.lead(this.node);
    this.result = '*';
  }

  /** Lets the clock of the person to move run; the engine's runs while it works. */
  startClock() {
    if (this.isRunning && !this.isEnginesTurn) this.clock?.start(this.position.side);
  }

  pause() {
    if (this.isRunning) this.clock?.stop();
    this.isRunning = false;
  }

  /** Undoes the last move: against the engine the person's last one with the reply. */
  takeback() {
    const { contest, node: last } = this;
    if (!contest) throw noContest();
    const start = this.contestStart();
    const hasPerson = !contest.red.engine || !contest.black.engine;
    let target = last;
    while (target !== start && target.parent) {
      target = target.parent;
      if (!hasPerson || !contest[target.position.side].engine) break;
    }
    this.pause();
    this.change('take-back', () => {
      this.node = target;
      // Moves that the game has not added, or that others follow, stay.
      for (let at = last; at !== target && at.isPlayed && !at.children.length; at = at.parent) this.drop(at);
      this.clock?.stop();
      this.goOn(start);
    });
    this.startClock();
  }

  /** Resigns for the person to move, or the engine's opponent. */
  resign() {
    const { contest } = this;
    if (!this.isRunning || !contest) throw noContest();
    const { side } = this.position;
    const loser = [side, otherSide(side)].find((one) => !contest[one].engine);
    if (!loser) throw new NotAllowed('nobodyResigns', 'the engine plays both sides; pause the game instead of resigning');
    this.change('resign', () => this.forfeitBy(otherSide(loser), 'resignation'));
  }

  /** Both sides agree to a draw. */
  agree() {
    if (!this.isRunning) throw noContest();
    this.change('draw', () => this.forfeitBy(null, 'agreement'));
  }

  /** Ends the running game if the side to move has no time left. Returns whether it has ended. */
  flag() {
    const { side } = this.position;
    if (!this.isRunning || !this.clock || this.clock.ticking !== side || this.clock.now(side) > 0) return false;
    this.change('time-forfeit', () => {
      this.forfeitBy(otherSide(side), 'time');
      this.clock.expire(side);
    });
    return true;
  }

  /** @param {Side|null} winner @param {Forfeit['reason']} reason */
  forfeitBy(winner, reason) {
    this.endContest();
    this.forfeit = { node: this.node, winner, reason };
    this.result = winner ? { red: '1-0', black: '0-1' }[winner] : '1/2-1/2';
  }

  // ---- the game as data

  /** The game for the functions, and the numbers of its nodes there. @returns {{tree: import('./functions.js').TreeData, numbers: Map<Node, number>}} */
  data() {
    const nodes = this.root.moves;
    const numbers = new Map([/** @type {[Node, number]} */ ([this.root, 0]), ...nodes.map((node, at) => /** @type {[Node, number]} */ ([node, at + 1]))]);
    const moves = nodes.map(({ parent, move, comment, glyphs, score, isFromBook }) => ({
      parent: numbers.get(parent), move, comment, glyphs, book: isFromBook, ...(score ? { score } : {}),
    }));
    const { root, tags, result } = this;
    const tree = { start: root.position.fen, tags, result, comment: root.comment, moves, ...(root.score ? { score: root.score } : {}) };
    return { tree, numbers };
  }

  /** The game as it is kept. @returns {import('./store.js').KeptState} */
  state() {
    const { tree, numbers } = this.data();
    const { contest, forfeit, clock } = this;
    const numberOf = (node) => numbers.get(node) ?? 0;
    return {
      tree,
      node: numberOf(this.node),
      bottom: this.bottom,
      contest: contest && { ...contest, start: numberOf(contest.start), left: clock && /** @type {[number, number]} */ ([clock.turn.red, clock.turn.black]) },
      added: [...numbers].filter(([node]) => node.isPlayed).map(([, number]) => number),
      forfeit: forfeit && { ...forfeit, node: numberOf(forfeit.node) },
    };
  }

  /** Replaces the game by a kept one, which can be undone; a game that was played is paused. @param {import('./store.js').KeptState} kept */
  open({ tree, node, bottom, contest, added, forfeit }) {
    const root = Root.of(tree);
    const at = (number) => root.nodes.get(number) ?? root;
    for (const number of added) at(number).isPlayed = true;
    this.replace({ root, tags: tree.tags, result: tree.result, node: at(node) });
    this.amend(() => {
      if (contest) {
        const { left, ...players } = contest;
        this.contest = { ...players, start: at(contest.start) };
        this.clock = contest.clock ? new Clock(contest.clock, left ?? undefined) : null;
      }
      this.forfeit = forfeit && { ...forfeit, node: at(forfeit.node) };
    });
    this.bottom = bottom;
  }
}
