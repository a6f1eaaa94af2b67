// The bar that says that the server cannot be reached, as long as that lasts.

import { make } from './dom.js';
import { download } from './downloads.js';
import { pgnOf } from './pgn.js';
import { problemText } from './problems.js';
import { t } from './text.js';

export class AwayBar {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** `away`, or `address` if the server runs with another key; null while it is there. */
    this.reason = null;
    this.text = make('span', {});
    this.save = make('button', { type: 'button', id: 'save-copy', onclick: () => this.saveCopy() });
    this.element = make('div', { class: 'away-bar', role: 'alert', hidden: true }, this.text, this.save);
    document.body.prepend(this.element);
    // The board and the panel have the room that the bar leaves.
    new ResizeObserver(() => {
      document.documentElement.style.setProperty('--away', `${this.element.offsetHeight}px`);
    }).observe(this.element);
  }

  /** @param {'away'|'address'|null} reason */
  show(reason) {
    if (reason === this.reason) return;
    this.reason = reason;
    document.body.classList.toggle('is-away', reason !== null);
    this.update();
    this.app.render();
  }

  update() {
    const { problem } = this.app.keeper;
    this.element.hidden = this.reason === null && !problem;
    if (this.element.hidden) return;
    const texts = { address: t('startedAgain'), away: t('reconnecting') };
    const text = texts[this.reason] ?? t('notKept', problemText(problem.message, problem.problem));
    // The same text again would be read out again.
    if (this.text.textContent !== text) this.text.textContent = text;
    this.save.textContent = t('saveCopy');
    this.save.hidden = !this.app.view;
  }

  saveCopy() {
    const { view, tree } = this.app;
    download('game.pgn', new Blob([pgnOf(view, tree)], { type: 'text/plain' }));
  }
}
