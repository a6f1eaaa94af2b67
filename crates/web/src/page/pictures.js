// The shown position as a picture: copied or saved.

import { make, toast } from './dom.js';
import { fileButton } from './downloads.js';
import { picture } from './functions.js';
import { t } from './text.js';

/** The colours of the board as the pictures name them. */
function theme(prefs) {
  if (prefs.board !== 'auto') return prefs.board;
  const isDark = prefs.theme === 'dark' || (prefs.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? 'dark' : 'light';
}

/** What is drawn: the board as it is shown. @param {import('./app.js').App} app */
function pictureOptions({ prefs, board, game }) {
  const arrows = board.arrows.map(({ from, to, kind }) => `${from}${to}${kind ? `:${kind}` : ''}`);
  return {
    fen: game.position.fen, flipped: board.flipped, pieces: prefs.pieces, coordinates: board.options.coordinates, theme: theme(prefs), arrows,
    ...(game.node.move ? { last: game.node.move } : {}),
  };
}

/** The row of buttons for pictures in the dialog that saves. @param {import('./app.js').App} app */
export function pictureButtons(app) {
  const drawn = (kind) => picture({ ...pictureOptions(app), kind });
  const copyPicture = () => app.attempt(async () => {
    // The clipboard takes the promise, so that the click still counts when the picture comes.
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawn('png').then(({ body }) => body) })]);
    toast(t('copied'));
  });
  const canCopy = Boolean(navigator.clipboard && 'ClipboardItem' in window);
  const link = (kind) => fileButton(app, { id: `picture-${kind}` }, t('pictureAs', kind.toUpperCase()), () => drawn(kind));
  return make(
    'div',
    { class: 'field' },
    make('span', {}, t('picture')),
    make(
      'div',
      { class: 'controls three' },
      make('button', { type: 'button', id: 'picture-copy', disabled: !canCopy, onclick: copyPicture }, t('copyPicture')),
      link('png'),
      link('svg'),
    ),
  );
}
