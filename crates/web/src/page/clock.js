// The clocks of a game.

/** @typedef {import('./rules.js').Side} Side */

/** Two clocks, one of which may run. Times are milliseconds. */
export class Clock {
  /** @param {{base: number, increment: number}} control @param {[number, number]} [left] of Red and Black at the start of a turn */
  constructor(control, [red, black] = [control.base, control.base]) {
    this.control = control;
    this.left = { red, black };
    /** Both at the start of the turn. */
    this.turn = { red, black };
    /** @type {Side|null} */
    this.ticking = null;
    this.since = 0;
    /** The side that has lost on time, and what it had when its clock began to run. @type {{side: Side, left: number}|null} */
    this.expired = null;
  }

  /** The clocks as they stood at the start of the turn. */
  atTurn() {
    return Object.assign(new Clock(this.control, [this.turn.red, this.turn.black]), { expired: this.expired });
  }

  /** @param {Side} side */
  now(side) {
    const spent = this.ticking === side ? performance.now() - this.since : 0;
    return Math.max(0, this.left[side] - spent);
  }

  /** Lets the clock of one side run. @param {Side} side @param {number} [spent] what it has run already */
  start(side, spent = 0) {
    this.stop();
    this.ticking = side;
    this.since = performance.now() - spent;
  }

  /** Stops the running clock. */
  stop() {
    if (this.ticking) this.left[this.ticking] = this.now(this.ticking);
    this.ticking = null;
  }

  /** Stops the running clock after a turn of this length, if that is less than what it shows. @param {number} spent */
  hold(spent) {
    if (!this.ticking) return;
    this.since = Math.max(this.since, performance.now() - spent);
    this.stop();
  }

  /** Ends the turn of a side, which gets its increment. @param {Side} side */
  moved(side) {
    this.stop();
    this.left[side] += this.control.increment;
    this.turn = { ...this.left };
  }

  /** Stops the running clock, which stands as before it began to run. */
  cancel() {
    this.ticking = null;
  }

  /** Makes a side lose on time. @param {Side} side */
  expire(side) {
    this.ticking = null;
    this.expired = { side, left: this.left[side] };
    this.left[side] = 0;
    this.turn = { ...this.left };
  }

  /** Gives a side that has lost on time its time back. */
  revive() {
    if (!this.expired) return;
    this.left[this.expired.side] = this.expired.left;
    this.expired = null;
    this.turn = { ...this.left };
  }
}
