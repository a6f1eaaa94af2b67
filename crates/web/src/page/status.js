// The state of the game in words, for the line above the panel and for screen readers.

import { bannerText } from './judging.js';
import { sideName, t } from './text.js';

/** @param {import('./app.js').App} app */
export function statusText({ view, mode, awayBar, tree, learn }) {
  if (mode === 'setup') return '';
  if (awayBar.reason) return t('notConnected');
  if (learn.puzzle) return t('toMove', sideName(learn.puzzle.side));
  if (view.end) {
    const reason = t(`end${view.end.reason[0].toUpperCase()}${view.end.reason.slice(1)}`);
    const result = view.end.winner ? t('wins', sideName(view.end.winner)) : t('draw');
    return `${result} · ${reason}`;
  }
  const { contest, side } = view;
  const parts = [];
  if (mode === 'play' && contest?.running) {
    if (contest[side].engine) parts.push(t(view.work === 'waiting' ? 'waiting' : 'thinking'));
    else parts.push(contest.red.engine || contest.black.engine ? t('yourTurn') : t('toMove', sideName(side)));
  } else {
    if (mode === 'play' && contest) parts.push(t('paused'));
    parts.push(t('toMove', sideName(side)));
  }
  if (view.check) parts.push(t('check'));
  const last = tree.moves.get(view.node);
  if (mode === 'play' && last?.book) parts.push(t('fromBook', last.text));
  return parts.join(' · ');
}

/** The text for screen readers after a move: the move, the state of the game, and the ruling on a repetition. @param {import('./app.js').App} app */
export function spoken(app) {
  const { view, tree, learn } = app;
  if (learn.puzzle) return statusText(app);
  const last = view.path.length ? `${tree.moves.get(view.path.at(-1)).text}. ` : '';
  const ruling = view.repetition ? `. ${bannerText(view)}` : '';
  return last + statusText(app) + ruling;
}
