// The page's own copy of the game, for the time when the server is away.

import { toast } from './dom.js';
import { tabStorage } from './storage.js';
import { t } from './text.js';
import { outlivesPage } from './transport.js';

const KEY = 'copy';

/** Text of a comment in PGN, which ends with the next brace. */
const commentText = (text) => (text ? ` {${text.replaceAll('}', ')')}}` : '');

/** A value of a tag. */
const quoted = (text) => text.replace(/["\\]/g, '\\$&');

/**
 * The game of a view as PGN, its moves in coordinates.
 * @param {import('./server.js').View} view
 * @param {import('./tree.js').Tree} tree
 */
export function pgnOf(view, tree) {
  const tags = [['Game', 'Chinese Chess'], ['Event', view.event], ['Date', view.date], ['Red', view.red], ['Black', view.black], ['Result', view.result]];
  if (view.start !== `${XiangqiBoard.START} w - - 0 1`) tags.push(['FEN', view.start]);
  const head = tags.filter(([, value]) => value).map(([name, value]) => `[${name} "${quoted(value)}"]\n`).join('');
  return `${head}\n${commentText(view.comment)}${movesText(tree, 0)} ${view.result}\n`;
}

/** The moves after a node: the first one, the variations in its place, and so on. */
function movesText(tree, from) {
  let text = '';
  for (let [move, ...others] = tree.after(from); move; [move, ...others] = tree.after(move.id)) {
    text += moveText(move);
    for (const other of others) text += ` (${moveText(other)}${movesText(tree, other.id)})`;
  }
  return text;
}

const moveText = ({ move, glyphs = [], comment }) => ` ${move}${glyphs.map((glyph) => ` $${glyph}`).join('')}${commentText(comment)}`;

/** Keeps the copy as long as the tab, also when it is loaded again. */
export function keepCopy(view, tree) {
  const moves = view.path.map((id) => tree.moves.get(id).move);
  const copy = { pgn: pgnOf(view, tree), moves, bottom: view.bottom, count: view.moves.length, key: view.kept.key };
  // An older copy must not come back in its place.
  if (!tabStorage.set(KEY, JSON.stringify(copy))) tabStorage.remove(KEY);
}

/**
 * The copy of the game that this tab has shown last, with the number of its moves and the key of the server's file.
 * @returns {{pgn: string, moves: string[], bottom: string, count: number, key: string|null}|null}
 */
function keptCopy() {
  try {
    return JSON.parse(tabStorage.get(KEY) ?? 'null');
  } catch {
    return null;
  }
}

/**
 * Shows the game of this tab again when the server has forgotten it, or there is no server: from the kept file, which
 * has the clocks and the scores, too, or from the page's copy if that has more moves.
 * @param {import('./app.js').App} app
 */
export async function restoreCopy(app) {
  const copy = keptCopy();
  if (!copy) return;
  const view = copy.key ? await app.session.change('open', { key: copy.key }).catch(() => null) : null;
  if (view && view.moves.length >= copy.count) {
    app.accept(view);
    app.playCard.wantsForm = !view.contest;
    app.render();
    if (outlivesPage) toast(t('reopened'));
    return;
  }
  // A new board needs no game: one that the player begins meanwhile would be replaced.
  const isShown = copy.pgn === pgnOf(app.view, app.tree);
  if (!isShown) {
    const loaded = await app.attempt(() => app.session.load(new Blob([copy.pgn]), 1));
    if (!loaded) return;
    await app.playLine(copy.moves);
  }
  if (copy.bottom !== app.view.bottom) await app.change('settings', { bottom: copy.bottom });
  if (outlivesPage && !isShown) toast(t('restored'));
}
