// A move that is chosen while the engine thinks, and made as soon as it is legal.

import { t } from './text.js';

/** Steps of the pieces that go by steps. */
const STEPS = {
  k: [[1, 0], [-1, 0], [0, 1], [0, -1]],
  a: [[1, 1], [1, -1], [-1, 1], [-1, -1]],
  b: [[2, 2], [2, -2], [-2, 2], [-2, -2]],
  n: [[1, 2], [1, -2], [-1, 2], [-1, -2], [2, 1], [2, -1], [-2, 1], [-2, -1]],
};

const square = (file, rank) => 'abcdefghi'[file] + rank;

/**
 * Where a piece could go if other pieces were somewhere else.
 * @param {string} letter of FEN @param {string} from
 */
export function reach(letter, from) {
  const [file, rank] = ['abcdefghi'.indexOf(from[0]), Number(from[1])];
  const kind = letter.toLowerCase();
  const isRed = letter !== kind;
  const isHome = (at) => (isRed ? at <= 4 : at >= 5);
  const inPalace = (f, r) => f >= 3 && f <= 5 && (isRed ? r <= 2 : r >= 7);
  const onBoard = ([f, r]) => f >= 0 && f < 9 && r >= 0 && r < 10;
  let found;
  if (kind === 'r' || kind === 'c') {
    found = [...Array(9).keys()].map((f) => [f, rank]).concat([...Array(10).keys()].map((r) => [file, r])).filter(([f, r]) => f !== file || r !== rank);
  } else if (kind === 'p') {
    const forward = [file, rank + (isRed ? 1 : -1)];
    found = isHome(rank) ? [forward] : [forward, [file - 1, rank], [file + 1, rank]];
  } else {
    found = STEPS[kind].map(([df, dr]) => [file + df, rank + dr]);
    if (kind === 'b') found = found.filter(([, r]) => isHome(r));
    if (kind === 'k' || kind === 'a') found = found.filter(([f, r]) => inPalace(f, r));
  }
  return found.filter(onBoard).map(([f, r]) => square(f, r));
}

export class Premove {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {{from: string, to: string}|null} */
    this.move = null;
    /** The node after which the engine thinks. */
    this.after = 0;
  }

  /** Whether the engine thinks and a person waits for it. */
  get isPossible() {
    const { view, mode } = this.app;
    const { contest, side } = view;
    const other = side === 'red' ? 'black' : 'red';
    return mode === 'play' && Boolean(contest?.running) && !view.end && contest[side].engine && !contest[other].engine;
  }

  /** @param {string} from */
  targets(from) {
    const { view } = this.app;
    const letter = XiangqiBoard.placement(view.fen).get(from);
    const isOwn = letter && (letter === letter.toUpperCase()) === (view.side === 'black');
    return isOwn ? reach(letter, from) : [];
  }

  set(from, to) {
    this.move = { from, to };
    this.after = this.app.view.node;
    this.app.board.announce(t('premoveSet', from, to));
    this.app.render();
  }

  cancel() {
    if (!this.move) return false;
    this.move = null;
    this.app.render();
    return true;
  }

  /** Makes the move after the engine's; forgets it if it is not legal then, or when the engine has not moved. */
  update() {
    if (!this.move || this.isPossible) return;
    const { from, to } = this.move;
    this.move = null;
    const { view, mode } = this.app;
    const isAnswered = view.path.length > 0 && (view.path.at(-2) ?? 0) === this.after;
    const isTurn = isAnswered && mode === 'play' && view.contest?.running && !view.contest[view.side].engine;
    if (isTurn && view.legal.includes(from + to)) this.app.change('move', { move: from + to });
  }

  arrows() {
    return this.move ? [{ ...this.move, kind: 'note' }] : [];
  }
}
