// The lines of the engine, the arrows of their first moves, and the bar beside the board.

import { all, byId, closest, make, redraw, whenReleased } from './dom.js';
import { afterMoves } from './preview.js';
import { scoreMeaning, scoreText } from './scores.js';
import { labelled, t } from './text.js';

const short = (number) => (number >= 1e6 ? `${(number / 1e6).toFixed(1)} M` : number >= 1e4 ? `${Math.round(number / 1e3)} k` : String(number));

export class LineList {
  /** @param {import('./preview.js').Preview} preview */
  constructor(preview) {
    this.element = byId('lines');
    this.facts = byId('engine-facts');
    this.preview = preview;
    this.element.addEventListener('click', (event) => {
      const button = closest(event, '[data-count]');
      if (!button) return;
      this.preview.show(this.found[Number(button.dataset.line)], Number(button.dataset.count));
    });
    this.element.addEventListener('pointerover', (event) => this.hover(event));
    this.element.addEventListener('pointerleave', () => this.preview.hover.hide());
    this.element.addEventListener('keydown', (event) => this.key(event));
    this.update = whenReleased(this.element, this.draw.bind(this));
    /** @type {import('./functions.js').Line[]} */
    this.found = [];
  }

  /** Shows the position after the move under the mouse. @param {PointerEvent} event */
  hover(event) {
    const button = closest(event, '[data-count]');
    if (!button || event.pointerType !== 'mouse') {
      this.preview.hover.hide();
      return;
    }
    const moves = this.found[Number(button.dataset.line)].moves.slice(0, Number(button.dataset.count));
    this.preview.hover.show(afterMoves(this.fen, moves), moves.at(-1), button);
  }

  /** Left and right go through the moves of a line; Tab goes from line to line. @param {KeyboardEvent} event */
  key(event) {
    const button = closest(event, '[data-count]');
    const next = { ArrowLeft: button?.previousElementSibling, ArrowRight: button?.nextElementSibling };
    // While a line is shown on the board, the keys go through it there.
    if (!button || this.preview.shown || !(event.key in next)) return;
    /** @type {HTMLElement|null} */ (next[event.key])?.focus();
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * @param {import('./view.js').View} view
   * @param {import('./engine.js').Engine['found']} lines what was found in the shown position
   * @param {boolean} isAway whether the server cannot be reached
   */
  draw(view, lines, isAway) {
    if (this.fen !== view.fen) this.preview.hover.hide();
    this.fen = view.fen;
    const found = lines && lines.isThreat === view.threat ? lines.found.lines : [];
    this.threat = view.threat ? found[0] ?? null : null;
    this.found = view.threat ? [] : found;
    const isOn = view.analysis !== null;
    this.element.classList.toggle('off', !isOn && !this.found.length);
    if (!this.found.length) {
      this.facts.textContent = '';
      const text = isAway ? t('notConnected') : view.legal.length === 0 ? t('engineEnd') : view.threat ? this.threatText(view) : isOn ? t(view.work === 'waiting' ? 'waiting' : 'thinking') : t('engineOff');
      redraw(this.element, [make('li', { class: 'empty' }, text)]);
      return;
    }
    const { nodes, nps } = lines.found;
    this.facts.title = t('nodes', short(nodes));
    this.facts.textContent = `${t('depth', this.found[0].score.depth)} · ${short(nps)}/s`;
    const { line, count } = /** @type {HTMLElement} */ (document.activeElement).dataset;
    redraw(this.element, this.found.map((found, index) => this.line(found, index)));
    if (count) all(`[data-line="${line}"][data-count="${count}"]`, this.element)[0]?.focus({ preventScroll: true });
  }

  /** The threat in words. @param {import('./view.js').View} view */
  threatText(view) {
    if (view.check) return t('threatCheck');
    if (!this.threat) return t('threatSearch');
    return labelled(t('threat'), `${this.threat.texts.slice(0, 5).join(' ')} · ${scoreText(this.threat.score)}`);
  }

  line(line, index) {
    const isGood = line.score.red >= 500;
    const texts = line.texts.map((text, at) => make(
      'button',
      { type: 'button', class: 'line-move', 'data-line': index, 'data-count': at + 1, tabindex: at === 0 ? null : -1 },
      text,
    ));
    return make(
      'li',
      {},
      make('span', { class: `value ${isGood ? 'for-red' : 'for-black'}` }, scoreText(line.score)),
      make('span', { class: 'line-moves' }, ...texts),
    );
  }

  /** The arrow of the threat. */
  threatArrows() {
    const move = this.threat?.moves[0];
    return move ? [{ from: move.slice(0, 2), to: move.slice(2), kind: 'chase' }] : [];
  }

  /** The arrows for the board. */
  arrows() {
    return this.found.slice(0, 4).map((line, index) => ({
      from: line.moves[0].slice(0, 2),
      to: line.moves[0].slice(2),
      kind: index === 0 ? 'best' : 'other',
      label: this.found.length > 1 ? String(index + 1) : undefined,
    })).filter((arrow) => arrow.from).reverse();
  }
}

/** The bar beside the board: how much of the points Red can expect. */
export class Meter {
  constructor() {
    this.element = byId('meter');
  }

  /** @param {import('./scores.js').Score|undefined} score @param {boolean} isFlipped */
  update(score, isFlipped) {
    this.element.classList.toggle('flipped', isFlipped);
    this.element.classList.toggle('unknown', !score);
    if (!score) {
      this.element.setAttribute('aria-label', t('scoreUnknown'));
      return;
    }
    this.element.style.setProperty('--red', String(score.red / 1000));
    this.element.querySelector('b').textContent = scoreText(score).replace(/\.(\d)\d$/, '.$1');
    this.element.classList.toggle('red-ahead', score.red >= 500);
    this.element.setAttribute('aria-label', scoreMeaning(score));
  }
}
