// Comments and marks of moves, written by people.

import { all, byId, make } from './dom.js';
import { GLYPHS } from './moves.js';
import { t } from './text.js';

/** The glyphs in the order of their buttons. */
const ORDER = [3, 1, 5, 6, 2, 4];

export class Annotator {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('annotator');
    this.button = byId('annotate');
    this.node = -1;
    /** The move and the comment of the node. */
    this.move = '';
    this.comment = '';
    this.label = make('span', {});
    this.text = make('textarea', { rows: 3, maxlength: 10000, onchange: () => this.save() });
    this.text.addEventListener('keydown', (event) => {
      if (event.key === 'Escape' || (event.key === 'Enter' && event.ctrlKey)) this.button.focus();
    });
    this.marks = make('div', { class: 'segments', role: 'group' });
    for (const glyph of ORDER) {
      this.marks.append(make('button', { type: 'button', 'data-glyph': glyph, onclick: () => this.mark(glyph) }, GLYPHS[glyph]));
    }
    this.element.append(make('label', {}, this.label, this.text), this.marks);
    this.button.addEventListener('click', () => this.show(this.element.hidden));
  }

  show(isShown) {
    this.element.hidden = !isShown;
    this.button.setAttribute('aria-expanded', String(isShown));
    this.app.render();
    if (!isShown) return;
    this.text.focus({ preventScroll: true });
    this.element.scrollIntoView({ block: 'nearest' });
  }

  update(view, tree) {
    // A text being typed stays until it is left, with its move.
    const isTyping = document.activeElement === this.text;
    const isUnsaved = isTyping && this.text.value !== this.comment && (tree.moves.get(this.node)?.move ?? '') === this.move;
    const node = isUnsaved ? this.node : view.node;
    const move = tree.moves.get(node);
    const comment = move ? move.comment ?? '' : view.comment;
    this.label.textContent = move ? t('commentOn', move.text) : t('commentOnStart');
    this.marks.setAttribute('aria-label', t('judgement'));
    if (node !== this.node || !isTyping) this.text.value = comment;
    [this.node, this.move, this.comment] = [node, move?.move ?? '', comment];
    this.marks.hidden = !move;
    this.glyphs = move?.glyphs ?? [];
    for (const button of all('button', this.marks)) {
      button.setAttribute('aria-pressed', String(this.glyphs.includes(Number(button.dataset.glyph))));
    }
  }

  save() {
    return this.app.change('annotate', { node: this.node, comment: this.text.value });
  }

  /** Sets one of the six marks, or removes it; other glyphs of the record stay. */
  mark(glyph) {
    const others = this.glyphs.filter((other) => !ORDER.includes(other));
    const glyphs = this.glyphs.includes(glyph) ? others : [glyph, ...others];
    return this.app.change('annotate', { node: this.node, glyphs });
  }
}
