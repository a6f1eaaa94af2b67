// The names and clocks above and below the board.

import { capturedPieces } from './captured.js';
import { byId, make } from './dom.js';
import { sideName, t } from './text.js';
import { isThinking, thinkingSign } from './thinking.js';

export class Players {
  /**
   * @param {() => void} onFlag called when the running clock of a person has come to zero
   * @param {() => string} pieceSet the pieces of the board
   */
  constructor(onFlag, pieceSet) {
    this.onFlag = onFlag;
    this.pieceSet = pieceSet;
    /** @type {import('./view.js').View} */
    this.view = null;
    /** @type {[HTMLElement, 'red'|'black'][]} */
    this.strips = [];
    this.received = 0;
    this.hasFlagged = false;
    setInterval(() => this.tick(), 100);
  }

  /**
   * @param {import('./view.js').View} view
   * @param {boolean} isFlipped
   * @param {boolean} isNew whether the clocks are
   */
  update(view, isFlipped, isNew) {
    this.view = view;
    if (isNew) {
      this.received = performance.now();
      this.hasFlagged = false;
    }
    this.strips = [
      [byId('player-top'), isFlipped ? 'red' : 'black'],
      [byId('player-bottom'), isFlipped ? 'black' : 'red'],
    ];
    for (const [element, side] of this.strips) {
      const isTurn = view.side === side && !view.end;
      element.classList.toggle('turn', isTurn);
      const clock = make('span', { class: 'clock', 'data-side': side });
      element.replaceChildren(
        this.king(side),
        make('span', { class: 'name' }, this.name(side)),
        make('span', { class: 'detail' }, this.detail(side)),
        ...(isThinking(view, side) ? [thinkingSign(view)] : []),
        ...[capturedPieces(view.start, view.fen, side, this.pieceSet())].filter(Boolean),
        clock,
      );
    }
    this.tick();
  }

  name(side) {
    const player = this.view.contest?.[side];
    if (player) return player.engine ? 'Cannonade' : this.view[side] && this.view[side] !== 'Cannonade' ? this.view[side] : sideName(side);
    return this.view[side] || sideName(side);
  }

  /** The king of a side, as a sign for it. */
  king(side) {
    const svg = XiangqiBoard.svg('svg', { viewBox: '-50 -50 100 100', 'aria-hidden': 'true', class: `side xq-set ${side}` });
    svg.append(XiangqiBoard.svg('use', { href: `#xq-${this.pieceSet()}-${side}-king` }));
    return svg;
  }

  detail(side) {
    const player = this.view.contest?.[side];
    if (!player?.engine) return '';
    const strength = player.elo === null ? t('fullStrength') : t('elo', player.elo);
    return this.view.contest.book === null ? strength : `${strength} · ${t('withBook')}`;
  }

  /** Milliseconds that a side has now. */
  left(side) {
    const { contest } = this.view;
    const left = contest.left[side === 'red' ? 0 : 1];
    const isTicking = contest.ticking === side;
    return Math.max(0, left - (isTicking ? performance.now() - this.received : 0));
  }

  tick() {
    if (!this.view?.contest?.left) return;
    for (const [element, side] of this.strips) {
      const clock = element.querySelector('.clock');
      const left = this.left(side);
      const tenths = Math.ceil(left / 100);
      const seconds = Math.ceil(left / 1000);
      clock.textContent = tenths < 100
        ? `0:0${Math.floor(tenths / 10)}.${tenths % 10}`
        : `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
      clock.classList.toggle('running', this.view.contest.ticking === side);
      clock.classList.toggle('low', left < 20000);
      if (left === 0 && this.view.contest.ticking === side && !this.hasFlagged) {
        this.hasFlagged = true;
        this.onFlag();
      }
    }
  }
}
