// The variations of a game: the moves that lead to them, and which of their moves is shown.
'use strict';

/**
 * A variation as the data of the page have it; `crates/analysis/src/page/variations.rs` says what the parts mean.
 * @typedef {{base: number, line: number|null, after: number, depth: number, number: number, side: 'red'|'black',
 *   moves: string[], texts: string[], chinese: string[], signs: string[], comments: string[]}} Variation
 */

/** A game's variations; a place in one is {index, at}: the number of the variation, and of its own move from 0. */
class Variations {
  /** @param {Variation[]} list */
  constructor(list) {
    this.list = list;
    /** The moves of other variations between the main line and each one. */
    this.before = [];
    for (const { line, after } of list) this.before.push(line === null ? 0 : this.before[line] + after);
  }

  /** The numbers of the variations that begin, directly or within others, instead of a move of the main line. */
  instead(base) {
    return this.list.flatMap((variation, index) => (variation.base === base ? [index] : []));
  }

  /** All moves of a variation from the main line on. */
  moves(index) {
    const parts = [this.list[index].moves];
    for (let { line, after } = this.list[index]; line !== null; { line, after } = this.list[line]) {
      parts.unshift(this.list[line].moves.slice(0, after));
    }
    return parts.flat();
  }

  /** The place after `count` moves of `moves(index)`, which may be in a variation that it leaves. */
  place(index, count) {
    while (count <= this.before[index]) index = this.list[index].line;
    return { index, at: count - this.before[index] - 1 };
  }

  /** The number of a move as it is written before it, if it is needed there. */
  number({ index, at }, isNeeded) {
    const { number, side } = this.list[index];
    const ply = at + (side === 'red' ? 0 : 1);
    const isRed = ply % 2 === 0;
    return isRed || isNeeded ? `${number + Math.floor(ply / 2)}${isRed ? '.' : '…'}` : '';
  }
}
