// What the endgame tables say of the shown position and of each move.

import { byId, make, redraw } from './dom.js';
import { tableMoves } from './functions.js';
import { otherSide } from './rules.js';
import { labelled, sideName, t } from './text.js';

/** Pieces beyond which no table is asked. */
const MOST_PIECES = 12;

export class TableCard {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('table-card');
    /** @type {import('./functions.js').TableResult|null} */
    this.found = null;
    /** What was asked last, and what is drawn. */
    this.asked = '';
    this.drawn = '';
  }

  /** @param {import('./view.js').View} view */
  update(view) {
    const { mode, awayBar, learn } = this.app;
    const isFew = view.fen.split(' ')[0].replace(/[^a-z]/gi, '').length <= MOST_PIECES;
    if (mode === 'analyse' && isFew && !awayBar.reason) this.ask(view);
    const isShown = mode === 'analyse' && isFew && this.found?.value && !learn.puzzle && this.asked === this.key(view);
    this.element.hidden = !isShown;
    if (!isShown) return;
    const state = `${t('tables')} ${this.asked}`;
    if (state === this.drawn) return;
    this.drawn = state;
    redraw(this.element, [
      make('p', { class: 'table-value' }, labelled(t('tables'), this.text(this.found.value, view.side))),
      make('div', { class: 'table-moves' }, ...this.found.moves.map((move) => this.move(move, view.side))),
    ]);
  }

  /** @param {import('./view.js').View} view */
  key(view) { return `${view.fen} ${view.notation}`; }

  /** @param {import('./view.js').View} view */
  async ask(view) {
    const key = this.key(view);
    if (key === this.asked) return;
    this.asked = key;
    this.found = null;
    const found = await tableMoves(view.fen, view.notation).catch(() => null);
    if (this.asked !== key) return;
    this.found = found;
    this.update(this.app.view);
  }

  /** @param {import('./functions.js').TableValue} value @param {import('./rules.js').Side} side that has it */
  text({ result, plies, exact }, side) {
    if (result === 'draw') return t(exact ? 'tableDraw' : 'tableUnsure');
    return t('tableWin', sideName(result === 'win' ? side : otherSide(side)), plies);
  }

  /** @param {import('./functions.js').TableResult['moves'][0]} move @param {import('./rules.js').Side} side */
  move({ move, text, result, plies }, side) {
    const title = result ? this.text({ result, plies, exact: true }, side) : '';
    return make('button', {
      type: 'button', class: `line-move table-${result ?? 'unknown'}`, 'data-table-move': move, title, onclick: () => this.app.playLine([move]),
    }, [text, result && result !== 'draw' ? String(plies) : result ? '=' : '?'].join(' '));
  }
}
