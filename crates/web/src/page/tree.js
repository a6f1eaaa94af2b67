// The moves of a view as a tree.

/**
 * @typedef {{id: number, parent: number, move: string, text: string, mark?: string, book?: boolean,
 *   score?: import('./scores.js').Score, comment?: string, glyphs?: number[], assessment?: string}} Move
 */

export class Tree {
  /** @param {{moves: Move[], path: number[], node: number}} view */
  constructor(view) {
    /** @type {Map<number, Move>} */
    this.moves = new Map();
    /** @type {Map<number, Move[]>} */
    this.next = new Map();
    for (const move of view.moves) {
      this.moves.set(move.id, move);
      if (!this.next.has(move.parent)) this.next.set(move.parent, []);
      this.next.get(move.parent).push(move);
    }
    this.path = view.path;
    this.node = view.node;
  }

  /** The moves after a node: the continuation first. */
  after(id) {
    return this.next.get(id) ?? [];
  }

  /** The moves of the line that is shown, beyond the shown position to its end. */
  line() {
    const line = this.path.map((id) => this.moves.get(id));
    for (let move = this.after(this.node)[0]; move; move = this.after(move.id)[0]) line.push(move);
    return line;
  }

  /** Another move in the place of the last one: the next variation, or the one before; or nothing. */
  sibling(direction) {
    const last = this.moves.get(this.node);
    if (!last) return undefined;
    const moves = this.after(last.parent);
    return moves[moves.indexOf(last) + direction];
  }

  /** Returns whether the node is on the main line. */
  isMain(id) {
    for (let at = id; at !== 0; at = this.moves.get(at).parent) {
      if (this.after(this.moves.get(at).parent)[0].id !== at) return false;
    }
    return true;
  }
}
