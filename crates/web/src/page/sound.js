// The sound of a move: wood on wood, made here, so that nothing has to be loaded.

/** @typedef {'move'|'capture'|'check'|'end'} Heard */

const piecesOf = (view) => view.fen.split(' ')[0].replace(/[^a-z]/gi, '').length;

/**
 * What is to be heard when a view follows another: only a move that has just been made or stepped to.
 * @param {import('./view.js').View} before
 * @param {import('./view.js').View} after
 * @returns {Heard|null}
 */
export function soundOf(before, after) {
  const isStep = after.path.length === before.path.length + 1 && before.path.every((node, ply) => node === after.path[ply]);
  if (!isStep || before.start !== after.start) return before.end || !after.end ? null : 'end';
  if (after.end) return 'end';
  if (after.check) return 'check';
  return piecesOf(after) < piecesOf(before) ? 'capture' : 'move';
}

export class Sound {
  /** @param {() => boolean} isWanted */
  constructor(isWanted) {
    /** @type {AudioContext|null} */
    this.context = null;
    // Browsers let a page be heard only after the first click or key; in Safari that itself has to begin it, and again after a call.
    for (const kind of ['pointerup', 'keydown']) addEventListener(kind, () => { if (isWanted()) this.begin(); }, true);
  }

  begin() {
    try {
      this.context ??= new AudioContext();
    } catch {
      // A browser may have no sound, and refuse it.
      return;
    }
    if (this.context.state !== 'running') this.context.resume().catch(() => {});
  }

  /** @param {Heard} heard */
  play(heard) {
    this.begin();
    if (this.context?.state !== 'running') return;
    const now = this.context.currentTime;
    this.knock(now, 1);
    if (heard === 'capture') this.knock(now + 0.07, 0.7);
    if (heard === 'check') this.tone(now + 0.03, 740, 0.25);
    if (heard === 'end') for (const [at, pitch] of [[0.05, 523], [0.2, 392]]) this.tone(now + at, pitch, 0.5);
  }

  /** A piece that is set down: a short noise with the pitch of a thin board. */
  knock(at, strength) {
    const { context } = this;
    const length = Math.round(context.sampleRate * 0.06);
    const buffer = context.createBuffer(1, length, context.sampleRate);
    const samples = buffer.getChannelData(0);
    for (let i = 0; i < length; i += 1) samples[i] = (2 * Math.random() - 1) * Math.exp(-9 * i / length);
    const noise = new AudioBufferSourceNode(context, { buffer });
    const filter = new BiquadFilterNode(context, { type: 'bandpass', frequency: 1150, Q: 2.2 });
    noise.connect(filter).connect(new GainNode(context, { gain: 0.9 * strength })).connect(context.destination);
    noise.start(at);
  }

  /** A soft tone that fades. */
  tone(at, pitch, seconds) {
    const { context } = this;
    const source = new OscillatorNode(context, { type: 'triangle', frequency: pitch });
    const volume = new GainNode(context, { gain: 0.12 });
    volume.gain.setValueAtTime(0.12, at);
    volume.gain.exponentialRampToValueAtTime(0.001, at + seconds);
    source.connect(volume).connect(context.destination);
    source.start(at);
    source.stop(at + seconds);
  }
}
