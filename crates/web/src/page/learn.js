// Learning from mistakes: the position before a mistake, in which one looks for a better move. The mistakes
// of one's own games are kept as puzzles.

import { byId, make } from './dom.js';
import { judge, page, search } from './functions.js';
import { Root } from './game.js';
import { afterMoves } from './preview.js';
import { Position } from './rules.js';
import { pageStorage } from './storage.js';
import { isChinese, sideName, t } from './text.js';

/** Where the page keeps puzzles, and how many. */
const STORE = 'puzzles';
const MOST_PUZZLES = 300;

/** Milliseconds in which a tried move is examined. */
const TRY_TIME = 500;

/**
 * @typedef {object} Puzzle
 * @property {string} fen the position before the mistake
 * @property {'red'|'black'} side
 * @property {string} played the mistake
 * @property {string} text the mistake in the notation
 * @property {string[]} better the engine's line
 * @property {string} betterText its first move in the notation
 * @property {string} [notation] that of the texts; older puzzles do not have it
 */

/** The puzzles that the page keeps, the oldest first. @returns {Puzzle[]} */
function storedPuzzles() {
  try {
    return JSON.parse(pageStorage.get(STORE) ?? '[]');
  } catch {
    return [];
  }
}

const store = (puzzles) => pageStorage.set(STORE, JSON.stringify(puzzles.slice(-MOST_PUZZLES)));

export class Learn {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {Puzzle[]} */
    this.puzzles = [];
    this.at = -1;
    /** The mistakes of both sides of the game. @type {Puzzle[]} */
    this.all = [];
    /** `asking`, `checking`, `wrong`, `good` (another good move), `found` or `shown`. */
    this.state = 'asking';
    this.tried = '';
    /** Ends the examination of a move. @type {AbortController|null} */
    this.examining = null;
    /** How many puzzles the page keeps. */
    this.stored = storedPuzzles().length;
    this.text = make('span', {});
    const button = (id, act, kind = '') => make('button', { type: 'button', id, class: kind, onclick: act });
    this.show = button('learn-show', () => this.solve());
    this.next = button('learn-next', () => this.go(this.at + 1), 'primary');
    this.end = button('learn-end', () => this.leave());
    this.side = make('select', { id: 'learn-side', onchange: () => this.run(this.all.filter(({ side }) => this.side.value === 'both' || side === this.side.value)) });
    this.bar = make('div', { class: 'preview-bar learn-bar', role: 'status', hidden: true }, this.text, this.show, this.next, this.end, this.side);
    byId('status').after(this.bar);
    byId('puzzles').addEventListener('click', () => this.beginPuzzles());
  }

  get puzzle() {
    return this.puzzles[this.at] ?? null;
  }

  /** The mistakes of an assessment as puzzles. @param {import('./functions.js').Assessment} found @returns {Puzzle[]} */
  puzzlesOf(found) {
    const { view, tree } = this.app;
    const line = tree.line();
    const redBegins = view.start.split(' ')[1] !== 'b';
    const serious = (found.moves ?? []).filter((move) => move && ['mistake', 'blunder'].includes(move.class) && move.better.length);
    return serious.flatMap((move) => {
      const ply = line.findIndex(({ id }) => id === move.node);
      if (ply < 0) return [];
      const side = (ply % 2 === 0) === redBegins ? 'red' : 'black';
      const pieces = afterMoves(view.start, line.slice(0, ply).map((one) => one.move));
      return [{
        fen: `${pieces} ${side === 'red' ? 'w' : 'b'}`, side, played: line[ply].move, text: line[ply].text, better: move.better, betterText: move.texts[0], notation: view.notation,
      }];
    });
  }

  /** Keeps the mistakes of the person who has played this game against the engine. */
  collect(found) {
    const { contest } = this.app.view;
    if (!contest || contest.red.engine === contest.black.engine) return;
    const own = contest.red.engine ? 'black' : 'red';
    const known = storedPuzzles();
    const fens = new Set(known.map(({ fen }) => fen));
    const fresh = this.puzzlesOf(found).filter(({ side, fen }) => side === own && !fens.has(fen));
    if (!fresh.length) return;
    store([...known, ...fresh]);
    this.stored = storedPuzzles().length;
    this.app.render();
  }

  /** Goes through the mistakes of the shown game; through those of one side, if a person has played it. */
  begin(found) {
    const { contest } = this.app.view;
    const own = contest && contest.red.engine !== contest.black.engine ? (contest.red.engine ? 'black' : 'red') : null;
    this.all = this.puzzlesOf(found);
    const wanted = this.all.filter(({ side }) => side === own);
    this.run(wanted.length ? wanted : this.all);
  }

  /** Goes through the kept puzzles, the newest first. */
  beginPuzzles() {
    this.all = [];
    this.run(storedPuzzles().reverse());
  }

  run(puzzles) {
    this.puzzles = puzzles;
    if (puzzles.length) this.go(0);
    else this.leave();
  }

  go(at) {
    this.examining?.abort();
    if (at >= this.puzzles.length) {
      this.leave();
      return;
    }
    this.at = at;
    [this.state, this.tried] = ['asking', ''];
    this.app.preview.leave();
    if (this.app.view.analysis !== null) this.app.analyse(false);
    this.name(this.puzzle);
    this.app.render();
    this.app.showBoard();
    this.app.board.announce(this.text.textContent);
  }

  /** Writes the moves in the notation of the page. @param {Puzzle} puzzle */
  async name(puzzle) {
    const { notation } = this.app.view;
    if (puzzle.notation === notation) return;
    puzzle.notation = notation;
    const asked = [puzzle.played, puzzle.better[0]].map((move) => judge({ fen: puzzle.fen, moves: move, notation }).then(({ texts }) => texts[0]));
    const texts = await Promise.all(asked).catch(() => null);
    if (!texts || puzzle.notation !== notation) return;
    [puzzle.text, puzzle.betterText] = texts;
    this.app.render();
  }

  /** A move that is tried: the best one is known, another one is examined. */
  async move(from, to) {
    const { puzzle } = this;
    this.tried = from + to;
    if (this.tried === puzzle.better[0]) this.become('found');
    else if (this.tried === puzzle.played) this.become('wrong');
    else {
      this.become('checking');
      const mark = await this.app.attempt(() => this.examine(puzzle.fen, this.tried));
      if (this.puzzle !== puzzle || this.state !== 'checking') return;
      if (mark === null) this.tried = '';
      this.become(mark === null ? 'asking' : mark === '' ? 'good' : 'wrong');
    }
  }

  solve() {
    this.tried = this.puzzle.better[0];
    this.become('shown');
  }

  become(state) {
    this.state = state;
    this.app.render();
    this.app.board.announce(this.text.textContent);
  }

  /** Compares a move with the best one. Its mark: empty for a good move; null if it was left. @param {string} fen @param {string} move */
  async examine(fen, move) {
    const root = new Root(Position.of(fen));
    const node = root.add(root, move);
    this.examining = new AbortController();
    const { signal } = this.examining;
    const wanted = { page: `${page} try`, fen, moves: move, rules: this.app.game.rules, time: TRY_TIME };
    /** @param {import('./functions.js').SearchEvent} event */
    const hear = ({ value }) => { if (value) (value.ply ? node : root).score = value.score; };
    await search('analyse', wanted, hear, signal).catch((error) => { if (!signal.aborted) throw error; });
    return signal.aborted ? null : node.mark;
  }

  leave() {
    this.examining?.abort();
    const wasShown = this.at >= 0;
    this.at = -1;
    if (wasShown) this.app.render();
  }

  /** Where a piece may go. @param {string} from */
  targets(from) {
    if (this.state === 'checking' || this.isSolved) return [];
    return Position.of(this.puzzle.fen).legal.filter((move) => move.startsWith(from)).map((move) => move.slice(2));
  }

  get isSolved() {
    return this.state === 'found' || this.state === 'shown' || this.state === 'good';
  }

  /** The view for the names beside the board: that of the puzzle, while there is one. @param {import('./view.js').View} view */
  viewOf(view) {
    const { puzzle } = this;
    return puzzle ? { ...view, start: puzzle.fen, fen: puzzle.fen, side: puzzle.side, end: null } : view;
  }

  /** Writes the bar. The position to draw, while there is a puzzle. */
  update() {
    const { puzzle } = this;
    byId('puzzles').textContent = t('puzzles', this.stored);
    byId('puzzles').hidden = !this.stored;
    this.bar.hidden = !puzzle;
    if (!puzzle) return null;
    this.name(puzzle);
    const number = this.puzzles.length > 1 ? `${t('pageOf', this.at + 1, this.puzzles.length)} ` : '';
    this.text.textContent = number + this.sentence(puzzle);
    this.bar.dataset.state = this.state;
    this.show.textContent = t('showSolution');
    this.show.hidden = this.isSolved;
    this.next.textContent = t(this.at + 1 < this.puzzles.length ? 'nextPuzzle' : 'learnDone');
    this.next.hidden = !this.isSolved;
    this.end.textContent = t('learnEnd');
    this.offerSides();
    const isTried = this.tried && this.state !== 'wrong';
    return { fen: isTried ? afterMoves(puzzle.fen, [this.tried]) : puzzle.fen, move: isTried ? this.tried : null };
  }

  /** Lets one choose whose mistakes are asked, if both sides have made some. */
  offerSides() {
    const of = (side) => this.all.some((puzzle) => puzzle.side === side);
    this.side.hidden = !of('red') || !of('black');
    const chosen = ['red', 'black'].find((side) => this.puzzles.every((puzzle) => puzzle.side === side)) ?? 'both';
    this.side.setAttribute('aria-label', t('learnSide'));
    this.side.replaceChildren(...[['both', t('bothSides')], ['red', t('red')], ['black', t('black')]].map(([value, text]) => (
      make('option', { value, selected: value === chosen }, text)
    )));
  }

  sentence({ side, text, betterText }) {
    const stop = isChinese() ? '。' : '.';
    if (this.state === 'asking') return t('learnAsk', sideName(side), text);
    if (this.state === 'checking') return t('learnChecking');
    if (this.state === 'wrong') return t('learnWrong');
    if (this.state === 'good') return t('learnGood', betterText);
    return t(this.state === 'found' ? 'learnFound' : 'learnShown', betterText) + stop;
  }

  /** The mistake as an arrow, until a move is tried. */
  arrows() {
    const { played, better } = this.puzzle;
    const arrow = (move, kind) => ({ from: move.slice(0, 2), to: move.slice(2), kind });
    if (this.isSolved) return [arrow(better[0], 'best')];
    return [arrow(played, 'other')];
  }
}
