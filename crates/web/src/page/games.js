// The games that are kept: a list to open them from, and the last one to go on with.

import { icon, make, redraw, whenReleased } from './dom.js';
import { isChinese, sideName, t } from './text.js';

/** Games that are listed before one asks for all. */
const FIRST = 6;

/** Units of the time since a change, in seconds. @type {[Intl.RelativeTimeFormatUnit, number][]} */
const UNITS = [['year', 31557600], ['month', 2629800], ['week', 604800], ['day', 86400], ['hour', 3600], ['minute', 60]];

/** @typedef {import('./store.js').KeptGame} KeptGame */

/** The time since then in words. @param {number} milliseconds since 1970 */
function ago(milliseconds) {
  // The server's clock may be ahead.
  const seconds = Math.max(0, Date.now() - milliseconds) / 1000;
  const format = new Intl.RelativeTimeFormat(isChinese() ? 'zh' : 'en', { numeric: 'auto' });
  const [unit, length] = UNITS.find(([, length]) => seconds >= length) ?? ['second', seconds + 1];
  return format.format(-Math.floor(seconds / length), unit);
}

/** The players in a line. @param {KeptGame} game */
const names = ({ red, black }) => `${person(red) || sideName('red')} – ${person(black) || sideName('black')}`;

/** A name; that of the person who plays here in the language of the page. @param {string} name */
const person = (name) => (name === 'You' || name === '你' ? t('you') : name);

/** The number of moves of both sides. @param {number} plies */
const moveCount = (plies) => (plies > 2 || plies === 0 ? t('moveCount', Math.ceil(plies / 2)) : t('oneMove'));

/** The rest of a game in a line. @param {KeptGame} game */
function facts({ plies, result, event, is_going_on: isGoingOn, changed }) {
  const state = isGoingOn ? t('goingOn') : result === '*' ? '' : result;
  return [moveCount(plies), state, event, ago(changed)].filter(Boolean).join(' · ');
}

export class Games {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    /** @type {KeptGame[]} */
    this.list = [];
    this.removed = new Set();
    /** The keys of the games that are open in other tabs. @type {string[]} */
    this.elsewhere = [];
    this.isWhole = false;
    this.element = make('section', { class: 'kept-games', 'aria-labelledby': 'kept-title' });
    this.update = whenReleased(this.element, this.draw.bind(this));
  }

  /** Asks for the list. */
  async load() {
    this.list = await this.app.store.list().catch(() => this.list);
    this.elsewhere = await this.app.keeper.elsewhere();
    this.removed.clear();
  }

  /** The game that was played last and has not ended. */
  get unfinished() {
    const [last] = this.list.filter(({ key }) => !this.elsewhere.includes(key));
    return last?.is_going_on ? last : null;
  }

  /** The button that goes on with a game. @param {KeptGame} game */
  goOnButton(game) {
    const text = t('goOnWith', names(game), moveCount(game.plies));
    return make('button', { type: 'button', class: 'quiet', id: 'go-on', onclick: () => this.open(game.key) }, text);
  }

  /** Shows the list in the dialog that opens games. */
  async show() {
    this.isWhole = false;
    this.update();
    await this.load();
    this.update();
  }

  draw() {
    const shown = this.isWhole ? this.list : this.list.slice(0, FIRST);
    this.element.hidden = !this.list.length;
    /** @type {HTMLElement[]} */
    const parts = [
      make('h3', { id: 'kept-title' }, t('recentGames')),
      make('ul', {}, ...shown.map((game) => this.row(game))),
    ];
    if (shown.length < this.list.length) {
      parts.push(make('button', { type: 'button', class: 'quiet', id: 'all-games', onclick: () => { this.isWhole = true; this.update(); } }, t('allGames', this.list.length)));
    }
    redraw(this.element, parts);
  }

  /** @param {KeptGame} game */
  row(game) {
    if (this.removed.has(game.key)) {
      return make('li', { class: 'removed' }, make('span', {}, t('gameRemoved', names(game))), make('button', {
        type: 'button', class: 'quiet', 'data-restore': game.key, onclick: () => this.change(game, false),
      }, t('undo')));
    }
    const isShown = this.app.game.root.file?.key === game.key;
    return make(
      'li',
      {},
      make(
        'button',
        { type: 'button', class: 'kept-game', 'data-game': game.key, disabled: this.elsewhere.includes(game.key), 'aria-current': isShown ? 'true' : null, onclick: () => this.open(game.key) },
        make('span', { class: 'names' }, names(game)),
        make('span', { class: 'facts' }, [facts(game), this.elsewhere.includes(game.key) ? t('openElsewhere') : ''].filter(Boolean).join(' · ')),
      ),
      make('button', {
        type: 'button', class: 'tool', 'data-remove': game.key, 'aria-label': t('removeGame', names(game)), title: t('removeGame', names(game)), onclick: () => this.change(game, true),
      }, icon('close')),
    );
  }

  /** Removes a game from the list, or brings it back. */
  async change(game, isRemoval) {
    const { store } = this.app;
    await this.app.attempt(async () => {
      await (isRemoval ? store.remove(game.key) : store.restore(game.key));
      if (isRemoval) this.removed.add(game.key);
      else this.removed.delete(game.key);
    });
    this.update();
  }

  /** @param {string} key */
  async open(key) {
    const { app } = this;
    if (await app.attempt(() => app.keeper.open(key).then(() => true)) === null) return;
    app.files.loadDialog.close();
    app.collection.close();
    const { contest, end } = app.view;
    app.playCard.wantsForm = !contest;
    app.setMode(contest && !end ? 'play' : 'analyse');
  }
}
