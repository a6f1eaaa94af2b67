// The list of moves with their variations, and the curve of the evaluation.

import { all, byId, closest, make, whenReleased } from './dom.js';
import { scoreText } from './scores.js';
import { sideName, t } from './text.js';

export const GLYPHS = { 1: '!', 2: '?', 3: '!!', 4: '??', 5: '!?', 6: '?!' };

/** Results of games in words. @type {Record<string, () => string>} */
const RESULTS = { '1-0': () => t('wins', sideName('red')), '0-1': () => t('wins', sideName('black')), '1/2-1/2': () => t('draw') };

/** Classes of moves by their marks. */
const MARKS = { '?!': 'inaccuracy', '?': 'mistake', '??': 'blunder' };

/** Variations that are nested more deeply follow the one at this depth. */
const DEEPEST = 6;

export class MoveList {
  /** @param {(node: number) => void} goTo */
  constructor(goTo) {
    this.element = byId('moves');
    this.goTo = goTo;
    this.shown = '';
    this.frame = 0;
    this.node = 0;
    // Whether the current move stays in sight; not once the reader has scrolled away from it.
    this.follows = true;
    this.height = 0;
    this.update = whenReleased(this.element, this.draw.bind(this));
    this.element.addEventListener('click', (event) => {
      const button = closest(event, '[data-node]');
      if (button) this.goTo(Number(button.dataset.node));
    });
    this.element.addEventListener('scroll', () => {
      // In a list of another height the move may have gone by itself.
      if (this.element.clientHeight === this.height) this.follows = this.isInSight();
    });
    // The cards above grow and shrink.
    new ResizeObserver(() => {
      this.height = this.element.clientHeight;
      if (this.follows) this.reveal();
    }).observe(this.element);
  }

  /** @param {import('./view.js').View} view @param {import('./tree.js').Tree} tree */
  draw(view, tree) {
    const content = JSON.stringify([view.moves, view.start, view.comment, view.event, view.date, view.result, t('noMoves')]);
    if (content !== this.shown) {
      this.shown = content;
      this.follows = true;
      this.redRuns = view.start.split(' ')[1] !== 'b';
      this.first = view.first_number;
      this.comment = view.comment;
      this.result = view.result;
      this.title = [view.event, view.date].filter((text) => text && !text.startsWith('?')).join(' · ');
      this.element.replaceChildren(...this.rows(tree));
    }
    const old = this.element.querySelector('.current');
    old?.classList.remove('current');
    old?.removeAttribute('aria-current');
    const current = this.element.querySelector(`[data-node="${view.node}"]`);
    current?.classList.add('current');
    current?.setAttribute('aria-current', 'true');
    if (view.node !== this.node) this.follows = true;
    this.node = view.node;
    if (!this.follows) return;
    cancelAnimationFrame(this.frame);
    // With the next drawing: places that are asked for now would be computed twice.
    this.frame = requestAnimationFrame(() => this.reveal());
  }

  /** Whether a part of the current move is in sight, or before the first one the start. */
  isInSight() {
    const current = this.element.querySelector('.current');
    if (!current) return this.element.scrollTop === 0;
    const [list, item] = [this.element.getBoundingClientRect(), current.getBoundingClientRect()];
    return item.bottom > list.top && item.top < list.bottom;
  }

  /** Scrolls the list, but not the page, to the current move: before the first one to the start, at the last one to the end. */
  reveal() {
    const moves = all('[data-node]', this.element);
    const current = moves.find((move) => move.classList.contains('current'));
    if (this.node === 0) this.element.scrollTop = 0;
    if (!current) return;
    if (current === moves.at(-1)) this.element.scrollTop = this.element.scrollHeight;
    const [list, item] = [this.element.getBoundingClientRect(), current.getBoundingClientRect()];
    if (item.top < list.top + 8) this.element.scrollTop += item.top - list.top - 40;
    else if (item.bottom > list.bottom - 8) this.element.scrollTop += item.bottom - list.bottom + 40;
  }

  /** Shows a newer score beside a move of the main line; variations have no scores. */
  showScore(node, score) {
    const button = this.element.querySelector(`.move-row > [data-node="${node}"]`);
    if (!button) return;
    if (!button.querySelector('.value')) button.append(make('span', { class: 'value' }));
    button.querySelector('.value').textContent = scoreText(score);
  }

  rows(tree) {
    const rows = this.title ? [make('p', { class: 'hint game-title' }, this.title)] : [];
    if (this.comment) rows.push(make('p', { class: 'comment' }, this.comment));
    let row = null;
    let ply = 0;
    for (let [move, ...others] = tree.after(0); move; [move, ...others] = tree.after(move.id)) {
      const isRed = this.isRed(ply);
      if (isRed || !row) {
        row = make('div', { class: 'move-row' }, make('span', { class: 'number' }, `${this.number(ply)}.`));
        if (!isRed) row.append(make('span', { class: 'gap' }, '…'));
        rows.push(row);
      }
      row.append(this.button(move, move.score));
      if (others.length || move.comment) {
        const block = make('div', { class: 'aside' });
        if (move.comment) block.append(make('p', { class: 'comment' }, move.comment));
        for (const other of others) block.append(...this.variation(tree, other, ply, 1));
        rows.push(block);
        row = null;
      }
      ply += 1;
    }
    if (ply === 0) rows.push(make('p', { class: 'empty' }, t('noMoves')));
    else if (this.result in RESULTS) rows.push(make('p', { class: 'result' }, `${this.result} · ${RESULTS[this.result]()}`));
    return rows;
  }

  /** The element of a variation, and those that follow it. */
  variation(tree, first, ply, depth) {
    const following = [];
    const element = make('div', { class: 'variation' });
    let others = [];
    let needsNumber = true;
    for (let move = first; move; ) {
      const isRed = this.isRed(ply);
      const number = isRed || needsNumber ? make('span', { class: 'number' }, `${this.number(ply)}.${isRed ? '' : '..'}`) : null;
      const button = this.button(move, null);
      element.append(number ? make('span', { class: 'numbered' }, number, button) : button);
      needsNumber = false;
      if (move.comment) {
        element.append(make('span', { class: 'comment' }, move.comment));
        needsNumber = true;
      }
      for (const other of others) {
        if (depth < DEEPEST) element.append(...this.variation(tree, other, ply, depth + 1));
        else following.push(...this.variation(tree, other, ply, depth));
        needsNumber = true;
      }
      ply += 1;
      [move, ...others] = tree.after(move.id);
    }
    return [element, ...following];
  }

  button(move, score) {
    const own = (move.glyphs ?? []).map((number) => GLYPHS[number]).find(Boolean);
    const mark = own ?? move.mark ?? '';
    const kind = MARKS[mark] ?? '';
    return make(
      'button',
      // The arrow keys go through the moves; with Tab that would take long.
      { type: 'button', class: `move ${kind}`, 'data-node': move.id, tabindex: -1 },
      make('span', { class: 'text' }, move.text + mark + (move.assessment ?? '')),
      move.book ? make('span', { class: 'from-book' }, t('bookMark')) : null,
      score ? make('span', { class: 'value' }, scoreText(score)) : null,
    );
  }

  isRed(ply) {
    return (ply % 2 === 0) === this.redRuns;
  }

  number(ply) {
    return this.first + Math.floor((ply + (this.redRuns ? 0 : 1)) / 2);
  }
}

/**
 * Neighbours whose score is known; between the runs nothing is drawn. A score alone is drawn half a move wide.
 * @param {(import('./scores.js').Score|null|undefined)[]} scores
 */
function knownRuns(scores) {
  /** @type {{x: number, y: number}[][]} */
  const runs = [];
  scores.forEach((score, x) => {
    if (!score) return;
    const point = { x, y: 100 - score.red / 10 };
    if (x > 0 && scores[x - 1]) runs.at(-1).push(point);
    else runs.push([point]);
  });
  const last = scores.length - 1;
  return runs.map((run) => (run.length > 1 ? run : [-0.25, 0.25].map((by) => ({ ...run[0], x: Math.min(last, Math.max(0, run[0].x + by)) }))));
}

const pathOf = (run) => run.map(({ x, y }) => `${x} ${y.toFixed(1)}`).join('L');

/** Red's expected points over the shown line, with the mistakes; a click goes to the position. */
export class Curve {
  /** @param {(node: number) => void} goTo */
  constructor(goTo) {
    this.element = byId('curve');
    this.goTo = goTo;
    this.nodes = [];
    this.texts = [];
    this.tip = make('div', { class: 'curve-tip', 'aria-hidden': 'true', hidden: true });
    this.update = whenReleased(this.element, this.draw.bind(this));
    this.element.addEventListener('click', (event) => {
      const node = this.nodes[this.placeOf(event)];
      if (node !== undefined) this.goTo(node);
    });
    this.element.addEventListener('pointermove', (event) => this.showTip(event));
    this.element.addEventListener('pointerleave', () => { this.tip.hidden = true; });
  }

  /** The place of the game under the pointer. @param {MouseEvent} event */
  placeOf(event) {
    const box = this.element.getBoundingClientRect();
    return Math.round(Math.max(0, Math.min(1, (event.clientX - box.left) / box.width)) * (this.nodes.length - 1));
  }

  /** Names the move under the pointer. @param {PointerEvent} event */
  showTip(event) {
    const place = this.placeOf(event);
    this.tip.textContent = this.texts[place] ?? '';
    this.tip.hidden = event.pointerType !== 'mouse' || !this.tip.textContent;
    const share = place / Math.max(1, this.nodes.length - 1);
    this.tip.style.left = `${100 * share}%`;
    this.tip.style.transform = `translateX(${-100 * share}%)`;
  }

  /** @param {import('./view.js').View} view @param {import('./tree.js').Tree} tree */
  draw(view, tree) {
    const line = tree.line();
    const scores = [view.start_score, ...line.map((move) => move.score)];
    this.nodes = [0, ...line.map((move) => move.id)];
    const known = scores.filter(Boolean).length;
    this.element.hidden = known < 3;
    if (known < 3) return;
    const redRuns = view.start.split(' ')[1] !== 'b';
    const numberOf = (ply) => `${view.first_number + Math.floor((ply + (redRuns ? 0 : 1)) / 2)}${(ply % 2 === 0) === redRuns ? '.' : '…'}`;
    this.texts = scores.map((score, place) => {
      const move = line[place - 1];
      const name = move ? `${numberOf(place - 1)} ${move.text}${move.mark ?? ''}` : t('toStart').replace(/ \(.*/, '');
      return score ? `${name}  ${scoreText(score)} · ${Math.round(score.red / 10)} %` : `${name}  ${t('scoreUnknown')}`;
    });
    const last = scores.length - 1;
    const runs = knownRuns(scores);
    const areas = runs.map((run) => `M${run[0].x} 100L${pathOf(run)}L${run.at(-1).x} 100Z`);
    const backs = runs.map((run) => `M${run[0].x} 0H${run.at(-1).x}V100H${run[0].x}Z`);
    const svg = document.createElementNS('http://www.w3.org/2000/svg', 'svg');
    svg.setAttribute('viewBox', `0 0 ${last} 100`);
    svg.setAttribute('preserveAspectRatio', 'none');
    svg.setAttribute('role', 'img');
    svg.setAttribute('aria-label', t('curve'));
    const add = (name, attributes) => {
      const node = document.createElementNS(svg.namespaceURI, name);
      for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
      svg.append(node);
    };
    add('path', { d: backs.join(''), class: 'back' });
    add('path', { d: areas.join(''), class: 'area' });
    add('path', { d: `M0 50H${last}`, class: 'middle' });
    add('path', { d: runs.map((run) => `M${pathOf(run)}`).join(''), class: 'edge' });
    const now = this.nodes.indexOf(view.node);
    add('path', { d: `M${now} 0V100`, class: 'now' });
    this.element.replaceChildren(svg, ...this.markers(line, last), this.tip);
  }

  /** Signs of the mistakes on the curve. */
  markers(line, last) {
    return line.flatMap((move, index) => {
      const kind = MARKS[move.mark];
      if (!kind || !move.score) return [];
      const marker = make('i', { class: `marker ${kind}`, 'data-mistake': move.id });
      marker.style.left = `${100 * (index + 1) / last}%`;
      marker.style.top = `${100 - move.score.red / 10}%`;
      return [marker];
    });
  }
}
