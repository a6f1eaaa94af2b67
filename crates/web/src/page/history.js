// Undo and redo of every change of the game, and the notices that offer them.

import { byId, closest, isCovered, make } from './dom.js';
import { hideNotice, notice } from './notices.js';
import { t } from './text.js';

/** Actions after which undoing is offered, and the kinds of their changes. */
const OFFERED = { remove: 'remove', resign: 'resign', takeback: 'take-back', replace: 'replace', open: 'replace' };

/** The name of a kind of change in the texts: `undoTakeBack`. */
const named = (kind) => `undo${kind.split('-').map((word) => word[0].toUpperCase() + word.slice(1)).join('')}`;

/** Returns whether a view holds nothing that could be lost. */
const isBlank = (view) => view.moves.length === 0 && !view.comment && view.start.split(' ')[0] === XiangqiBoard.START;

export class History {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    const button = (id, text) => make('button', { type: 'button', class: 'quiet', id, onclick: () => this.step(id) }, t(text));
    this.buttons = { undo: button('undo', 'undo'), redo: button('redo', 'redo') };
    byId('judge').closest('.moves-tools').prepend(this.buttons.undo, this.buttons.redo);
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /**
   * Ctrl+Z, Ctrl+Y and Ctrl+Shift+Z. In a text field they belong to the text; a dialog and a puzzle hide the game.
   * @param {KeyboardEvent} event
   */
  key(event) {
    if (closest(event, 'input[type=text], textarea') || isCovered() || this.app.learn.puzzle) return;
    if (!(event.ctrlKey || event.metaKey) || event.altKey) return;
    const key = event.key.toLowerCase();
    const step = key === 'z' ? (event.shiftKey ? 'redo' : 'undo') : key === 'y' ? 'redo' : null;
    if (!step) return;
    event.preventDefault();
    if (this.app.mode === 'setup') this.app.setupCard.step(step);
    else this.step(step);
  }

  update(view) {
    for (const [name, button] of Object.entries(this.buttons)) {
      const kind = view[name];
      button.textContent = t(name);
      button.disabled = !kind || Boolean(this.app.learn.puzzle);
      button.title = kind ? t(`${name}What`, t(named(kind))) : '';
    }
  }

  /** Takes the last change back, or makes it again. @param {'undo'|'redo'} name */
  step(name) {
    hideNotice();
    this.app.learn.leave();
    const kind = this.app.view[name];
    if (!kind || !this.app.change(name)) return;
    // A game that was going on before goes on.
    const { contest, end } = this.app.view;
    const goesOn = name === 'undo' && (kind === 'resign' || kind === 'take-back') && contest && !end;
    if (goesOn && this.app.mode === 'play') this.app.change('resume');
    this.app.board.announce(t(`${name}Done`, t(named(kind))));
  }

  /** Takes changes back up to the last one of a kind. */
  undoThrough(kind) {
    while (this.app.view.undo) {
      const undone = this.app.view.undo;
      if (!this.app.change('undo') || undone === kind) return;
    }
  }

  /**
   * Offers to undo what an action has changed.
   * @param {string} action
   * @param {import('./view.js').View} before
   */
  changed(action, before) {
    const kind = OFFERED[action];
    if (!kind || this.app.view.undo !== kind || (kind === 'replace' && isBlank(before))) return;
    this.offer(kind);
  }

  /** @param {string} kind */
  offer(kind) {
    const text = kind === 'replace' ? 'backToLastGame' : 'undo';
    notice(`${named(kind)}Made`, [[text, () => (kind === 'replace' ? this.undoThrough(kind) : this.step('undo'))]]);
  }

  /** Offers the way back after a new game has replaced one. @param {import('./view.js').View} before */
  replaced(before) {
    if (!isBlank(before)) this.offer('replace');
  }
}
