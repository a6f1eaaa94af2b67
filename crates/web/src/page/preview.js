// A line of the engine looked at on the board: the game stays as it is until one says so.

import { byId, make } from './dom.js';
import { t } from './text.js';

/** The pieces after moves, as a FEN without what follows them. @param {string} fen @param {string[]} moves */
export function afterMoves(fen, moves) {
  const pieces = XiangqiBoard.placement(fen);
  for (const move of moves) {
    pieces.set(move.slice(2, 4), pieces.get(move.slice(0, 2)));
    pieces.delete(move.slice(0, 2));
  }
  return XiangqiBoard.placementText(pieces);
}

/** @typedef {{moves: string[], texts: string[]}} ShownLine */

export class Preview {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {{line: ShownLine, fen: string, node: number, at: number}|null} */
    this.shown = null;
    this.text = make('span', {});
    this.bar = make(
      'div',
      { class: 'preview-bar', id: 'line-bar', role: 'status', hidden: true },
      this.text,
      make('button', { type: 'button', id: 'insert-line', class: 'primary', onclick: () => this.insert() }),
      make('button', { type: 'button', id: 'leave-line', onclick: () => this.leave() }),
    );
    byId('status').after(this.bar);
    this.hover = new HoverBoard(app);
  }

  /** Shows a line of the shown position up to its move `at`, from 1. @param {ShownLine} line @param {number} at */
  show(line, at) {
    this.app.learn.leave();
    const { fen, node } = this.app.view;
    this.shown = { line, fen, node, at };
    this.hover.hide();
    this.app.render();
  }

  /** Goes through the line; before its first move is the game. @param {'start'|'back'|'forward'|'end'} direction */
  step(direction) {
    const { shown } = this;
    const length = shown.line.moves.length;
    shown.at = { start: 0, back: shown.at - 1, forward: Math.min(length, shown.at + 1), end: length }[direction];
    if (shown.at <= 0) this.leave();
    else this.app.render();
  }

  leave() {
    if (!this.shown) return;
    this.shown = null;
    this.app.render();
  }

  /** Plays the shown moves, which become a variation of the game. */
  async insert() {
    const { line, at } = this.shown;
    this.shown = null;
    await this.app.playLine(line.moves.slice(0, at));
  }

  /** The position and the last move to draw, while a line of this place is shown. @param {import('./view.js').View} view */
  update(view) {
    if (this.shown && (this.shown.node !== view.node || this.shown.fen !== view.fen)) this.shown = null;
    this.bar.hidden = !this.shown;
    if (!this.shown) return null;
    const { line, fen, at } = this.shown;
    this.text.textContent = t('previewAt', line.texts[at - 1] ?? '', at, line.moves.length);
    byId('insert-line').textContent = t('insertLine');
    byId('leave-line').textContent = t('leaveLine');
    return { fen: afterMoves(fen, line.moves.slice(0, at)), move: line.moves[at - 1] };
  }
}

/** A small board beside the pointer over a move of a line. */
class HoverBoard {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = make('div', { class: 'hover-board', 'aria-hidden': 'true', hidden: true });
    document.body.append(this.element);
    this.board = null;
  }

  /** @param {string} fen @param {string} move the last one @param {HTMLElement} beside */
  show(fen, move, beside) {
    const { prefs, board } = this.app;
    this.element.hidden = false;
    this.board ??= new XiangqiBoard(this.element, { coordinates: 'none', theme: prefs.theme, interactive: false });
    this.board.setPieces(prefs.pieces);
    if (this.board.flipped !== board.flipped) this.board.flip();
    this.board.setPosition(fen, { animate: false });
    this.board.setLastMove(move.slice(0, 2), move.slice(2, 4));
    const [box, own] = [beside.getBoundingClientRect(), this.element.getBoundingClientRect()];
    const above = box.top - own.height - 8;
    this.element.style.left = `${Math.max(8, Math.min(box.left, innerWidth - own.width - 8))}px`;
    this.element.style.top = `${above > 8 ? above : Math.min(box.bottom + 8, innerHeight - own.height - 8)}px`;
  }

  hide() {
    this.element.hidden = true;
  }
}
