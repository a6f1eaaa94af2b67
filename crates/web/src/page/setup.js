// Setting up a position.

import { all, byId, fieldGroup, icon, make, segments } from './dom.js';
import { checkFen } from './functions.js';
import { hideNotice, notice } from './notices.js';
import { errorText, problemText } from './problems.js';
import { tabStorage } from './storage.js';
import { pieceName, t } from './text.js';

const PIECES = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];
const SQUARES = [...'abcdefghi'].flatMap((file) => [...'0123456789'].map((rank) => file + rank));

/** Where the position is kept that is not used yet, with the one from which its set-up began. */
const DRAFT = 'setup';

/** The position that is kept, if there is one. @returns {{begun: string, fen: string}|null} */
function storedDraft() {
  try {
    return JSON.parse(tabStorage.get(DRAFT) ?? 'null');
  } catch {
    return null;
  }
}

/** Problems of a FEN whose pieces can be shown all the same. */
const OF_PIECES = ['noKing', 'tooMany', 'misplaced', 'facingKings', 'inCheck'];

/** The FEN and the moves of a text: a FEN or a position command. @param {string} text */
export function partsOf(text) {
  const [fen, moves = ''] = text.trim().replace(/^(position\s+)?(fen\s+)?/i, '').split(/(?:^|\s+)moves(?:\s+|$)/);
  return fen === 'startpos' ? [`${XiangqiBoard.START} w`, moves] : [fen, moves];
}

export class SetupCard {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.element = byId('setup-card');
    this.isOpen = false;
    /** The language and the pieces of what is drawn. */
    this.drawn = '';
    /** Positions before and after the shown one. @type {Record<'undo'|'redo', string[]>} */
    this.steps = { undo: [], redo: [] };
    this.shown = '';
    /** The check of a typed FEN, while it lasts. */
    this.reading = null;
  }

  /** Begins with the position that is shown, or with the one that was set up from it and not used. */
  open() {
    const { fen } = this.app.view;
    const draft = storedDraft();
    this.begin(fen, draft?.begun === fen ? draft.fen : fen);
    if (draft && draft.begun !== fen) this.offer(draft);
  }

  /** @param {string} begun @param {string} fen */
  begin(begun, fen) {
    this.isOpen = true;
    this.tool = 'hand';
    this.begun = begun;
    [this.steps, this.shown] = [{ undo: [], redo: [] }, ''];
    this.take(fen);
    this.build();
  }

  close() {
    this.isOpen = false;
    const draft = storedDraft();
    if (draft) this.offer(draft);
  }

  /** Offers the way back to a position that was set up. @param {{begun: string, fen: string}} draft */
  offer(draft) {
    notice('setupLeft', [['backToSetup', () => {
      if (!this.isOpen) this.app.setMode('setup');
      this.begin(this.app.view.fen, draft.fen);
      hideNotice();
    }]]);
  }

  update() {
    if (this.isOpen && this.drawn !== this.look()) this.build();
  }

  look() {
    return `${t('setup')} ${this.app.prefs.pieces}`;
  }

  take(fen) {
    const [, side = 'w', ...counters] = fen.trim().split(/\s+/);
    this.pieces = XiangqiBoard.placement(fen);
    this.side = side.toLowerCase() === 'b' ? 'b' : 'w';
    // They hold until a piece is changed.
    this.counters = counters.map((field) => ` ${field}`).join('');
  }

  /** Reads typed or pasted text as FEN. Other text stays, with the reason. */
  async read() {
    const text = this.fen.value;
    const [fen, moves] = partsOf(text);
    const { fen: found, error, problem } = await checkFen(fen, moves)
      .catch((refused) => ({ fen: null, error: errorText(refused), problem: refused.problem }));
    if (this.fen.value !== text) return;
    if (error && !OF_PIECES.includes(problem?.code)) {
      this.show(problemText(error, problem));
      return;
    }
    this.take(found ?? fen);
    this.changed();
  }

  /** Shows what is wrong; without anything the position can be used. */
  show(problem) {
    this.problem.textContent = problem;
    for (const button of this.uses) button.disabled = Boolean(problem);
  }

  build() {
    this.drawn = this.look();
    const tool = (name, label, content) => make('button', {
      type: 'button', class: 'palette-tool', 'data-tool': name, 'aria-label': label, title: label,
      'aria-pressed': String(this.tool === name),
      onclick: () => this.choose(name),
    }, content);
    const disc = (letter) => {
      const svg = XiangqiBoard.svg('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true' });
      svg.append(XiangqiBoard.svg('use', { href: this.app.board.symbol(letter) }));
      return svg;
    };
    const row = (letters) => letters.map((letter) => tool(letter, pieceName(letter), disc(letter)));
    this.fen = make('input', {
      type: 'text', id: 'fen', spellcheck: 'false', autocomplete: 'off',
      onchange: () => { this.reading = this.read(); },
    });
    this.problem = make('p', { class: 'problem', role: 'status' });
    this.uses = [['analyse', 'useAnalyse'], ['play', 'usePlay']].map(([mode, text]) => make('button', {
      type: 'button', class: mode === 'analyse' ? 'primary' : '', id: `use-${mode}`, onclick: () => this.use(mode),
    }, t(text)));
    const set = (pieces, side) => () => { this.take(`${pieces} ${side ?? this.side}`); this.changed(); };
    this.element.replaceChildren(
      make('h2', {}, t('setup')),
      make('p', { class: 'hint' }, t('setupHint')),
      make('div', { class: 'palette' }, ...row(PIECES), ...row(PIECES.map((letter) => letter.toLowerCase())),
        tool('hand', t('hand'), icon('hand')), tool('eraser', t('eraser'), icon('eraser'))),
      fieldGroup(t('sideToMove'), segments([['w', t('red')], ['b', t('black')]], this.side, (side) => this.chooseSide(side), t('sideToMove'))),
      make('label', { class: 'field whole' }, make('span', {}, t('fen')), this.fen),
      this.problem,
      make('div', { class: 'controls two' }, ...this.uses),
      make(
        'div',
        { class: 'row' },
        make('button', { type: 'button', class: 'quiet', id: 'shown-position', onclick: () => { this.take(this.begun); this.changed(); } }, t('shownPosition')),
        make('button', { type: 'button', class: 'quiet', onclick: set(XiangqiBoard.START, 'w') }, t('startPosition')),
        make('button', { type: 'button', class: 'quiet', onclick: set('9/9/9/9/9/9/9/9/9/9') }, t('clear')),
      ),
    );
    this.changed();
  }

  choose(tool) {
    this.tool = tool;
    for (const button of all('[data-tool]', this.element)) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    }
  }

  chooseSide(side) {
    this.afterReading(() => {
      this.side = side;
      this.changed();
    });
  }

  // ---- answers to the board

  /** A click on a square; returns whether that was all. */
  press(square) {
    if (this.tool === 'hand') return false;
    this.afterReading(() => this.put(square));
    return true;
  }

  /** Does something as soon as a FEN that was typed before is read. @param {() => void} act */
  async afterReading(act) {
    await this.reading;
    if (this.isOpen) act();
  }

  /** Puts the chosen piece on a square, or takes away what stands there. */
  put(square) {
    const isSame = this.pieces.get(square) === this.tool;
    if (this.tool === 'eraser' || isSame) this.pieces.delete(square);
    else {
      if (this.tool === 'K' || this.tool === 'k') {
        for (const [other, letter] of this.pieces) if (letter === this.tool) this.pieces.delete(other);
      }
      this.pieces.set(square, this.tool);
    }
    this.changedPieces();
  }

  targets(square) {
    return this.pieces.has(square) ? SQUARES.filter((other) => other !== square) : [];
  }

  move(from, to) {
    this.afterReading(() => {
      if (this.pieces.has(from)) this.pieces.set(to, this.pieces.get(from));
      this.remove(from);
    });
  }

  drop(square) {
    this.afterReading(() => this.remove(square));
  }

  remove(square) {
    this.pieces.delete(square);
    this.changedPieces();
  }

  changedPieces() {
    this.counters = '';
    this.changed();
  }

  /** Takes the last change back, or makes it again. @param {'undo'|'redo'} name */
  step(name) {
    const fen = this.steps[name].pop();
    if (!fen) return;
    this.steps[name === 'undo' ? 'redo' : 'undo'].push(this.shown);
    this.shown = fen;
    this.take(fen);
    this.changed();
  }

  /** The game for the names beside the board: a position has no players and no captured pieces. @param {import('./view.js').View} view @returns {import('./view.js').View} */
  viewOf(view) {
    if (!this.isOpen) return view;
    const fen = this.fen.value;
    return { ...view, start: fen, fen, side: this.side === 'b' ? 'black' : 'red', red: '', black: '', contest: null, end: null };
  }

  /** A king outside its palace, also while the other one is missing. @returns {string|undefined} its square */
  lostKing() {
    const isLost = ([square, letter]) => letter.toLowerCase() === 'k' && !(/[def]/.test(square) && (letter === 'K' ? /[012]/ : /[789]/).test(square[1]));
    return [...this.pieces].find(isLost)?.[0];
  }

  changed() {
    const fen = `${XiangqiBoard.placementText(this.pieces)} ${this.side}${this.counters}`;
    if (this.shown && fen !== this.shown) {
      this.steps.undo.push(this.shown);
      this.steps.redo = [];
    }
    this.shown = fen;
    if (this.isUnchanged(fen)) tabStorage.remove(DRAFT);
    else tabStorage.set(DRAFT, JSON.stringify({ begun: this.begun, fen }));
    this.fen.value = fen;
    // A FEN may be read after the set-up was left.
    if (!this.isOpen) return;
    this.app.board.setPosition(fen, { animate: false });
    this.app.board.setArrows([]);
    this.app.board.setMarks([]);
    this.app.board.setLastMove(null);
    for (const [index, button] of [...this.element.querySelectorAll('.segments button')].entries()) {
      button.setAttribute('aria-pressed', String((index === 0) === (this.side === 'w')));
    }
    checkFen(fen).then(({ error, problem }) => {
      if (this.fen.value !== fen) return;
      const lost = this.lostKing();
      this.show(lost && problem?.code !== 'misplaced' ? t('kingOutside', pieceName(this.pieces.get(lost))) : problemText(error ?? '', problem));
      const square = lost ?? (problem?.code === 'misplaced' ? problem.values[1] : null);
      this.app.board.setMarks(square ? [{ square, kind: 'victim' }] : []);
    }, (error) => { this.problem.textContent = errorText(error); });
  }

  /** Returns whether this is the position of the game from which the set-up has begun. */
  isUnchanged(fen) {
    return fen.trim() === this.begun;
  }

  /** The position becomes a new game; if nothing was changed, the game stays. */
  async use(mode) {
    await this.reading;
    if (!this.isUnchanged(this.fen.value)) {
      const checked = await this.app.attempt(() => checkFen(this.fen.value));
      if (!checked?.fen || !this.app.change('replace', { fen: checked.fen })) return;
    }
    tabStorage.remove(DRAFT);
    const { playCard } = this.app;
    if (mode === 'play') Object.assign(playCard, { fromHere: true, wantsForm: true });
    this.app.setMode(mode);
  }
}
