// Playing: the form of a new game, and the buttons of one that is played.

import { byId, choice, field, fieldGroup, make, redraw, segments, toast, whenReleased } from './dom.js';
import { page, search } from './functions.js';
import { t } from './text.js';

/** Names of strengths and the Elo below which they end. @type {[number, string][]} */
const STRENGTHS = [[900, 'beginner'], [1400, 'casual'], [1900, 'club'], [2400, 'strong'], [Infinity, 'expert']];

const MOVE_SECONDS = [0.2, 0.5, 1, 2, 5, 10, 30];
const CLOCKS = [[1, 1], [3, 2], [5, 3], [10, 5], [15, 10], [30, 20], [60, 30]];

/** When the engine agrees to a draw: plies of the game, permille of the points from even, and milliseconds for its look. */
const DRAW_PLIES = 60;
const DRAW_MARGIN = 40;
const DRAW_TIME = 500;

/** Milliseconds in which a resignation is to be confirmed. */
const RESIGN_TIME = 5000;

/** Returns whether the board shows the start of a game without moves. */
export const isFresh = (view) => view.moves.length === 0 && view.start.split(' ')[0] === XiangqiBoard.START;

/** The date of this place as PGN writes it, such as `2026.03.01`. */
function today() {
  const now = new Date();
  const two = (number) => String(number).padStart(2, '0');
  return `${now.getFullYear()}.${two(now.getMonth() + 1)}.${two(now.getDate())}`;
}

export class PlayCard {
  /**
   * @param {import('./app.js').App} app
   * @param {{elo: [number, number]|null}} about
   */
  constructor(app, about) {
    this.app = app;
    this.elo = about.elo;
    this.element = byId('play-card');
    this.shown = '';
    this.wantsForm = true;
    this.fromHere = false;
    /** The time up to which a second click resigns. */
    this.resignUntil = 0;
    this.update = whenReleased(this.element, this.draw.bind(this));
  }

  /** @param {import('./view.js').View} view */
  draw(view) {
    const { contest } = view;
    const isForm = this.wantsForm || !contest;
    const state = JSON.stringify(isForm ? [t('play'), isFresh(view), this.fromHere, this.app.bookCard.books, Boolean(contest), Boolean(view.end), this.app.games.unfinished] : [
      t('play'), contest.running, contest.red, contest.black, Boolean(view.end), view.side, view.work,
    ]);
    if (state === this.shown) return;
    this.shown = state;
    redraw(this.element, isForm ? this.form(view) : this.controls(view));
  }

  /** Whether the person to move has only to make a move for the game of the form to begin. */
  get isMoversGame() {
    const { view, prefs } = this.app;
    return this.wantsForm && !view.contest && isFresh(view) && (prefs.side === 'red' || prefs.side === 'both');
  }

  form(view) {
    const { prefs } = this.app;
    const keep = (name) => (value) => this.app.keep(name, value);
    const sides = [['red', t('red')], ['black', t('black')], ['both', t('both'), t('bothHint')], ['neither', t('neither'), t('neitherHint')]];
    // Fields that only a game against the engine needs.
    const engineParts = make('div', { class: 'engine-parts', hidden: prefs.side === 'both' });
    /** @type {HTMLElement[]} */
    const parts = [
      make('h2', {}, t('newGame')),
      fieldGroup(t('youPlay'), segments(sides, prefs.side, (value) => { keep('side')(value); engineParts.hidden = value === 'both'; }, t('youPlay'))),
    ];
    if (this.elo) engineParts.append(this.levelField());
    const books = [['off', t('bookOff')], ...this.app.bookCard.names()];
    engineParts.append(field(t('book'), choice(books, prefs.playBook, keep('playBook'), { id: 'play-book', title: t('playBookHint') })));
    parts.push(engineParts, field(t('timeControl'), this.timeList()));
    if (!isFresh(view)) {
      parts.push(fieldGroup(t('from'), segments(
        [[false, t('fromStart')], [true, t('fromHere')]], this.fromHere,
        (value) => { this.fromHere = value; }, t('from'),
      )));
    }
    parts.push(make('button', { type: 'button', class: 'primary', id: 'start-game', onclick: () => this.start() }, t('start')));
    if (view.contest) {
      parts.push(make('button', { type: 'button', class: 'quiet', id: 'back-to-game', onclick: () => this.goBack() }, t('backToGame')));
    }
    const { unfinished } = this.app.games;
    if (isFresh(view) && !view.contest && unfinished) parts.push(this.app.games.goOnButton(unfinished));
    return parts;
  }

  /** Leaves the form for the game that is played, which goes on unless it has ended. */
  goBack() {
    this.wantsForm = false;
    if (!this.app.view.end) this.app.change('resume');
    this.app.render();
  }

  /** A slider over the levels; its right end is full strength. */
  levelField() {
    const [min, max] = this.elo;
    const step = 50;
    const end = Math.ceil((max - min) / step) + 1;
    const { prefs } = this.app;
    const eloAt = (place) => (place >= end ? null : Math.min(max, min + step * place));
    const placeOf = (elo) => (elo === null ? end : Math.round((Math.min(max, Math.max(min, elo)) - min) / step));
    const strength = (elo) => t(STRENGTHS.find(([end]) => elo < end)[1]);
    const text = (elo) => (elo === null ? t('fullStrength') : `${elo} · ${strength(elo)}`);
    const shown = make('span', {}, text(prefs.elo));
    const slider = make('input', {
      type: 'range', min: 0, max: end, value: placeOf(prefs.elo), id: 'level',
      'aria-valuetext': text(prefs.elo),
      oninput: (event) => {
        const elo = eloAt(Number(event.target.value));
        this.app.keep('elo', elo);
        fill();
        shown.textContent = text(elo);
        slider.setAttribute('aria-valuetext', text(elo));
      },
    });
    /** Colours the track up to the handle. */
    const fill = () => slider.style.setProperty('--part', String(Number(slider.value) / end));
    fill();
    return make('label', { class: 'field' }, make('span', {}, t('level')), make('span', { class: 'slide' }, slider, shown));
  }

  timeList() {
    const { prefs } = this.app;
    const list = choice([], '', (value) => this.app.keep('time', value), { id: 'time' });
    const group = (label, options) => {
      const part = make('optgroup', { label });
      for (const [value, text] of options) part.append(make('option', { value, selected: value === prefs.time }, text));
      list.append(part);
    };
    group(t('perMove'), MOVE_SECONDS.map((seconds) => [`${seconds}`, t('engineSeconds', seconds)]));
    group(t('clocks'), CLOCKS.map(([base, increment]) => [`${base}+${increment}`, t('minutes', base, increment)]));
    return list;
  }

  time() {
    const [base, increment] = this.app.prefs.time.split('+').map(Number);
    if (increment === undefined) return { move: Math.round(1000 * base) };
    return { clock: { base: 60000 * base, increment: 1000 * increment } };
  }

  start() {
    const { prefs, view: before } = this.app;
    const isByKeyboard = document.activeElement?.id === 'start-game';
    const isReplaced = !this.fromHere && !isFresh(before);
    const engine = { engine: true, elo: this.elo ? prefs.elo : null };
    const person = { engine: false };
    const isPerson = (side) => prefs.side === side || prefs.side === 'both';
    const [red, black] = [isPerson('red') ? person : engine, isPerson('black') ? person : engine];
    if (isReplaced) this.app.change('replace');
    const name = (player) => (player.engine ? 'Cannonade' : t('you'));
    const names = { red: name(red), black: name(black), date: today() };
    if (prefs.side === 'both') Object.assign(names, { red: t('red'), black: t('black') });
    this.app.change('settings', names);
    const book = prefs.playBook === 'off' || prefs.side === 'both' ? null : Number(prefs.playBook);
    if (this.app.change('play', { red, black, time: this.time(), book })) {
      this.wantsForm = false;
      this.fromHere = false;
      this.app.flip(prefs.side === 'black');
      this.app.render();
      if (isReplaced) this.app.history.replaced(before);
      // The next Enter must not press the button that has come in this place.
      if (isByKeyboard) this.app.board.focus();
    }
  }

  controls(view) {
    const { contest } = view;
    const act = (text, action, attributes = {}) => make('button', {
      type: 'button', ...attributes, onclick: () => (action === 'now' ? this.app.attempt(() => this.app.engine.now()) : this.app.change(action)),
    }, text);
    const again = make('button', { type: 'button', class: view.end ? 'primary' : 'quiet', id: 'new-game', onclick: () => this.showForm() }, t('newGame'));
    const look = make('button', { type: 'button', onclick: () => this.app.setMode('analyse') }, t('analyseGame'));
    const hasPerson = !contest.red.engine || !contest.black.engine;
    if (view.end) {
      const rematch = make('button', { type: 'button', class: 'primary', id: 'rematch', onclick: () => this.rematch() }, t('rematch'));
      again.className = 'quiet';
      return [make('div', { class: 'controls two lead' }, rematch, look, again, hasPerson ? act(t('takeBack'), 'takeback') : null)];
    }
    const isEnginesTurn = contest[view.side].engine;
    const buttons = [];
    if (contest.running) {
      if (hasPerson) buttons.push(act(t('takeBack'), 'takeback', { disabled: view.moves.length === 0, id: 'take-back' }));
      buttons.push(act(t('moveNow'), 'now', { disabled: !isEnginesTurn }));
      buttons.push(act(t('pause'), 'pause'));
      if (hasPerson) buttons.push(make('button', { type: 'button', class: 'quiet', id: 'offer-draw', onclick: () => this.offerDraw() }, t('offerDraw')), this.resignButton());
    } else {
      buttons.push(act(t('resume'), 'resume', { class: 'primary' }), look);
    }
    return [make('div', { class: contest.running ? 'controls' : 'controls two lead' }, ...buttons, again)];
  }

  /** Begins the same game with the sides swapped. */
  rematch() {
    const { app } = this;
    const { view } = app;
    const { red, black, perMove, clock, book } = app.game.contest;
    app.change('replace');
    // Two people without names have those of their sides.
    const isNamed = view.red !== t('red') || view.black !== t('black');
    app.change('settings', { ...(isNamed ? { red: view.black, black: view.red } : { red: view.red, black: view.black }), date: today() });
    app.change('play', { red: black, black: red, time: clock ? { clock } : { move: perMove }, book });
    this.wantsForm = false;
    if (red.engine !== black.engine) app.flip(red.engine === false);
    app.render();
    app.history.replaced(view);
  }

  /** People agree to a draw; the engine does so in a game that is long and even. */
  async offerDraw() {
    const { app } = this;
    const { game } = app;
    const { node, position, contest } = game;
    let isAgreed = !contest.red.engine && !contest.black.engine;
    if (!isAgreed && node.path.length >= DRAW_PLIES && !game.isEnginesTurn) {
      const asked = { ...app.engine.place(node), page: `${page} draw`, time: DRAW_TIME };
      /** @param {import('./functions.js').SearchEvent} event */
      const hear = ({ best }) => {
        const own = best?.score && (position.side === 'red' ? best.score.red : 1000 - best.score.red);
        isAgreed = Boolean(best) && own !== null && Math.abs(own - 500) <= DRAW_MARGIN;
      };
      await app.attempt(() => search('search', asked, hear, AbortSignal.timeout(20 * DRAW_TIME)));
    }
    if (!game.isRunning || game.node !== node) return;
    if (isAgreed) app.change('agree');
    else toast(t('drawDeclined'));
  }

  /** Asks once more before it resigns, also after the buttons were drawn again. */
  resignButton() {
    const button = make('button', { type: 'button', class: 'quiet', id: 'resign' });
    const asks = () => performance.now() < this.resignUntil;
    const draw = () => {
      button.textContent = t(asks() ? 'resignSure' : 'resign');
      button.classList.toggle('asks', asks());
      clearTimeout(this.resignTimer);
      if (asks()) this.resignTimer = setTimeout(draw, this.resignUntil - performance.now());
    };
    button.addEventListener('click', () => {
      const isSure = asks();
      this.resignUntil = isSure ? 0 : performance.now() + RESIGN_TIME;
      draw();
      if (isSure) this.app.change('resign');
    });
    draw();
    return button;
  }

  showForm() {
    this.wantsForm = true;
    this.app.pauseHidden();
    this.app.render();
  }
}
