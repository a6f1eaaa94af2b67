// The drawings that the page does not have from the start: other sets of pieces, other names at the edges.

/** What the page has from the start, as in `assets.rs`. */
const FIRST = { pieces: 'chinese', coordinates: ['files', 'none'] };

/** @type {Promise<void>|null} */
let loading = null;

async function load() {
  const response = await fetch('symbols.svg');
  if (!response.ok) throw new Error(response.statusText);
  const drawings = new DOMParser().parseFromString(await response.text(), 'image/svg+xml');
  document.body.prepend(document.importNode(drawings.documentElement, true));
}

/** Loads all drawings, once. What waits for them on the board appears then; without the server it is asked for again later. */
export function loadSymbols() {
  loading ??= load().catch(() => { loading = null; });
  return loading;
}

/** Loads the drawings that a board needs. @param {string} pieces a set @param {string} coordinates */
export function needSymbols(pieces, coordinates) {
  if (pieces !== FIRST.pieces || !FIRST.coordinates.includes(coordinates)) loadSymbols();
}
