// The rules of moves: what a piece may do, check, and the end of a game without a legal move. Repetitions are the
// judge's. `crates/web/tests/rules.rs` compares every move with the engine's.

/** @typedef {'red'|'black'} Side */

const FILES = 'abcdefghi';
const SQUARES = Array.from({ length: 90 }, (_, at) => FILES[at % 9] + Math.floor(at / 9));
const ORTHOGONAL = [[1, 0], [-1, 0], [0, 1], [0, -1]];
const DIAGONAL = [[1, 1], [1, -1], [-1, 1], [-1, -1]];
/** The steps of a knight, each after the square of its leg. */
const JUMPS = ORTHOGONAL.flatMap(([df, dr]) => [1, -1].map((turn) => [[df, dr], [2 * df + turn * dr, 2 * dr + turn * df]]));

/** @param {string} letter of FEN @returns {Side} */
const sideOf = (letter) => (letter < 'a' ? 'red' : 'black');
/** @param {Side} side @returns {Side} */
export const otherSide = (side) => (side === 'red' ? 'black' : 'red');
const placeOf = (square) => FILES.indexOf(square[0]) + 9 * Number(square[1]);

/** The place at a step from another one; -1 beyond the edge. @param {number} place @param {number[]} by files and ranks */
function step(place, [df, dr]) {
  const [file, rank] = [(place % 9) + df, Math.floor(place / 9) + dr];
  return file < 0 || file > 8 || rank < 0 || rank > 9 ? -1 : file + 9 * rank;
}

const isHome = (place, side) => (side === 'red' ? place < 45 : place >= 45);
const isInPalace = (place, side) => place % 9 > 2 && place % 9 < 6 && (side === 'red' ? place < 27 : place >= 63);

/** A position: the letters of FEN on 90 squares from a0 to i9, the side to move, and the counters. It is not changed. */
export class Position {
  /** @param {string[]} squares @param {Side} side @param {number} quiet plies without a capture @param {number} number of the move */
  constructor(squares, side, quiet, number) {
    this.squares = squares;
    this.side = side;
    this.quiet = quiet;
    this.number = number;
    /** @type {string[]|null} */
    this.found = null;
    this.keyText = '';
  }

  /** @param {string} fen one that the engine has checked */
  static of(fen) {
    const [ranks, side = 'w', ...counters] = fen.trim().split(/\s+/);
    const [quiet, number] = counters.filter((field) => /^\d+$/.test(field)).map(Number);
    const spread = ranks.replace(/\d/g, (count) => '.'.repeat(Number(count))).split('/').reverse().join('');
    const squares = Array.from(spread, (letter) => (letter === '.' ? '' : letter));
    return new Position(squares, side.toLowerCase() === 'b' ? 'black' : 'red', quiet ?? 0, number ?? 1);
  }

  /** The pieces and the side to move: what a repetition compares. */
  get key() {
    this.keyText ||= this.written();
    return this.keyText;
  }

  written() {
    const ranks = Array.from({ length: 10 }, (_, row) => this.squares.slice(81 - 9 * row, 90 - 9 * row));
    const text = ranks.map((rank) => rank.map((letter) => letter || '.').join('').replace(/\.+/g, (gap) => String(gap.length))).join('/');
    return `${text} ${this.side === 'red' ? 'w' : 'b'}`;
  }

  get fen() {
    return `${this.key} - - ${this.quiet} ${this.number}`;
  }

  /** The position after a move, which is not checked. @param {string} move such as `h2e2` */
  after(move) {
    const [from, to] = [placeOf(move.slice(0, 2)), placeOf(move.slice(2))];
    const squares = moved(this.squares, from, to);
    return new Position(squares, otherSide(this.side), this.squares[to] ? 0 : this.quiet + 1, this.number + (this.side === 'black' ? 1 : 0));
  }

  /** The legal moves. */
  get legal() {
    this.found ??= this.squares.flatMap((letter, from) => (letter && sideOf(letter) === this.side ? this.legalFrom(from) : []));
    return this.found;
  }

  legalFrom(from) {
    const isSafe = (to) => attackers(moved(this.squares, from, to), this.side).length === 0;
    return reached(this.squares, from).filter(isSafe).map((to) => SQUARES[from] + SQUARES[to]);
  }

  /** The square of the king of the side to move; undefined without one. */
  get king() {
    return SQUARES[kingOf(this.squares, this.side)];
  }

  /** The squares of the pieces that give check. */
  get checkers() {
    return attackers(this.squares, this.side).filter((at) => this.squares[at].toLowerCase() !== 'k').map((at) => SQUARES[at]);
  }

  /** The end by the moves alone: a side without a legal move has lost. @returns {{winner: Side, reason: 'checkmate'|'stalemate'}|null} */
  get end() {
    if (this.legal.length) return null;
    return { winner: otherSide(this.side), reason: this.checkers.length ? 'checkmate' : 'stalemate' };
  }
}

function moved(squares, from, to) {
  const after = squares.slice();
  after[to] = after[from];
  after[from] = '';
  return after;
}

const kingOf = (squares, side) => squares.indexOf(side === 'red' ? 'K' : 'k');

/** The places that a piece reaches, whether its king is safe then or not. */
function reached(squares, from) {
  const letter = squares[from];
  const [side, kind] = [sideOf(letter), letter.toLowerCase()];
  if (kind === 'r' || kind === 'c') return ORTHOGONAL.flatMap((direction) => alongLine(squares, from, direction, kind === 'c'));
  const isFree = (to) => to >= 0 && (!squares[to] || sideOf(squares[to]) !== side);
  return steps(squares, from, side, kind).filter(isFree);
}

/** The places of a piece that goes by steps; -1 beyond the edge. */
function steps(squares, from, side, kind) {
  const to = (by) => step(from, by);
  if (kind === 'k') return ORTHOGONAL.map(to).filter((place) => isInPalace(place, side));
  if (kind === 'a') return DIAGONAL.map(to).filter((place) => isInPalace(place, side));
  if (kind === 'n') return JUMPS.filter(([leg]) => squares[to(leg)] === '').map(([, by]) => to(by));
  if (kind === 'b') {
    const open = DIAGONAL.filter((by) => squares[to(by)] === '');
    return open.map(([df, dr]) => to([2 * df, 2 * dr])).filter((place) => place >= 0 && isHome(place, side));
  }
  const forward = [0, side === 'red' ? 1 : -1];
  return (isHome(from, side) ? [forward] : [forward, [1, 0], [-1, 0]]).map(to);
}

/** The places of a rook or a cannon in a direction. */
function alongLine(squares, from, direction, isCannon) {
  const found = [];
  let hasScreen = false;
  for (let to = step(from, direction); to >= 0; to = step(to, direction)) {
    if (!squares[to]) {
      if (!hasScreen) found.push(to);
    } else if (isCannon && !hasScreen) {
      hasScreen = true;
    } else {
      if (sideOf(squares[to]) !== sideOf(squares[from])) found.push(to);
      break;
    }
  }
  return found;
}

/** The places of the pieces that attack the king of a side, the other king on an open file among them. */
function attackers(squares, side) {
  const king = kingOf(squares, side);
  if (king < 0) return [];
  const is = (place, kind) => place >= 0 && squares[place] !== '' && sideOf(squares[place]) !== side && squares[place].toLowerCase() === kind;
  const found = [];
  for (const direction of ORTHOGONAL) {
    const isFile = direction[0] === 0;
    let screens = 0;
    for (let at = step(king, direction); at >= 0 && screens < 2; at = step(at, direction)) {
      if (!squares[at]) continue;
      if (screens === 0 ? is(at, 'r') || (isFile && is(at, 'k')) : is(at, 'c')) found.push(at);
      screens += 1;
    }
  }
  // The leg of a knight is beside the knight.
  for (const [leg, [df, dr]] of JUMPS) {
    const at = step(king, [-df, -dr]);
    if (is(at, 'n') && squares[step(at, leg)] === '') found.push(at);
  }
  for (const by of [[1, 0], [-1, 0], [0, side === 'red' ? 1 : -1]]) if (is(step(king, by), 'p')) found.push(step(king, by));
  return found;
}
