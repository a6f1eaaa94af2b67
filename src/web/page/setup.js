// Setting up a position.

import { byId, field, fieldGroup, icon, make, segments } from './dom.js';
import { checkFen } from './server.js';
import { pieceName, t } from './text.js';

const PIECES = ['K', 'A', 'B', 'N', 'R', 'C', 'P'];
const SQUARES = [...'abcdefghi'].flatMap((file) => [...'0123456789'].map((rank) => file + rank));

export class SetupCard {
  constructor(app) {
    this.app = app;
    this.element = byId('setup-card');
    this.isOpen = false;
    this.language = '';
  }

  /** Begins with the position that is shown. */
  open() {
    this.isOpen = true;
    this.tool = 'hand';
    this.take(this.app.view.fen);
    this.build();
  }

  close() {
    this.isOpen = false;
  }

  update() {
    if (this.isOpen && this.language !== t('setup')) this.build();
  }

  take(fen) {
    this.pieces = XiangqiBoard.placement(fen);
    this.side = fen.trim().split(/\s+/)[1] === 'b' ? 'b' : 'w';
  }

  build() {
    this.language = t('setup');
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
      onchange: () => { this.take(this.fen.value); this.changed(); },
    });
    this.problem = make('p', { class: 'problem', role: 'status' });
    this.uses = [['analyse', 'useAnalyse'], ['play', 'usePlay']].map(([mode, text]) => make('button', {
      type: 'button', class: mode === 'analyse' ? 'primary' : '', id: `use-${mode}`, onclick: () => this.use(mode),
    }, t(text)));
    const set = (fen) => () => { this.take(`${fen} ${this.side}`); this.changed(); };
    this.element.replaceChildren(
      make('h2', {}, t('setup')),
      make('p', { class: 'hint' }, t('setupHint')),
      make('div', { class: 'palette' }, ...row(PIECES), ...row(PIECES.map((letter) => letter.toLowerCase())),
        tool('hand', t('hand'), icon('hand')), tool('eraser', t('eraser'), icon('eraser'))),
      fieldGroup(t('sideToMove'), segments([['w', t('red')], ['b', t('black')]], this.side, (side) => { this.side = side; this.changed(); }, t('sideToMove'))),
      field(t('fen'), this.fen),
      this.problem,
      make('div', { class: 'controls two' }, ...this.uses,
        make('button', { type: 'button', class: 'quiet', onclick: set(XiangqiBoard.START) }, t('startPosition')),
        make('button', { type: 'button', class: 'quiet', onclick: set('9/9/9/9/9/9/9/9/9/9') }, t('clear'))),
    );
    this.changed();
  }

  choose(tool) {
    this.tool = tool;
    for (const button of this.element.querySelectorAll('[data-tool]')) {
      button.setAttribute('aria-pressed', String(button.dataset.tool === tool));
    }
  }

  // What the board asks.

  /** A click on a square; returns whether that was all. */
  press(square) {
    if (this.tool === 'hand') return false;
    const isSame = this.pieces.get(square) === this.tool;
    if (this.tool === 'eraser' || isSame) this.pieces.delete(square);
    else {
      if (this.tool === 'K' || this.tool === 'k') {
        for (const [other, letter] of this.pieces) if (letter === this.tool) this.pieces.delete(other);
      }
      this.pieces.set(square, this.tool);
    }
    this.changed();
    return true;
  }

  targets(square) {
    return this.pieces.has(square) ? SQUARES.filter((other) => other !== square) : [];
  }

  move(from, to) {
    this.pieces.set(to, this.pieces.get(from));
    this.pieces.delete(from);
    this.changed();
  }

  drop(square) {
    this.pieces.delete(square);
    this.changed();
  }

  changed() {
    const fen = `${XiangqiBoard.placementText(this.pieces)} ${this.side}`;
    this.fen.value = fen;
    this.app.board.setPosition(fen, { animate: false });
    this.app.board.setArrows([]);
    this.app.board.setMarks([]);
    this.app.board.setLastMove(null);
    for (const [index, button] of [...this.element.querySelectorAll('.segments button')].entries()) {
      button.setAttribute('aria-pressed', String((index === 0) === (this.side === 'w')));
    }
    checkFen(fen).then(({ error }) => {
      if (this.fen.value !== fen) return;
      this.problem.textContent = error ?? '';
      for (const button of this.uses) button.disabled = Boolean(error);
    }, (error) => { this.problem.textContent = error.message; });
  }

  async use(mode) {
    if (!await this.app.change('position', { fen: this.fen.value })) return;
    const { playCard } = this.app;
    if (mode === 'play') Object.assign(playCard, { fromHere: true, wantsForm: true });
    this.app.setMode(mode);
  }
}
