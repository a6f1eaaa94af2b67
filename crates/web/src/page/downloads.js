// Files that the browser saves.

import { make } from './dom.js';

/** Saves a text as a file. @param {string} name @param {Blob} content */
export function download(name, content) {
  const address = URL.createObjectURL(content);
  const link = make('a', { href: address, download: name, hidden: true });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(address), 10000);
}

/**
 * A button that saves a file. The page asks for the file itself, so that it can say why there is none.
 * @param {import('./app.js').App} app @param {Record<string, string>} attributes @param {string} text
 * @param {() => Promise<import('./transport.js').Answer>} ask
 */
export function fileButton(app, attributes, text, ask) {
  return make('button', {
    type: 'button',
    ...attributes,
    onclick: async () => {
      const file = await app.attempt(ask);
      if (file) download(file.name, file.body);
    },
  }, text);
}
