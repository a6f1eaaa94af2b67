// The pieces that a side has captured, beside its name.

import { make } from './dom.js';
import { isChinese, labelled, pieceName, t } from './text.js';

const ORDER = ['r', 'n', 'c', 'p', 'b', 'a'];

function counts(fen) {
  const found = {};
  for (const letter of fen.split(' ')[0].replace(/[^a-z]/gi, '')) found[letter] = (found[letter] ?? 0) + 1;
  return found;
}

/**
 * The letters of the pieces that a side has captured since the start of the game, the strongest first.
 * @param {string} start @param {string} fen @param {'red'|'black'} side
 */
export function capturedBy(start, fen, side) {
  const [before, now] = [counts(start), counts(fen)];
  return ORDER.flatMap((kind) => {
    const letter = side === 'red' ? kind : kind.toUpperCase();
    return Array(Math.max(0, (before[letter] ?? 0) - (now[letter] ?? 0))).fill(letter);
  });
}

/** @param {string} start @param {string} fen @param {'red'|'black'} side @param {string} set the pieces of the board */
export function capturedPieces(start, fen, side, set) {
  const letters = capturedBy(start, fen, side);
  if (!letters.length) return null;
  const drawn = letters.map((letter) => {
    const svg = XiangqiBoard.svg('svg', { viewBox: '-52 -52 104 104', 'aria-hidden': 'true', class: 'xq-set' });
    const [color, kind] = XiangqiBoard.piece(letter);
    svg.append(XiangqiBoard.svg('use', { href: `#xq-${set}-${color}-${kind}` }));
    return svg;
  });
  const label = labelled(t('captured'), letters.map(pieceName).join(isChinese() ? '、' : ', '));
  return make('span', { class: 'captured', role: 'img', 'aria-label': label, title: label }, ...drawn);
}
