// The shown position as a picture: copied or saved.

import { make, toast } from './dom.js';
import { fileLink } from './downloads.js';
import { t } from './text.js';

/** The colours of the board as the pictures name them. */
function theme(prefs) {
  if (prefs.board !== 'auto') return prefs.board;
  const isDark = prefs.theme === 'dark' || (prefs.theme === 'auto' && matchMedia('(prefers-color-scheme: dark)').matches);
  return isDark ? 'dark' : 'light';
}

/** What the server needs to draw the board as it is shown. @param {import('./app.js').App} app */
function pictureOptions({ prefs, board }) {
  const arrows = board.arrows.map(({ from, to, kind }) => `${from}${to}${kind ? `:${kind}` : ''}`);
  return { pieces: prefs.pieces, coordinates: board.options.coordinates, theme: theme(prefs), arrows: arrows.join(',') };
}

/** The row of buttons for pictures in the dialog that saves. @param {import('./app.js').App} app */
export function pictureButtons(app) {
  const address = (kind) => app.session.pictureAddress(kind, pictureOptions(app));
  const copyPicture = () => app.attempt(async () => {
    // The clipboard takes the promise, so that the click still counts when the picture comes.
    const picture = app.session.picture(address('png'));
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': picture })]);
    toast(t('copied'));
  });
  const canCopy = Boolean(navigator.clipboard && 'ClipboardItem' in window);
  const link = (kind) => fileLink(app, { class: 'button', id: `picture-${kind}`, href: address(kind) }, t('pictureAs', kind.toUpperCase()));
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
