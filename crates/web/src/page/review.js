// The analysis of the whole game: its progress, the accuracy and the mistakes of both sides, and the way
// from one mistake to the next.

import { byId, make, redraw, whenReleased } from './dom.js';
import { assess } from './functions.js';
import { isChinese, sideName, t } from './text.js';

/** Nodes of a millisecond, about. */
const NODES = 400;

export const CLASSES = { inaccuracy: '?!', mistake: '?', blunder: '??' };

const PHASES = ['opening', 'middlegame', 'endgame'];

/** @typedef {import('./functions.js').Assessment} Assessment */

const percent = (value) => (typeof value === 'number' ? `${Math.round(value)}\u2009%` : '–');

export class Review {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('review');
    this.shown = '';
    /** What the assessment belongs to. */
    this.key = '';
    /** @type {Assessment|null} */
    this.found = null;
    /** When the running analysis was seen first, and how many positions were done then. */
    this.began = { at: 0, done: 0 };
    this.draw = whenReleased(this.element, this.drawNow.bind(this));
  }

  /** @param {import('./view.js').View} view @param {import('./tree.js').Tree} tree */
  update(view, tree) {
    const line = tree.line();
    const scores = [view.start_score, ...line.map((move) => move.score)];
    const isKnown = line.length > 1 && !view.sweep && scores.filter(Boolean).length >= line.length;
    const key = isKnown ? JSON.stringify([view.start, view.rules, view.notation, line.map(({ id, move }) => [id, move]), scores.map((score) => score && [score.red, score.depth])]) : '';
    if (key !== this.key) {
      this.key = key;
      clearTimeout(this.timer);
      if (isKnown) this.timer = setTimeout(() => this.load(key), 250);
      else this.found = null;
    }
    if (!view.sweep) this.began.at = 0;
    else if (!this.began.at) this.began = { at: performance.now(), done: view.sweep[0] };
    this.draw(view, line);
  }

  async load(key) {
    const found = await this.assessment().catch(() => null);
    if (key !== this.key || !found) return;
    this.found = found.complete ? found : null;
    this.draw(this.app.view, this.app.tree.line());
    if (this.found) this.app.learn.collect(this.found);
    this.app.curve.update(this.app.view, this.app.tree);
  }

  /** The shown line compared with what the engine has found. @returns {Promise<Assessment>} */
  async assessment() {
    const { game } = this.app;
    const { line, rules, notation } = game;
    const moves = line.slice(1).map(({ move, score }, ply) => ({ parent: ply, move, score }));
    const tree = { start: game.root.position.fen, tags: [], result: '*', comment: '', score: game.root.score, moves };
    const found = await assess(tree, rules, notation);
    for (const one of [...found.moves.filter(Boolean), ...found.events]) one.node = line[one.node].id;
    return found;
  }

  /** @param {import('./view.js').View} view @param {import('./tree.js').Move[]} line */
  drawNow(view, line) {
    this.element.hidden = line.length < 2;
    const state = JSON.stringify([t('play'), view.sweep, this.found, this.found ? view.node : Math.ceil(line.length / 10)]);
    if (state === this.shown) return;
    this.shown = state;
    if (view.sweep) redraw(this.element, this.progress(view.sweep));
    else if (this.found) redraw(this.element, this.summary(this.found));
    else redraw(this.element, [this.beginButton(line.length + 1)]);
  }

  /** Milliseconds for a position, about. */
  get timeEach() {
    const { time, nodes } = this.limits;
    return time ?? nodes / NODES;
  }

  beginButton(positions) {
    const seconds = Math.ceil(positions * this.timeEach / 1000);
    return make('button', { type: 'button', id: 'sweep', title: t('aboutSeconds', seconds), onclick: () => this.begin() }, t('makeCurve'));
  }

  /** How long each position is searched. */
  get limits() {
    const [kind, count] = this.app.prefs.analysis.split(' ');
    return { [kind]: Number(count) };
  }

  begin() {
    return this.app.change('sweep', { limits: this.limits });
  }

  /** @param {[number, number]} sweep */
  progress([done, all]) {
    const { at, done: before } = this.began;
    const each = done > before ? (performance.now() - at) / (done - before) : this.timeEach;
    const seconds = Math.ceil((all - done) * each / 1000);
    const text = t('positionsDone', done, all, seconds);
    return [make(
      'div',
      { class: 'progress' },
      make('progress', { max: all, value: done, 'aria-label': t('makeCurve') }),
      make('span', {}, text),
      make('button', { type: 'button', id: 'sweep', class: 'quiet', onclick: () => this.app.change('sweep', { limits: null }) }, t('stop')),
    )];
  }

  /** @param {Assessment} found */
  summary(found) {
    const heads = [
      make('th', { scope: 'col' }, t('accuracy')),
      ...Object.entries(CLASSES).map(([name, sign]) => make('th', { scope: 'col', class: name }, make('abbr', { title: t(`class${name}`) }, sign))),
      ...PHASES.map((name) => make('th', { scope: 'col', class: 'phase' }, t(`phase${name}`))),
    ];
    const sides = /** @type {('red'|'black')[]} */ (['red', 'black']);
    const rows = sides.map((side) => {
      const { accuracy, classes, phases } = found.summary[side];
      return make(
        'tr',
        {},
        make('th', { scope: 'row' }, make('span', { class: `side ${side}`, 'aria-hidden': 'true' }), sideName(side)),
        make('td', { class: 'accuracy' }, percent(accuracy)),
        ...Object.keys(CLASSES).map((name) => make('td', {}, this.count(side, name, classes[name]))),
        ...PHASES.map((name) => make('td', { class: 'phase' }, percent(phases[name]))),
      );
    });
    const mistakes = this.mistakes().length;
    return [
      this.verdict(found),
      make('table', { class: 'summary' }, make('thead', {}, make('tr', {}, make('td', {}), ...heads)), make('tbody', {}, ...rows)),
      make(
        'div',
        { class: 'row review-tools' },
        make('button', { type: 'button', id: 'next-mistake', disabled: mistakes === 0, title: t('nextMistakeKey'), onclick: () => this.next(1) }, t('nextMistake')),
        make('button', { type: 'button', id: 'learn', disabled: mistakes === 0, onclick: () => this.app.learn.begin(this.found) }, t('learn')),
        make('button', { type: 'button', class: 'quiet', id: 'sweep-again', title: t('analyseAgainHint'), onclick: () => this.begin() }, t('analyseAgain')),
      ),
    ];
  }

  /** What the analysis says of the shown move, with the better line; at the start the opening. @param {Assessment} found */
  verdict(found) {
    const { view } = this.app;
    const row = make('div', { class: 'verdict' });
    const move = found.moves.find((one) => one?.node === view.node);
    if (!move) {
      row.append(found.opening?.[isChinese() ? 'zh' : 'en'] ?? t('choosesMove'));
      return row;
    }
    const event = found.events.find(({ node }) => node === view.node);
    row.append(make('span', { class: `tag ${move.class}` }, t(`class${move.class}`)));
    if (move.class in CLASSES) row.append(make('span', {}, t('losesPoints', Math.round(100 * move.loss))));
    if (move.better.length) {
      const parent = this.app.tree.moves.get(view.node).parent;
      const play = (at) => async () => {
        if (!await this.app.goTo(parent)) return;
        this.app.preview.show({ moves: move.better, texts: move.texts }, at);
      };
      row.append(make('span', { class: 'hint' }, t('betterWas')), make('span', { class: 'line-moves' }, ...move.texts.map((text, at) => make(
        'button',
        { type: 'button', class: 'line-move', 'data-better': at + 1, tabindex: at === 0 ? null : -1, onclick: play(at + 1) },
        text,
      ))));
    } else if (event) row.append(make('span', { class: 'hint' }, event.text[isChinese() ? 'zh' : 'en']));
    return row;
  }

  /** The number of a side's moves of a class; a click leads to the next of them. @param {'red'|'black'} side */
  count(side, name, count) {
    if (!count) return make('span', {}, '0');
    const isOwn = (mistake) => mistake.class === name && this.sideOf(mistake.node) === side;
    const label = `${sideName(side)}, ${t(`class${name}`)}: ${count}`;
    return make('button', { type: 'button', class: `count ${name}`, 'aria-label': label, title: label, onclick: () => this.next(1, isOwn) }, String(count));
  }

  sideOf(node) {
    const { view, tree } = this.app;
    const ply = tree.line().findIndex((move) => move.id === node);
    return (ply % 2 === 0) === (view.start.split(' ')[1] !== 'b') ? 'red' : 'black';
  }

  mistakes() {
    return (this.found?.moves ?? []).filter((move) => move && move.class in CLASSES);
  }

  /** Goes to the next mistake, or the one before; after the last one comes the first. */
  next(direction, isWanted = (_) => true) {
    const { app } = this;
    const order = [0, ...app.tree.line().map((move) => move.id)];
    const here = order.indexOf(app.view.node);
    const places = this.mistakes().filter(isWanted).map((move) => order.indexOf(move.node)).sort((a, b) => a - b);
    if (!places.length) return;
    const rest = direction > 0 ? places.filter((place) => place > here) : places.filter((place) => place < here).reverse();
    app.goTo(order[rest[0] ?? places.at(direction > 0 ? 0 : -1)]);
    app.showBoard();
  }
}
