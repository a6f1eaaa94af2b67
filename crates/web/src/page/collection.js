// The games of a file that has several: one after the other, and found by player, event or opening.

import { byId, icon, make, redraw } from './dom.js';
import { isChinese, sideName, t } from './text.js';

/** Games that are listed at once. */
const MOST = 200;

/** @typedef {import('./functions.js').ListedGame & {number: number}} NumberedGame */

const openingOf = ({ opening }) => opening?.[isChinese() ? 'zh' : 'en'] ?? '';

/** @param {NumberedGame} game */
function title(game) {
  const players = `${game.red || sideName('red')} – ${game.black || sideName('black')}`;
  return [players, game.result === '*' ? '' : game.result, game.event, game.date, openingOf(game)].filter((part) => part && !part.startsWith('?')).join(' · ');
}

/** The orders in which games are listed. @type {Record<string, (a: NumberedGame, b: NumberedGame) => number>} */
const ORDERS = {
  number: (a, b) => a.number - b.number,
  red: (a, b) => a.red.localeCompare(b.red) || a.number - b.number,
  black: (a, b) => a.black.localeCompare(b.black) || a.number - b.number,
  date: (a, b) => a.date.localeCompare(b.date) || a.number - b.number,
  opening: (a, b) => openingOf(a).localeCompare(openingOf(b)) || a.number - b.number,
};

export class Collection {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('collection-card');
    /** @type {Blob|null} */
    this.file = null;
    /** @type {NumberedGame[]} */
    this.games = [];
    this.count = 0;
    /** The number of the game that was opened last. */
    this.number = 0;
    this.isListed = false;
    this.search = '';
    this.order = 'number';
    this.drawn = '';
  }

  /** A game of a file was opened. @param {Blob} file @param {import('./functions.js').ReadFile} loaded @param {number} number */
  loaded(file, loaded, number) {
    if (loaded.games) {
      this.games = loaded.games.map((game, at) => ({ ...game, number: at + 1 }));
      [this.file, this.count, this.search, this.isListed] = [file, loaded.count, '', loaded.count > 1];
    }
    this.number = number;
    this.draw();
  }

  /** Another game was opened, of no collection. */
  close() {
    [this.file, this.games, this.count] = [null, [], 0];
    this.draw();
  }

  /** @param {number} number */
  async open(number) {
    await this.app.files.load(this.file, number);
  }

  /** The games that are listed, in their order. */
  found() {
    const words = this.search.toLowerCase().split(/\s+/).filter(Boolean);
    const holds = (game) => {
      const text = [game.red, game.black, game.event, game.date, game.opening?.en, game.opening?.zh].join(' ').toLowerCase();
      return words.every((word) => text.includes(word));
    };
    return this.games.filter(holds).sort(ORDERS[this.order]);
  }

  /** Goes to the next of the listed games, or the one before. @param {number} by */
  step(by) {
    const found = this.found();
    const at = found.findIndex(({ number }) => number === this.number);
    const next = found[at < 0 ? 0 : at + by];
    if (next) this.open(next.number);
  }

  draw() {
    this.element.hidden = this.count < 2;
    const state = JSON.stringify([t('collection'), this.file?.size, this.number, this.isListed, this.search, this.order]);
    if (this.element.hidden || state === this.drawn) return;
    this.drawn = state;
    const found = this.found();
    const at = found.findIndex(({ number }) => number === this.number);
    const step = (by, name, label) => make('button', {
      type: 'button', class: 'tool', id: `game-${name}`, 'aria-label': t(label), title: t(label), disabled: at >= 0 && !found[at + by], onclick: () => this.step(by),
    }, icon(name));
    /** @type {HTMLElement[]} */
    const parts = [make(
      'div',
      { class: 'collection-head' },
      step(-1, 'back', 'gameBefore'),
      make('button', { type: 'button', class: 'quiet', id: 'list-games', 'aria-expanded': String(this.isListed), onclick: () => { this.isListed = !this.isListed; this.draw(); } }, t('gameOf', this.number, this.count)),
      step(1, 'forward', 'gameAfter'),
    )];
    if (this.isListed) parts.push(...this.list(found));
    redraw(this.element, parts);
  }

  /** @param {NumberedGame[]} found */
  list(found) {
    const search = make('input', {
      type: 'search', id: 'search-games', value: this.search, placeholder: t('searchGames'), 'aria-label': t('searchGames'),
      oninput: () => { this.search = search.value; this.draw(); byId('search-games').focus(); },
    });
    const orders = make('select', { id: 'order-games', 'aria-label': t('orderGames'), onchange: () => { this.order = orders.value; this.draw(); } },
      ...Object.keys(ORDERS).map((name) => make('option', { value: name, selected: name === this.order }, t(`order${name[0].toUpperCase()}${name.slice(1)}`))));
    const rows = found.slice(0, MOST).map((game) => make('button', {
      type: 'button', 'data-number': game.number, 'aria-current': game.number === this.number ? 'true' : null, onclick: () => this.open(game.number),
    }, `${game.number}. ${title(game)}`));
    return [
      make('div', { class: 'collection-search' }, search, orders),
      make('div', { class: 'game-list' }, ...rows),
      ...(found.length > MOST ? [make('p', { class: 'hint' }, t('gamesListed', MOST, found.length))] : []),
      ...(found.length ? [] : [make('p', { class: 'empty' }, t('noGamesFound'))]),
    ];
  }
}
