// The signs that the engine thinks: beside its name, and in the title of the tab.

import { all, make } from './dom.js';
import { t } from './text.js';

/** When the engine began, and for what. */
let began = { what: '', at: 0 };

/**
 * Whether the engine is to find the move of a side.
 * @param {import('./view.js').View} view
 * @param {'red'|'black'} side
 */
export const isThinking = (view, side) => Boolean(
  !view.end && view.side === side && view.contest?.running && view.contest[side].engine && view.work !== 'none',
);

/** Starts the count again if the engine thinks about something else. @param {import('./view.js').View} view */
function count(view) {
  const what = isThinking(view, view.side) ? String(view.node) : '';
  if (what !== began.what) began = { what, at: performance.now() };
}

const seconds = () => t('seconds', Math.floor((performance.now() - began.at) / 1000));

/** Sets the title of the tab. @param {import('./view.js').View} view @param {string} mode @param {string} status */
export function showThinking(view, mode, status) {
  count(view);
  const isPlay = mode === 'play' && (view.contest?.running || view.end);
  document.title = isPlay ? `${began.what ? '● ' : ''}${status} – Cannonade` : 'Cannonade';
}

/** The sign beside the name of a player; it counts the seconds. @param {import('./view.js').View} view */
export function thinkingSign(view) {
  count(view);
  return make('span', { class: 'thinking' }, make('i', {}), make('span', { class: 'seconds' }, seconds()));
}

setInterval(() => {
  for (const sign of all('.thinking .seconds')) sign.textContent = seconds();
}, 500);
