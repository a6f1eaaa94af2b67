// The game of a tab, which is loaded again with it: as it is kept, with the clock that runs and the way back.

/** Milliseconds after which a game that was running is paused: the tab was away for too long. */
const AWAY = 60000;

/** Steps of the way back that outlive the page. */
const STEPS = 50;

/** @param {import('./app.js').App} app */
export function tabState({ game, engine }) {
  const { root, isRunning, clock } = game;
  const { numbers } = game.data();
  const nodes = new Map([...numbers].map(([node, number]) => [node.id, number]));
  // Changes of other games, and of moves that are gone, end with the page.
  const steps = [];
  for (const step of [...game.done].reverse()) {
    const isOwn = step.kind !== 'replace' && step.parts.every(({ object, value, field }) => (
      object === game || (nodes.has(object.id) && (field !== 'children' || value.every(({ id }) => nodes.has(id))))
    ));
    const isKnown = [step.before, step.after].every(({ node, contest, forfeit }) => (
      nodes.has(node.id) && (!contest || nodes.has(contest.start.id)) && (!forfeit || nodes.has(forfeit.node.id))
    ));
    if (!isOwn || !isKnown || steps.length === STEPS) break;
    steps.unshift(written(step, game, nodes));
  }
  return {
    game: { ...game.state(), sweep: engine.sweepState() },
    analysis: engine.analysis, file: root.file, isChanged: root.isChanged, isRunning, steps,
    ticking: clock?.ticking ?? null, spent: clock?.ticking ? performance.now() - clock.since : 0, at: Date.now(),
  };
}

const situationOf = ({ node, result, contest, forfeit, clock }, nodes) => ({
  node: nodes.get(node.id), result,
  contest: contest && { ...contest, start: nodes.get(contest.start.id) },
  forfeit: forfeit && { ...forfeit, node: nodes.get(forfeit.node.id) },
  left: clock && [clock.turn.red, clock.turn.black],
});

function written(step, game, nodes) {
  return {
    kind: step.kind,
    parts: step.parts.map(({ object, field, value }) => ({
      on: object === game ? null : nodes.get(object.id), field, value: field === 'children' ? value.map(({ id }) => nodes.get(id)) : value,
    })),
    before: situationOf(step.before, nodes),
    after: situationOf(step.after, nodes),
  };
}

/**
 * Shows the game of a tab again. Returns whether there was one.
 * @param {import('./app.js').App} app @param {string|null} text
 */
export function restoreTab({ game, engine }, text) {
  let state;
  try {
    state = JSON.parse(text ?? 'null');
  } catch {
    return false;
  }
  if (!state?.game) return false;
  game.open(state.game);
  const { root } = game;
  [root.file, root.isChanged] = [state.file, state.isChanged];
  const at = (number) => root.nodes.get(number) ?? root;
  const contests = new Map();
  const contestOf = (contest) => {
    // The same game has the same object, by which a change is recognized.
    const name = JSON.stringify(contest);
    if (!contests.has(name)) contests.set(name, contest && { ...contest, start: at(contest.start) });
    return contests.get(name);
  };
  const read = ({ node, result, contest, forfeit, left }) => ({
    node: at(node), result, contest: contestOf(contest), forfeit: forfeit && { ...forfeit, node: at(forfeit.node) },
    clock: left && game.clock ? Object.assign(game.clock.atTurn(), { left: { red: left[0], black: left[1] }, turn: { red: left[0], black: left[1] } }) : null,
  });
  game.done = state.steps.map(({ kind, parts, before, after }) => ({
    kind,
    parts: parts.map(({ on, field, value }) => ({ object: on === null ? game : at(on), field, value: field === 'children' ? value.map(at) : value })),
    before: read(before),
    after: read(after),
  }));
  engine.analysis = state.analysis;
  if (state.game.sweep) engine.resumeSweep(state.game.sweep);
  const away = Date.now() - state.at;
  if (!state.isRunning || away > AWAY) return true;
  game.isRunning = true;
  // The clock has run meanwhile; the engine's begins with its work.
  if (state.ticking && !game.isEnginesTurn) game.clock?.start(state.ticking, state.spent + away);
  return true;
}
