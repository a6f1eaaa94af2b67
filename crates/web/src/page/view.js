// The game as the parts of the page draw it.

/**
 * @typedef {import('./rules.js').Side} Side
 * @typedef {import('./game.js').Player} Player
 *
 * @typedef {object} ContestView
 * @property {boolean} running
 * @property {Player} red
 * @property {Player} black
 * @property {[number, number]|null} left milliseconds of Red and Black, if there are clocks
 * @property {Side|null} ticking
 * @property {number|null} book
 *
 * @typedef {object} View
 * @property {string} start
 * @property {number} first_number
 * @property {import('./tree.js').Move[]} moves
 * @property {string} comment
 * @property {number} node
 * @property {number[]} path
 * @property {string} fen
 * @property {Side} side
 * @property {string|null} check the square of the king in check
 * @property {string[]} checkers the squares of the pieces that give check
 * @property {string[]} legal
 * @property {import('./game.js').End|null} end
 * @property {import('./functions.js').Repetition|null} repetition
 * @property {string} rules
 * @property {string} notation
 * @property {Side} bottom
 * @property {string} red
 * @property {string} black
 * @property {string} event
 * @property {string} date
 * @property {string} result
 * @property {string|null} undo the kind of the change that `undo` takes back
 * @property {string|null} redo
 * @property {boolean} repeats whether a position of the shown line occurs twice
 * @property {ContestView|null} contest
 * @property {number|null} analysis the number of its lines
 * @property {[number, number]|null} sweep the positions that are done, and all
 * @property {'none'|'waiting'|'working'} work
 * @property {import('./scores.js').Score|null} start_score
 * @property {boolean} threat whether the engine looks for the threat of the side that does not move
 * @property {string|null} key the name of the file of the game
 */

/**
 * @param {import('./game.js').Game} game @param {import('./engine.js').Engine} engine
 * @returns {View}
 */
export function viewOf(game, engine) {
  const { root, node, position, contest, clock } = game;
  const { checkers } = position;
  return {
    start: root.position.fen,
    first_number: root.position.number,
    moves: root.moves.map((one) => ({
      id: one.id, parent: one.parent.id, move: one.move, text: one.text || one.move, mark: one.mark, comment: one.comment,
      glyphs: one.glyphs, assessment: one.assessment, book: one.isFromBook, score: one.score ?? undefined,
    })),
    comment: root.comment,
    node: node.id,
    path: node.path.map(({ id }) => id),
    fen: position.fen,
    side: position.side,
    check: checkers.length ? position.king : null,
    checkers,
    legal: position.legal,
    end: game.end,
    repetition: game.judgement?.repetition ?? null,
    rules: game.rules,
    notation: game.notation,
    bottom: game.bottom,
    red: game.tag('Red') || game.tag('White'),
    black: game.tag('Black'),
    event: game.tag('Event'),
    date: game.tag('Date'),
    result: game.result,
    undo: game.done.at(-1)?.kind ?? null,
    redo: game.undone.at(-1)?.kind ?? null,
    repeats: game.repeats,
    contest: contest && {
      running: game.isRunning,
      red: contest.red,
      black: contest.black,
      left: clock && [clock.now('red'), clock.now('black')],
      ticking: game.isRunning ? clock?.ticking ?? null : null,
      book: contest.book,
    },
    analysis: engine.analysis,
    sweep: engine.sweep && [engine.sweep.total - engine.sweep.left.length, engine.sweep.total],
    work: engine.work,
    start_score: root.score,
    threat: engine.threat,
    key: root.file?.key ?? null,
  };
}
