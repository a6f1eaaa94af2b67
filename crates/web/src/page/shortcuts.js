// The dialog with the keys.

import { byId, make, redraw } from './dom.js';
import { closesOutside, head } from './files.js';
import { t } from './text.js';

/** Keys, and the texts that say what they do. @type {[string[], string][]} */
const KEYS = [
  [['←', '→'], 'keySteps'],
  [['Home', 'End'], 'keyEnds'],
  [['↑', '↓'], 'keyVariations'],
  [['Ctrl+Z', 'Ctrl+Y'], 'keyUndo'],
  [['Ctrl+V'], 'keyPaste'],
  [['F'], 'keyFlip'],
  [['A'], 'keyEngine'],
  [['X'], 'keyThreat'],
  [['S'], 'keySpeak'],
  [['N', 'Shift+N'], 'keyMistake'],
  [['Esc'], 'keyEscape'],
  [['Tab', '↑ ↓ ← →', 'Enter'], 'keyBoard'],
  [['?'], 'keyHelp'],
];

export class Shortcuts {
  constructor() {
    this.dialog = byId('keys-dialog', HTMLDialogElement);
    closesOutside(this.dialog);
  }

  show() {
    redraw(this.dialog, [
      head(this.dialog, 'keys-title', t('keys')),
      make('table', { class: 'keys' }, make('tbody', {}, ...KEYS.map(([keys, text]) => make(
        'tr',
        {},
        make('th', { scope: 'row' }, ...keys.flatMap((key, at) => [at ? ' ' : '', make('kbd', {}, key)])),
        make('td', {}, t(text)),
      )))),
      make('p', { class: 'hint' }, t('keyDraw')),
    ]);
    if (!this.dialog.open) this.dialog.showModal();
  }
}
