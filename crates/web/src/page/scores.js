// Scores as the server sends them, from Red's view.

import { t } from './text.js';

/**
 * `line` has the moves of the best line.
 * @typedef {{cp?: number, mate?: number, rule?: number, red: number, depth: number, line?: string[]}} Score
 */

/** A short text: `+0.34`, `M5`, `-M3`. @param {Score} score */
export function scoreText(score) {
  if (score.mate === 0) return '#';
  if (score.mate !== undefined) return `${score.red < 500 ? '-' : '+'}M${Math.abs(score.mate)}`;
  if (score.rule !== undefined) return score.rule < 0 ? '-R' : '+R';
  const pawns = score.cp / 100;
  return `${pawns > 0 ? '+' : pawns < 0 ? '−' : ''}${Math.abs(pawns).toFixed(Math.abs(pawns) < 10 ? 2 : 1)}`;
}

/** The text of the bar beside the board for screen readers. @param {Score} score */
export const scoreMeaning = (score) => `${scoreText(score)}, ${t('better', Math.round(score.red / 10))}`;
