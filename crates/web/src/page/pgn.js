// The game as PGN, for the time when nobody else can write it.

/** Text of a comment in PGN, which ends with the next brace. */
const commentText = (text) => (text ? ` {${text.replaceAll('}', ')')}}` : '');

/** A value of a tag. */
const quoted = (text) => text.replace(/["\\]/g, '\\$&');

/**
 * The game of a view as PGN, its moves in coordinates.
 * @param {import('./view.js').View} view
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
