// Scores as the server sends them, from Red's view.

import { t } from './text.js';

/**
 * @typedef {{cp?: number, mate?: number, rule?: number, red: number, depth: number}} Score
 */

/** A short text: `+0.34`, `M5`, `-M3`. @param {Score} score */
export function scoreText(score) {
  if (score.mate !== undefined) return `${score.mate < 0 ? '-' : '+'}M${Math.abs(score.mate)}`;
  if (score.rule !== undefined) return score.rule < 0 ? '-R' : '+R';
  const pawns = score.cp / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(Math.abs(pawns) < 10 ? 2 : 1)}`;
}

/** The text of the bar beside the board for screen readers. @param {Score} score */
export const scoreMeaning = (score) => `${scoreText(score)}, ${t('better', Math.round(score.red / 10))}`;

/**
 * The mark of a move that loses 0.05, 0.1 or 0.2 points, as in reports: `?!`, `?` or `??`.
 * @param {Score|undefined} before @param {Score|undefined} after
 * @param {string} move @param {boolean} isRed who moved
 */
export function moveMark(before, after, move, isRed) {
  if (!before || !after || before.best === move || Math.min(before.depth, after.depth) < 6) return '';
  const loss = (isRed ? before.red - after.red : after.red - before.red) / 1000;
  return loss >= 0.2 ? '??' : loss >= 0.1 ? '?' : loss >= 0.05 ? '?!' : '';
}
