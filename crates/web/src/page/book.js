// The moves of an opening book in the shown position.

import { byId, choice, make, redraw, toast } from './dom.js';
import { bookMoves, books, openBook } from './functions.js';
import { t } from './text.js';

const percent = (share) => `${Math.round(100 * share)} %`;

/** @typedef {{id: number, name: string, moves: number, positions: number, credit: string}} Book */

export class BookCard {
  /** @param {import('./app.js').App} app @param {Book[]} list the books of the server */
  constructor(app, list) {
    this.app = app;
    this.element = byId('book-card');
    this.moves = [];
    /** The last request: book, position and notation. */
    this.asked = '';
    this.drawn = '';
    this.file = make('input', { type: 'file', hidden: true, onchange: () => this.open(this.file.files[0]) });
    this.use(list);
  }

  /** Offers these books. @param {Book[]} list */
  use(list) {
    this.books = list;
    for (const name of ['book', 'playBook']) {
      if (!this.books.some(({ id }) => String(id) === this.app.prefs[name])) this.app.keep(name, 'off');
    }
    this.app.render();
  }

  update(view) {
    const { prefs, mode } = this.app;
    if (mode !== 'analyse') return;
    this.ask(view);
    const state = JSON.stringify([prefs.book, prefs.language, this.books, this.moves]);
    if (state === this.drawn) return;
    this.drawn = state;
    const list = choice([['off', t('bookOff')], ...this.names(), ['open', t('bookOpen')]], prefs.book, (value) => this.choose(value), { id: 'book' });
    redraw(this.element, [
      make('label', { class: 'field' }, make('span', {}, t('book')), list),
      this.file,
      ...(prefs.book === 'off' ? [] : [this.table()]),
    ]);
  }

  /** The numbers and names of the books. */
  names() {
    return this.books.map(({ id, name }) => [String(id), name ? decoded(name) : t('bookBuiltIn')]);
  }

  /** Asks for the moves if they are not those that were asked for last. */
  async ask(view) {
    const { prefs } = this.app;
    const wanted = [prefs.book, view.fen, view.notation].join(' ');
    if (wanted === this.asked) return;
    this.asked = wanted;
    if (prefs.book === 'off') {
      this.moves = [];
      return;
    }
    const found = await this.app.attempt(() => bookMoves(view.fen, Number(prefs.book), view.notation));
    if (this.asked !== wanted) return;
    this.moves = found ?? [];
    this.app.render();
  }

  choose(value) {
    if (value === 'open') {
      this.drawn = '';
      this.file.value = '';
      this.file.click();
    } else {
      this.app.keep('book', value);
    }
    this.app.render();
  }

  async open(file) {
    if (!file) return;
    const book = await this.app.attempt(() => openBook(file));
    if (!book) return;
    toast(t('bookLoaded', book.moves, book.positions));
    this.app.keep('book', String(book.id));
    this.use(await this.app.attempt(books) ?? this.books);
  }

  table() {
    if (!this.moves.length) return make('p', { class: 'empty' }, t('bookEmpty'));
    const head = make('tr', {}, ...['move', 'bookShare', 'bookGames', 'bookScore'].map((name) => make('th', { scope: 'col' }, t(name))));
    const rows = this.moves.map(({ move, text, share, games, score }) => {
      const bar = make('i', {});
      bar.style.setProperty('--share', String(share));
      return make(
        'tr',
        {},
        make('td', {}, make('button', { type: 'button', class: 'line-move', 'data-book-move': move, onclick: () => this.app.playLine([move]) }, text)),
        make('td', { class: 'share' }, bar, percent(share)),
        make('td', {}, games === null ? '–' : String(games)),
        make('td', {}, score === null ? '–' : percent(score)),
      );
    });
    const credit = this.books.find(({ id }) => String(id) === this.app.prefs.book)?.credit;
    return make(
      'div',
      { class: 'book-moves' },
      make('table', {}, make('thead', {}, head), make('tbody', {}, ...rows)),
      credit ? make('p', { class: 'hint' }, credit) : null,
    );
  }
}

/** The name of a file as people read it. */
function decoded(name) {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}
