// A xiangqi board for pages: shows a position, marks and arrows, and lets people move by click, by
// drag, by touch and by keyboard. It knows no rules: the page gives it the legal moves.
//
// The page must hold the symbol sheet, whose symbols are the same drawings as in the pictures, the
// theme's styles and board.css. Squares are texts such as "e2": files a to i from Red's left, ranks 0
// to 9 from Red's back rank.
'use strict';

/**
 * @typedef {{from: string, to: string, kind?: 'best'|'other'|'chase'|'protect'|'note', label?: string}} BoardArrow
 * @typedef {{square: string, kind?: 'plain'|'chaser'|'victim'|'protector'|'note', label?: string}} BoardMark
 *
 * @typedef {object} BoardOptions
 * @property {'chinese'|'simplified'|'filled'|'lettered'|'latin'|'symbols'} [pieces] what stands on the discs; the sheet must
 *   have the set; default 'chinese'
 * @property {'0-9'|'1-10'|'files'|'chinese'|'none'} [coordinates] the names at the edges; default '0-9'
 * @property {boolean} [flipped] whether Black sits below
 * @property {'light'|'dark'|'auto'} [theme] the colours of the whole page; default 'auto', those of the
 *   system
 * @property {boolean} [interactive] whether pieces can be moved; default: whether `onMove` is given
 * @property {(from: string, to: string) => (boolean|void)} [onMove] called when the user has moved a
 *   piece. The piece stays on `to` until the next `setPosition`; return `false` to put it back.
 * @property {(from: string) => string[]} [legalTargets] where the piece on a square may go; pieces
 *   without a target cannot be picked up
 * @property {(square: string) => (boolean|void)} [onSquare] called when a square is clicked or chosen
 *   with Enter, before anything else; return `true` if that is all, as when a position is set up
 * @property {(from: string) => void} [onDropOutside] called when a piece is dropped outside the board
 * @property {boolean} [drawing] whether the right button draws arrows and circles, until the position
 *   changes or the left button is pressed; with Shift or Alt in other colours
 * @property {(square: string, piece: string|null) => string} [describe] the text of a square for screen
 *   readers; `piece` is a FEN letter. Default in English, such as 'e2, red cannon'
 * @property {string} [label] the name of the board for screen readers
 */

/** The start, for a board without position. */
const XQ_START = 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR';

const XQ_NAMES = { k: 'king', a: 'advisor', b: 'bishop', n: 'knight', r: 'rook', c: 'cannon', p: 'pawn' };

/** The distance from the outermost lines to the edge, as in the symbols xq-board and xq-board-wide. */
const XQ_MARGINS = { narrow: 64, wide: 88 };

/** How far arrows stay away from the centre of a square with a piece, and of an empty one, as in pictures. */
const XQ_GAPS = { piece: 31, point: 14 };

/** How far beside a piece, and beside the tip of a shorter arrow, the control point of an arrow lies, as in pictures. */
const XQ_BENDS = { piece: 90, arrow: 60 };

/** Beside an arrow that is shorter than this stands its label, so far away. */
const XQ_SHORT = 150;
const XQ_ASIDE = 32;

/** The kinds of thick arrows, as in pictures. */
const XQ_THICK = new Set(['best', 'note']);

/** Characters of a label that are shown, as in pictures. */
const XQ_LABEL_LENGTH = 3;

/** Pixels that the pointer may move before a click becomes a drag. */
const XQ_DRAG_DISTANCE = 5;

class XiangqiBoard {
  /** The pieces at the start of a game, the first word of its FEN. */
  static START = XQ_START;

  /**
   * @param {HTMLElement} element the element that the board fills; its width decides the size
   * @param {BoardOptions} [options]
   */
  constructor(element, options = {}) {
    this.element = element;
    this.options = { pieces: 'chinese', coordinates: '0-9', theme: 'auto', ...options };
    this.flipped = Boolean(options.flipped);
    this.interactive = options.interactive ?? Boolean(options.onMove);
    /** @type {Map<string, {letter: string, node: SVGUseElement}>} the pieces by square */
    this.pieces = new Map();
    this.lastMove = null;
    this.arrows = [];
    this.marks = [];
    /** What the user has drawn. @type {{arrows: BoardArrow[], marks: BoardMark[]}} */
    this.drawn = { arrows: [], marks: [] };
    this.selected = null;
    this.targets = [];
    this.cursor = 'e0';
    this.pointer = null;
    this.build();
    this.setTheme(options.theme ?? 'auto');
    this.setPosition(XQ_START);
  }

  /**
   * Shows a position; pieces that moved since the last one glide to their squares. A piece that the user
   * has chosen or drags is let go, but not by the position that is shown already.
   * @param {string} fen the first word is enough
   * @param {{animate?: boolean}} [how]
   */
  setPosition(fen, how = {}) {
    const wanted = XiangqiBoard.placement(fen);
    this.element.classList.toggle('xq-still', how.animate === false);
    if (this.shows(wanted)) {
      this.renewChoice();
      this.labelSquares();
      return;
    }
    this.cancelDrag();
    this.drawn = { arrows: [], marks: [] };
    const free = new Map();
    const kept = new Map();
    for (const [square, piece] of this.pieces) {
      if (wanted.get(square) === piece.letter) kept.set(square, piece);
      else free.set(square, piece);
    }
    for (const [square, letter] of wanted) {
      if (kept.has(square)) continue;
      const from = XiangqiBoard.nearest(free, letter, square);
      const piece = from === null ? this.addPiece(letter, square) : free.get(from);
      free.delete(from);
      kept.set(square, piece);
    }
    for (const { node } of free.values()) {
      node.classList.add('xq-gone');
      setTimeout(() => node.remove(), 200);
    }
    this.pieces = kept;
    for (const [square, { node }] of kept) this.place(node, square);
    this.select(null);
    this.drawAnnotations();
    this.labelSquares();
  }

  /** Marks the two squares of the last move. @param {string|null} from @param {string} [to] */
  setLastMove(from, to) {
    this.lastMove = from ? [from, to] : null;
    this.drawLastMove();
  }

  /** @param {BoardArrow[]} arrows replaces all arrows */
  setArrows(arrows) {
    this.arrows = arrows;
    this.drawAnnotations();
  }

  /** @param {BoardMark[]} marks replaces all marks */
  setMarks(marks) {
    this.marks = marks;
    this.drawAnnotations();
  }

  /** Turns the board round. @param {boolean} [flipped] */
  flip(flipped = !this.flipped) {
    this.flipped = flipped;
    this.redraw();
  }

  /** Lets the user move pieces, or not. @param {boolean} interactive */
  setInteractive(interactive) {
    this.interactive = interactive;
    this.select(null);
    this.element.classList.toggle('xq-interactive', interactive);
    this.labelSquares();
  }

  /** @param {BoardOptions['pieces']} pieces */
  setPieces(pieces) {
    this.options.pieces = pieces;
    this.drawGround();
    for (const { letter, node } of this.pieces.values()) node.setAttribute('href', this.symbol(letter));
  }

  /** @param {BoardOptions['coordinates']} coordinates */
  setCoordinates(coordinates) {
    this.options.coordinates = coordinates;
    this.redraw();
  }

  /** Sets the colours of the page. @param {'light'|'dark'|'auto'} theme */
  setTheme(theme) {
    const classes = document.documentElement.classList;
    classes.toggle('xq-light', theme === 'light');
    classes.toggle('xq-dark', theme === 'dark');
  }

  /** Writes the names of the squares again, after the page's language has changed. */
  setDescription(describe, label = this.options.label) {
    this.options.describe = describe;
    this.options.label = label;
    this.grid.setAttribute('aria-label', label ?? 'Xiangqi board');
    this.labelSquares();
  }

  /** Moves the focus to the square where the keyboard is. */
  focus() {
    this.cells.get(this.cursor).focus({ preventScroll: true });
  }

  /** Makes screen readers read a text. @param {string} text */
  announce(text) {
    this.live.textContent = text;
  }

  /** Whether these pieces are on the board and no others. @param {Map<string, string>} wanted letters by square */
  shows(wanted) {
    if (wanted.size !== this.pieces.size) return false;
    for (const [square, letter] of wanted) if (this.pieces.get(square)?.letter !== letter) return false;
    return true;
  }

  /** Keeps the chosen piece if it still has targets, which may be others. */
  renewChoice() {
    if (!this.selected) return;
    if (this.targetsOf(this.selected).length > 0) {
      this.select(this.selected);
    } else {
      this.cancelDrag();
      this.select(null);
    }
  }

  // ---- drawing

  build() {
    const { element } = this;
    element.classList.add('xq');
    element.textContent = '';
    this.svg = XiangqiBoard.svg('svg', { 'aria-hidden': 'true', focusable: 'false' });
    this.layers = {};
    for (const name of ['ground', 'last', 'hints', 'pieces', 'annotations', 'dragged']) {
      this.layers[name] = XiangqiBoard.svg('g', { class: `xq-${name === 'dragged' ? 'pieces' : name}` });
      this.svg.append(this.layers[name]);
    }
    this.grid = document.createElement('div');
    this.grid.className = 'xq-squares';
    this.grid.setAttribute('role', 'grid');
    this.grid.setAttribute('aria-label', this.options.label ?? 'Xiangqi board');
    this.live = document.createElement('div');
    this.live.className = 'xq-spoken';
    this.live.setAttribute('aria-live', 'polite');
    element.append(this.svg, this.grid, this.live);
    element.classList.toggle('xq-interactive', this.interactive);
    element.addEventListener('pointerdown', (event) => this.press(event));
    element.addEventListener('pointermove', (event) => this.drag(event));
    element.addEventListener('pointerup', (event) => this.release(event));
    element.addEventListener('pointercancel', () => this.cancelDrag());
    element.addEventListener('contextmenu', (event) => { if (this.options.drawing) event.preventDefault(); });
    this.grid.addEventListener('keydown', (event) => this.key(event));
    this.drawGround();
    this.buildSquares();
  }

  drawGround() {
    const { coordinates, pieces } = this.options;
    const isWide = coordinates !== 'none';
    this.margin = isWide ? XQ_MARGINS.wide : XQ_MARGINS.narrow;
    const [width, height] = [800 + 2 * this.margin, 900 + 2 * this.margin];
    this.svg.setAttribute('viewBox', `${-this.margin} ${-this.margin} ${width} ${height}`);
    this.layers.ground.replaceChildren(
      XiangqiBoard.svg('use', { href: isWide ? '#xq-board-wide' : '#xq-board' }),
      XiangqiBoard.svg('use', { href: pieces === 'simplified' ? '#xq-river-simplified' : '#xq-river' }),
      XiangqiBoard.svg('use', { href: `#xq-coordinates-${coordinates}${this.flipped ? '-flipped' : ''}` }),
    );
  }

  /** Everything on its new square, without gliding. The square that has the focus keeps it. */
  redraw() {
    const hadFocus = this.grid.contains(document.activeElement);
    this.element.classList.add('xq-still');
    this.drawGround();
    for (const [square, { node }] of this.pieces) this.place(node, square);
    this.select(null);
    this.drawLastMove();
    this.drawAnnotations();
    this.buildSquares();
    if (hadFocus) this.cells.get(this.cursor).focus();
  }

  /** The centre of a square in the units of the drawing. @returns {[number, number]} */
  point(square) {
    const [file, rank] = [square.charCodeAt(0) - 97, Number(square[1])];
    return this.flipped ? [100 * (8 - file), 100 * rank] : [100 * file, 100 * (9 - rank)];
  }

  place(node, square) {
    const [x, y] = this.point(square);
    node.style.transform = `translate(${x}px, ${y}px)`;
  }

  addPiece(letter, square) {
    const node = XiangqiBoard.svg('use', { href: this.symbol(letter) });
    this.place(node, square);
    this.layers.pieces.append(node);
    return { letter, node };
  }

  symbol(letter) {
    return `#xq-${this.options.pieces}-${XiangqiBoard.piece(letter).join('-')}`;
  }

  drawLastMove() {
    this.layers.last.replaceChildren(...(this.lastMove ?? []).map((square) => {
      const [x, y] = this.point(square);
      return XiangqiBoard.svg('use', { href: '#xq-last-move', x, y });
    }));
  }

  drawAnnotations() {
    const drawings = [];
    const labels = [];
    for (const { square, kind = 'plain', label } of [...this.marks, ...this.drawn.marks]) {
      const [x, y] = this.point(square);
      drawings.push(XiangqiBoard.svg('use', { href: `#xq-mark-${kind}`, x, y }));
      if (label) labels.push(XiangqiBoard.badge(label, kind, x + 38, y - 38));
    }
    const arrows = [...this.arrows, ...this.drawn.arrows];
    for (const arrow of arrows) {
      const { kind = 'best', label } = arrow;
      const { shaft, tip, angle, middle } = this.course(arrow, arrows);
      const group = XiangqiBoard.svg('g', { opacity: '.88' });
      const line = XiangqiBoard.svg('path', { d: shaft, fill: 'none', 'stroke-width': XQ_THICK.has(kind) ? 14 : 9, class: `xq-line-${kind}` });
      if (kind === 'protect') line.setAttribute('stroke-dasharray', '16 9');
      const head = XiangqiBoard.svg('use', { href: `#xq-head-${kind}`, transform: `translate(${tip}) rotate(${angle})` });
      group.append(line, head);
      drawings.push(group);
      if (label) labels.push(XiangqiBoard.badge(label, kind, ...middle));
    }
    this.layers.annotations.replaceChildren(...drawings, ...labels);
  }

  /**
   * The course of an arrow: from beside the character of one square to beside that of the other. It bends
   * around a piece between them, and where it would lie on a shorter arrow.
   * @param {BoardArrow} arrow
   * @param {BoardArrow[]} arrows all arrows
   */
  course({ from, to }, arrows) {
    const [[x, y], [toX, toY]] = [this.point(from), this.point(to)];
    const length = Math.hypot(toX - x, toY - y) || 1;
    const [dx, dy] = [(toX - x) / length, (toY - y) / length];
    /** The parts of the way at which squares lie on it. @param {Iterable<string>} squares */
    const partsOf = (squares) => [...squares].flatMap((square) => {
      const [px, py] = this.point(square);
      const along = (px - x) * dx + (py - y) * dy;
      return along > 1 && along < length - 1 && Math.abs((px - x) * dy - (py - y) * dx) < 1 ? [along / length] : [];
    });
    const pieces = partsOf(this.pieces.keys());
    const tips = partsOf(arrows.filter((other) => other.from === from).map((other) => other.to));
    const passed = pieces.length ? pieces : tips;
    const bend = pieces.length ? XQ_BENDS.piece : tips.length ? XQ_BENDS.arrow : 0;
    const part = passed.length ? passed.reduce((sum, one) => sum + one) / passed.length : 0.5;
    // The point that the curve is drawn to, at the left of the way.
    const [controlX, controlY] = [x + part * length * dx + bend * dy, y + part * length * dy - bend * dx];
    const out = Math.hypot(controlX - x, controlY - y);
    const [outX, outY] = [(controlX - x) / out, (controlY - y) / out];
    const into = Math.hypot(toX - controlX, toY - controlY);
    const [inX, inY] = [(toX - controlX) / into, (toY - controlY) / into];
    const aside = length < XQ_SHORT ? XQ_ASIDE : 0;
    const gap = this.pieces.has(to) ? XQ_GAPS.piece : XQ_GAPS.point;
    const at = (distance) => [toX - distance * inX, toY - distance * inY].map((value) => value.toFixed(1)).join(' ');
    return {
      shaft: `M${x + XQ_GAPS.piece * outX} ${y + XQ_GAPS.piece * outY}Q${controlX} ${controlY} ${at(gap + 30)}`,
      tip: at(gap),
      angle: Math.atan2(inY, inX) * 180 / Math.PI,
      // The label of a short arrow stands beside it, since it would hide it.
      middle: [(x + 2 * controlX + toX) / 4 + aside * dy, (y + 2 * controlY + toY) / 4 - aside * dx],
    };
  }

  /** Shows which piece is chosen and where it may go. @param {string|null} square */
  select(square) {
    this.selected = square;
    this.targets = square ? this.targetsOf(square) : [];
    const hints = [];
    if (square) {
      const [cx, cy] = this.point(square);
      hints.push(XiangqiBoard.svg('circle', { cx, cy, r: 54, class: 'xq-selected' }));
    }
    for (const target of this.targets) {
      const [cx, cy] = this.point(target);
      const isCapture = this.pieces.has(target);
      hints.push(XiangqiBoard.svg('circle', { cx, cy, r: isCapture ? 50 : 15, class: isCapture ? 'xq-capture' : 'xq-target' }));
    }
    this.layers.hints.replaceChildren(...hints);
    for (const [name, cell] of this.cells ?? []) {
      cell.setAttribute('aria-selected', String(name === square));
    }
  }

  targetsOf(square) {
    return this.options.legalTargets?.(square) ?? [];
  }

  // ---- the squares for keyboards and screen readers

  buildSquares() {
    this.cells = new Map();
    const [width, height] = [800 + 2 * this.margin, 900 + 2 * this.margin];
    const rows = [];
    for (let row = 0; row < 10; row += 1) {
      const line = document.createElement('div');
      line.setAttribute('role', 'row');
      for (let column = 0; column < 9; column += 1) {
        const cell = document.createElement('div');
        cell.setAttribute('role', 'gridcell');
        cell.style.left = `${100 * (this.margin + 100 * column) / width}%`;
        cell.style.top = `${100 * (this.margin + 100 * row) / height}%`;
        cell.style.width = `${9200 / width}%`;
        cell.style.height = `${9200 / height}%`;
        const square = this.squareAt(column, row);
        cell.dataset.square = square;
        this.cells.set(square, cell);
        line.append(cell);
      }
      rows.push(line);
    }
    this.grid.replaceChildren(...rows);
    this.labelSquares();
  }

  squareAt(column, row) {
    const [file, rank] = this.flipped ? [8 - column, row] : [column, 9 - row];
    return String.fromCharCode(97 + file) + rank;
  }

  labelSquares() {
    const describe = this.options.describe ?? XiangqiBoard.describe;
    for (const [square, cell] of this.cells) {
      const letter = this.pieces.get(square)?.letter ?? null;
      cell.setAttribute('aria-label', describe(square, letter));
      if (this.interactive) cell.tabIndex = square === this.cursor ? 0 : -1;
      else cell.removeAttribute('tabindex');
    }
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (!this.interactive || event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
    const step = steps[event.key];
    if (step) {
      const [x, y] = this.point(this.cursor);
      const column = Math.min(8, Math.max(0, x / 100 + step[0]));
      const row = Math.min(9, Math.max(0, y / 100 + step[1]));
      this.cursor = this.squareAt(column, row);
      this.labelSquares();
      this.cells.get(this.cursor).focus();
    } else if (event.key === 'Enter' || event.key === ' ') {
      const { square } = /** @type {HTMLElement} */ (event.target).dataset;
      this.cursor = square;
      this.choose(square);
    } else if (event.key === 'Escape' && (this.selected || this.drawn.arrows.length || this.drawn.marks.length)) {
      this.select(null);
      this.clearDrawn();
    } else {
      return;
    }
    event.preventDefault();
    event.stopPropagation();
  }

  // ---- mouse and touch

  /** The square under the pointer, or null. */
  squareUnder(event) {
    const box = this.svg.getBoundingClientRect();
    const unit = (800 + 2 * this.margin) / box.width;
    const column = Math.round(((event.clientX - box.left) * unit - this.margin) / 100);
    const row = Math.round(((event.clientY - box.top) * unit - this.margin) / 100);
    return column >= 0 && column <= 8 && row >= 0 && row <= 9 ? this.squareAt(column, row) : null;
  }

  press(event) {
    if (event.button === 2 && this.options.drawing) {
      this.drawnFrom = this.squareUnder(event);
      return;
    }
    if (event.button === 0) this.clearDrawn();
    if (!this.interactive || !event.isPrimary || event.button !== 0) return;
    const square = this.squareUnder(event);
    if (!square) return;
    this.cancelDrag();
    // Without the default action no field would lose the focus, and what is typed there would not be heard.
    const { activeElement } = document;
    if (activeElement instanceof HTMLElement && !this.element.contains(activeElement)) activeElement.blur();
    event.preventDefault();
    this.cursor = square;
    this.labelSquares();
    this.pointer = { square, x: event.clientX, y: event.clientY, isDrag: false };
    this.element.setPointerCapture(event.pointerId);
  }

  drag(event) {
    const { pointer } = this;
    if (!pointer) {
      if (this.interactive && event.pointerType === 'mouse') {
        const square = this.squareUnder(event);
        const canMove = square && (this.targets.includes(square) || this.targetsOf(square).length > 0);
        this.svg.classList.toggle('xq-can-move', Boolean(canMove));
      }
      return;
    }
    if (!pointer.isDrag) {
      const isFar = Math.hypot(event.clientX - pointer.x, event.clientY - pointer.y) > XQ_DRAG_DISTANCE;
      if (!isFar || !this.pieces.has(pointer.square) || this.targetsOf(pointer.square).length === 0) return;
      pointer.isDrag = true;
      this.select(pointer.square);
      const { node } = this.pieces.get(pointer.square);
      node.classList.add('xq-dragged');
      this.layers.dragged.append(node);
      this.element.classList.add('xq-dragging');
    }
    const box = this.svg.getBoundingClientRect();
    const unit = (800 + 2 * this.margin) / box.width;
    const [x, y] = [event.clientX - box.left, event.clientY - box.top].map((at) => at * unit - this.margin);
    this.pieces.get(pointer.square).node.style.transform = `translate(${x}px, ${y}px) scale(1.08)`;
  }

  release(event) {
    // The last one of two pressed buttons ends a drag, whichever that is.
    if (event.button === 2 && !this.pointer) {
      this.draw(this.drawnFrom, this.squareUnder(event), event);
      this.drawnFrom = null;
      return;
    }
    const { pointer } = this;
    if (!pointer) return;
    const square = this.squareUnder(event);
    if (!pointer.isDrag) {
      this.pointer = null;
      if (square) this.choose(square);
      return;
    }
    const from = pointer.square;
    this.endDrag();
    if (square && this.targets.includes(square)) this.play(from, square);
    else {
      this.place(this.pieces.get(from).node, from);
      if (square !== from) this.select(null);
      if (!square) this.options.onDropOutside?.(from);
    }
  }

  /** Draws an arrow or a circle of the user; the same once more removes it. */
  draw(from, to, { shiftKey, altKey }) {
    if (!from || !to) return;
    const [arrow, mark] = shiftKey ? ['chase', 'victim'] : altKey ? ['protect', 'protector'] : ['note', 'note'];
    const { drawn } = this;
    const toggle = (list, wanted, isSame) => {
      const at = list.findIndex(isSame);
      const isGone = at >= 0 && list.splice(at, 1)[0].kind === wanted.kind;
      if (!isGone) list.push(wanted);
    };
    if (from === to) toggle(drawn.marks, { square: to, kind: mark }, (other) => other.square === to);
    else toggle(drawn.arrows, { from, to, kind: arrow }, (other) => other.from === from && other.to === to);
    this.drawAnnotations();
  }

  clearDrawn() {
    if (this.drawn.arrows.length + this.drawn.marks.length === 0) return;
    this.drawn = { arrows: [], marks: [] };
    this.drawAnnotations();
  }

  endDrag() {
    const { node } = this.pieces.get(this.pointer.square);
    node.classList.remove('xq-dragged');
    this.layers.pieces.append(node);
    this.element.classList.remove('xq-dragging');
    this.pointer = null;
  }

  cancelDrag() {
    if (this.pointer?.isDrag) {
      const { square } = this.pointer;
      this.endDrag();
      this.place(this.pieces.get(square).node, square);
      this.select(null);
    }
    this.pointer = null;
  }

  /** A click on a square, or Enter. */
  choose(square) {
    if (this.options.onSquare?.(square)) return;
    if (this.selected && this.targets.includes(square)) this.play(this.selected, square);
    else if (square !== this.selected && this.targetsOf(square).length > 0) this.select(square);
    else this.select(null);
  }

  play(from, to) {
    this.select(null);
    const { pieces } = this;
    const [piece, captured] = [pieces.get(from), pieces.get(to)];
    if (piece) {
      pieces.delete(from);
      pieces.set(to, piece);
      this.layers.pieces.append(piece.node);
      this.place(piece.node, to);
      captured?.node.remove();
    }
    if (this.options.onMove?.(from, to) !== false || !piece || pieces !== this.pieces) return;
    pieces.delete(to);
    pieces.set(from, piece);
    this.place(piece.node, from);
    if (captured) {
      pieces.set(to, captured);
      this.layers.pieces.append(captured.node);
    }
  }

  // ---- helpers without a board

  /** The pieces of a FEN by square. @param {string} fen @returns {Map<string, string>} */
  static placement(fen) {
    const pieces = new Map();
    const ranks = fen.trim().split(/\s+/)[0].split('/');
    ranks.slice(0, 10).forEach((text, row) => {
      let file = 0;
      for (const c of text) {
        if (c >= '1' && c <= '9') file += Number(c);
        else {
          const letter = c.replace(/[hH]/, c === 'h' ? 'n' : 'N').replace(/[eE]/, c === 'e' ? 'b' : 'B');
          if (file < 9 && XQ_NAMES[letter.toLowerCase()]) {
            pieces.set(String.fromCharCode(97 + file) + (9 - row), letter);
          }
          file += 1;
        }
      }
    });
    return pieces;
  }

  /** The first word of a FEN with these pieces. @param {Map<string, string>} pieces letters by square */
  static placementText(pieces) {
    const ranks = [];
    for (let rank = 9; rank >= 0; rank -= 1) {
      let text = '';
      for (const file of 'abcdefghi') text += pieces.get(file + rank) ?? '1';
      ranks.push(text.replace(/1+/g, (ones) => String(ones.length)));
    }
    return ranks.join('/');
  }

  /** Side and kind of a FEN letter, such as `['red', 'cannon']`. @param {string} letter */
  static piece(letter) {
    return [letter === letter.toUpperCase() ? 'red' : 'black', XQ_NAMES[letter.toLowerCase()]];
  }

  /** The square of the nearest free piece of this letter, or null. */
  static nearest(free, letter, square) {
    let best = null;
    let least = Infinity;
    for (const [from, piece] of free) {
      const distance = Math.hypot(from.charCodeAt(0) - square.charCodeAt(0), from[1] - square[1]);
      if (piece.letter === letter && distance < least) [best, least] = [from, distance];
    }
    return best;
  }

  /** The default text of a square. */
  static describe(square, letter) {
    return letter ? `${square}, ${XiangqiBoard.piece(letter).join(' ')}` : square;
  }

  static badge(text, kind, x, y) {
    const characters = [...String(text)].slice(0, XQ_LABEL_LENGTH);
    const shown = characters.join('');
    // Letters and digits of 25 units take about 14 of them, Chinese characters all.
    const width = characters.reduce((sum, c) => sum + (c > '\u2e80' ? 25 : 14), 0);
    const half = Math.max(17, 9 + width / 2);
    const group = XiangqiBoard.svg('g', {});
    const words = XiangqiBoard.svg('text', { x, y, class: 'xq-badge' });
    words.textContent = shown;
    group.append(
      XiangqiBoard.svg('rect', { x: x - half, y: y - 17, width: 2 * half, height: 34, rx: 17, class: `xq-fill-${kind}` }),
      words,
    );
    return group;
  }

  static svg(name, attributes) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }
}

Object.assign(globalThis, { XiangqiBoard });
