// Comments and marks of moves, written by people.

import { all, byId, make } from './dom.js';
import { GLYPHS } from './moves.js';
import { tabStorage } from './storage.js';
import { t } from './text.js';

/** The glyphs in the order of their buttons. */
const ORDER = [3, 1, 5, 6, 2, 4];

/** Where the comment is kept that is not in the game yet. */
const DRAFT = 'comment';

/** @typedef {{start: string, moves: string[], text: string}} Draft a comment, and the moves that lead to its place */

/** The comment that was typed before the page was loaded again. @returns {Draft|null} */
function storedDraft() {
  try {
    return JSON.parse(tabStorage.get(DRAFT) ?? 'null');
  } catch {
    return null;
  }
}

export class Annotator {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('annotator');
    this.button = byId('annotate');
    /** The node of the field, and its comment in the game. */
    this.node = -1;
    this.comment = '';
    this.draft = storedDraft();
    this.label = make('span', {});
    this.text = make('textarea', { rows: 3, maxlength: 10000, oninput: () => this.type(), onchange: () => this.save() });
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
    // A text stays with its move until the field is left.
    const draftNode = this.draftNode(view, tree);
    const node = draftNode ?? view.node;
    const move = tree.moves.get(node);
    this.label.textContent = move ? t('commentOn', move.text) : t('commentOnStart');
    this.marks.setAttribute('aria-label', t('judgement'));
    [this.node, this.comment] = [node, move ? move.comment ?? '' : view.comment];
    const text = draftNode === null ? this.comment : this.draft.text;
    if (this.text.value !== text) this.text.value = text;
    this.marks.hidden = !move;
    this.glyphs = move?.glyphs ?? [];
    for (const button of all('button', this.marks)) {
      button.setAttribute('aria-pressed', String(this.glyphs.includes(Number(button.dataset.glyph))));
    }
  }

  /** The node of the draft; null if there is none in this game. @returns {number|null} */
  draftNode(view, tree) {
    if (this.draft?.start !== view.start) return null;
    let node = 0;
    for (const wanted of this.draft.moves) {
      const next = tree.after(node).find(({ move }) => move === wanted);
      if (!next) return null;
      node = next.id;
    }
    return node;
  }

  type() {
    const { view, tree } = this.app;
    const moves = [];
    for (let move = tree.moves.get(this.node); move; move = tree.moves.get(move.parent)) moves.unshift(move.move);
    const { value: text } = this.text;
    this.keep(text === this.comment ? null : { start: view.start, moves, text });
  }

  /** Keeps a draft as long as the tab, also when it is loaded again. @param {Draft|null} draft */
  keep(draft) {
    this.draft = draft;
    if (draft) tabStorage.set(DRAFT, JSON.stringify(draft));
    else tabStorage.remove(DRAFT);
  }

  /** Takes the text into the game. */
  save() {
    const { draft, app } = this;
    const node = this.draftNode(app.view, app.tree);
    if (node === null) return;
    this.keep(null);
    app.change('annotate', { node, comment: draft.text });
    this.update(app.view, app.tree);
  }

  /** Sets one of the six marks, or removes it; other glyphs of the record stay. */
  mark(glyph) {
    const others = this.glyphs.filter((other) => !ORDER.includes(other));
    const glyphs = this.glyphs.includes(glyph) ? others : [glyph, ...others];
    return this.app.change('annotate', { node: this.node, glyphs });
  }
}
