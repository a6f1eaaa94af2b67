// The game of the page: what is played, taken back, undone and kept.

import assert from 'node:assert/strict';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';

globalThis.XiangqiBoard = { START: 'rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR' };
const { Game, Root } = await import(pathToFileURL(join(process.argv[2], 'game.js')).href);

const PERSON = { engine: false };
const ENGINE = { engine: true, elo: 1500 };

function played(moves) {
  const game = new Game();
  for (const move of moves.split(' ')) game.move({ move });
  return game;
}

const movesOf = (game) => game.root.moves.map(({ move }) => move).join(' ');
const path = (game) => game.node.path.map(({ move }) => move).join(' ');
/** What a change can change. */
const content = (game) => JSON.stringify([game.state(), game.result]);

test('a move goes along the line, another one is a variation, and a variation becomes the main line', () => {
  const game = played('h2e2 h9g7 h0g2');
  game.goto({ to: 'start' });
  game.move({ move: 'h2e2' });
  game.move({ move: 'b9c7' });
  assert.equal(movesOf(game), 'h2e2 h9g7 h0g2 b9c7');
  game.promote({ node: game.node.id });
  assert.equal(movesOf(game), 'h2e2 b9c7 h9g7 h0g2');
  game.remove({ node: 2 });
  assert.equal(movesOf(game), 'h2e2 b9c7');
  assert.throws(() => game.goto({ to: 3 }), { message: /no such move/ });
  assert.throws(() => game.move({ move: 'h2h8' }), { problem: { code: 'notMove', values: [] } });
});

test('a variation is promoted by one step', () => {
  const game = played('h2e2');
  for (const move of ['h9g7', 'b9c7', 'c6c5']) {
    game.goto({ to: 1 });
    game.move({ move });
  }
  game.promote({ node: game.node.id, by: 1 });
  assert.equal(movesOf(game), 'h2e2 h9g7 c6c5 b9c7');
});

test('every change is undone and made again', () => {
  const game = played('h2e2 h9g7 h0g2');
  const changes = [
    () => game.goto({ to: 1 }) ?? game.move({ move: 'b9c7' }),
    () => game.promote({ node: 4 }),
    () => game.annotate({ node: 4, comment: 'a comment', glyphs: [1] }),
    () => game.settings({ red: 'Hu', date: '2026.03.01', result: '1-0' }),
    () => game.remove({ node: 2 }),
    () => game.play({ red: PERSON, black: PERSON, time: { clock: { base: 60000, increment: 1000 } } }),
    () => game.move({ move: 'h0g2' }),
    () => game.takeback(),
    () => game.resign(),
    () => game.replace({ fen: '3k5/9/9/9/9/9/9/9/4A4/R3K4 w' }),
    () => game.move({ move: 'a0a9' }),
  ];
  const states = [];
  for (const change of changes) {
    change();
    states.push(content(game));
  }
  for (const state of states.slice(0, -1).reverse()) {
    game.undo();
    assert.equal(content(game), state);
  }
  for (const state of states.slice(1)) {
    game.redo();
    assert.equal(content(game), state);
  }
  while (game.done.length) game.undo();
  assert.equal(movesOf(game), '');
  assert.throws(() => game.undo(), { problem: { code: 'nothingToUndo', values: [] } });
});

test('the moves of a game that is played become the main line, and a checkmate ends it', () => {
  const game = new Game();
  game.replace({ fen: '3k5/9/9/9/9/9/9/9/R8/1R3K3 w' });
  game.move({ move: 'b0b8' });
  game.goto({ to: 'start' });
  game.play({ red: PERSON, black: PERSON, time: { move: 1000 } });
  game.move({ move: 'a1a8' });
  assert.equal(movesOf(game), 'a1a8 b0b8');
  game.move({ move: 'd9e9' });
  game.move({ move: 'b0b9' });
  assert.deepEqual([game.isRunning, game.result, game.end.reason], [false, '1-0', 'checkmate']);
  game.undo();
  assert.deepEqual([game.result, game.end], ['*', null]);
});

test('the judge ends a game with the move that it judges, and both are undone at once', () => {
  const game = new Game();
  game.play({ red: PERSON, black: PERSON, time: { move: 1000 } });
  game.move({ move: 'h2e2' });
  const end = { winner: 'black', reason: 'repetition', text: 'black wins' };
  game.judged(game.node, { rules: 'WXF', end, repetition: null });
  assert.deepEqual([game.isRunning, game.result], [false, '0-1']);
  game.undo();
  assert.deepEqual([movesOf(game), game.result], ['', '*']);
});

test('a move is taken back with the reply, and what was loaded stays', () => {
  const game = played('h2e2 h9g7');
  game.play({ red: PERSON, black: ENGINE, time: { move: 1000 } });
  game.move({ move: 'h0g2' });
  assert.throws(() => game.move({ move: 'i9h9' }), { problem: { code: 'enginesTurn', values: [] } });
  game.make('i9h9');
  game.takeback();
  assert.deepEqual([path(game), movesOf(game), game.isRunning], ['h2e2 h9g7', 'h2e2 h9g7', true]);
  game.takeback();
  assert.equal(path(game), 'h2e2 h9g7', 'no move before the start of the game is taken back');
});

test('a resignation is shown only where the game was resigned, and who plays on ends the contest', () => {
  const game = new Game();
  game.play({ red: PERSON, black: ENGINE, time: { move: 1000 } });
  game.move({ move: 'h2e2' });
  game.resign();
  assert.deepEqual([game.end.text, game.result], ['black wins by resignation', '0-1']);
  game.goto({ to: 'start' });
  assert.equal(game.end, null);
  game.move({ move: 'b2e2' });
  assert.deepEqual([game.contest, game.forfeit], [null, null]);
  const engines = new Game();
  engines.play({ red: ENGINE, black: ENGINE, time: { move: 1000 } });
  assert.throws(() => engines.resign(), { problem: { code: 'nobodyResigns', values: [] } });
});

test('clocks run, gain their increment, and end the game; undoing gives the time back', async () => {
  const game = new Game();
  game.play({ red: PERSON, black: PERSON, time: { clock: { base: 60, increment: 1000 } } });
  game.move({ move: 'h2e2' });
  assert.ok(game.clock.now('red') > 1000, 'the increment');
  assert.equal(game.clock.ticking, 'black');
  await new Promise((done) => { setTimeout(done, 90); });
  assert.equal(game.flag(), true);
  assert.deepEqual([game.result, game.end.reason, game.clock.now('black')], ['1-0', 'time', 0]);
  game.undo();
  assert.equal(Math.round(game.clock.now('black')), 60);
});

test('a kept game is the same when it is read again', () => {
  const game = played('h2e2 h9g7');
  game.goto({ to: 1 });
  game.move({ move: 'b9c7' });
  game.annotate({ node: 3, comment: 'a {brace} and\na line', glyphs: [2] });
  game.play({ red: PERSON, black: ENGINE, time: { clock: { base: 60000, increment: 0 } }, book: 0 });
  game.move({ move: 'h0g2' });
  game.resign();
  const state = JSON.parse(JSON.stringify(game.state()));
  const other = new Game();
  other.open(state);
  assert.deepEqual(JSON.parse(JSON.stringify(other.state())), state);
  assert.deepEqual([other.result, other.end.reason, other.isRunning], ['0-1', 'resignation', false]);
});

test('marks tell the points that a move loses', () => {
  const root = Root.of({
    start: `${XiangqiBoard.START} w - - 0 1`, tags: [], result: '*', comment: '', score: { cp: 0, red: 500, depth: 10, line: ['h2e2'] },
    moves: [
      { parent: 0, move: 'h2e2', score: { cp: -300, red: 200, depth: 10 } },
      { parent: 0, move: 'b2e2', score: { cp: -100, red: 399.5, depth: 10 } },
      { parent: 0, move: 'a0a1', score: { cp: -100, red: 400, depth: 10 } },
      { parent: 0, move: 'a0a2', score: { cp: -300, red: 300, depth: 5 } },
      { parent: 1, move: 'h9g7', score: { cp: 100, red: 450, depth: 9 } },
    ],
  });
  assert.deepEqual(root.moves.map(({ move, mark }) => [move, mark]), [['h2e2', ''], ['h9g7', '??'], ['b2e2', '?'], ['a0a1', '?'], ['a0a2', '']]);
});
