// How the board looks: its pieces, its colours, the names at its edges and its size.

import { byId, make } from './dom.js';
import { nameSquares } from './problems.js';
import { loadSymbols, needSymbols } from './symbols.js';
import { t } from './text.js';

export const SETS = ['chinese', 'simplified', 'filled', 'lettered', 'latin', 'symbols'];
export const BOARDS = ['auto', 'light', 'dark', 'paper', 'jade'];
export const COORDINATES = ['auto', 'files', 'chinese', '0-9', '1-10', 'none'];

/** The names at the edges that belong to a notation. */
const OF_NOTATION = { wxf: 'files', chinese: 'chinese', traditional: 'chinese', uci10: '1-10' };

/** Per cent of the largest board that fits. */
export const SIZES = { least: 50, most: 100 };

/** The names at the edges. @param {string} chosen @param {string} notation that of the moves */
export const coordinatesOf = (chosen, notation) => (chosen === 'auto' ? OF_NOTATION[notation] ?? '0-9' : chosen);

const capital = (name) => name[0].toUpperCase() + name.slice(1);

/** Buttons with a picture each, of which one is pressed; their names are texts that begin with `kind`. */
function samples(names, pressed, kind, draw, choose) {
  const group = make('div', { class: `set-samples ${kind}`, role: 'group', 'aria-label': t(kind) });
  for (const name of names) {
    const title = t(`${kind}${capital(name)}`);
    const svg = XiangqiBoard.svg('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true', class: 'xq-set' });
    svg.append(...draw(name));
    group.append(make('button', { type: 'button', 'aria-pressed': String(name === pressed), 'aria-label': title, title, onclick: () => choose(name) }, svg));
  }
  return group;
}

export class Looks {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.root = document.documentElement;
    this.connectGrip(byId('size-grip'));
  }

  apply() {
    const { board, prefs } = this.app;
    needSymbols(prefs.pieces, board.options.coordinates);
    board.setPieces(prefs.pieces);
    board.setTheme(prefs.theme);
    if (prefs.board === 'auto') delete this.root.dataset.board;
    else this.root.dataset.board = prefs.board;
    this.root.style.setProperty('--board-part', String(prefs.size / 100));
  }

  /** @param {import('./view.js').View} view */
  update(view) {
    const { prefs, board } = this.app;
    const wanted = coordinatesOf(prefs.coordinates, view.notation);
    nameSquares(wanted);
    if (wanted === board.options.coordinates) return;
    needSymbols(prefs.pieces, wanted);
    board.setCoordinates(wanted);
  }

  /** The sets to choose from, each with a piece of it. */
  pieces(choose) {
    loadSymbols();
    const draw = (name) => [XiangqiBoard.svg('use', { href: `#xq-${name}-red-knight` })];
    return samples(SETS, this.app.prefs.pieces, 'pieces', draw, choose);
  }

  /** The boards to choose from, each with a bit of it. */
  boards(choose) {
    const draw = () => [XiangqiBoard.svg('rect', { x: -50, y: -50, width: 100, height: 100, rx: 12, class: 'wood' }),
      XiangqiBoard.svg('path', { d: 'M-50 0H50M0 -50V50', class: 'grid' })];
    const group = samples(BOARDS, this.app.prefs.board, 'boards', draw, choose);
    BOARDS.forEach((name, index) => { /** @type {HTMLElement} */ (group.children[index]).dataset.board = name; });
    return group;
  }

  /** The handle at the corner of the board. @param {HTMLElement} grip */
  connectGrip(grip) {
    let start = null;
    grip.addEventListener('pointerdown', (event) => {
      start = { x: event.clientX, width: byId('board').clientWidth, size: this.app.prefs.size };
      grip.setPointerCapture(event.pointerId);
      grip.classList.add('held');
      event.preventDefault();
    });
    grip.addEventListener('pointermove', (event) => {
      if (!start) return;
      // The board is in the middle, so that it grows at both sides.
      const size = Math.round(start.size * (1 + 2 * (event.clientX - start.x) / start.width));
      this.app.prefs.size = Math.min(SIZES.most, Math.max(SIZES.least, size));
      this.apply();
    });
    for (const end of ['pointerup', 'pointercancel']) {
      grip.addEventListener(end, () => {
        if (start) this.app.keep('size', this.app.prefs.size);
        start = null;
        grip.classList.remove('held');
      });
    }
  }
}
