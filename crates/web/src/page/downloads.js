// Files that the browser saves.

import { make } from './dom.js';
import { fileAt } from './server.js';

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
 * A link to a file of the board. The page asks for the file itself: the browser would not say why there is none, and
 * finds nothing at the address where there is no server.
 * @param {import('./app.js').App} app @param {Record<string, string>} attributes @param {string} text
 */
export function fileLink(app, attributes, text) {
  /** @type {HTMLAnchorElement} */
  const link = make('a', { ...attributes, download: '', onclick: save }, text);
  /** @param {Event} event */
  async function save(event) {
    event.preventDefault();
    const file = await app.attempt(() => fileAt(link.href));
    if (!file) return;
    const [name, content] = file;
    download(name, content);
  }
  return link;
}
