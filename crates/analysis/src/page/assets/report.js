// A report: the game on a board one steps through, its curve, its moves and its repetitions. The data
// stand in the page as JSON; all texts of them are written with textContent, never as HTML.
'use strict';

(() => {
  const data = JSON.parse(document.getElementById('data').textContent);
  const byId = (id) => document.getElementById(id);
  /** @param {string} selector @param {ParentNode} [root] @returns {HTMLElement[]} */
  const all = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);
  const button = (id) => /** @type {HTMLButtonElement} */ (byId(id));
  const choice = (id) => /** @type {HTMLSelectElement} */ (byId(id));
  /** The chosen value of a list, one of those that the page has. @returns {any} */
  const chosen = (id) => choice(id).value;
  const SERIOUS = ['inaccuracy', 'mistake', 'blunder'];
  const SIGNS = { inaccuracy: '?!', mistake: '?', blunder: '??' };
  /** At most this many attacks that are no chase are drawn at once. */
  const MOST_ARROWS = 3;
  /** Variations within variations are set in as far as this. */
  const DEEPEST = 4;

  /** @type {{language: 'en'|'zh', theme: string, boards: string, arrows: boolean, pieces: BoardOptions['pieces'], coordinates: BoardOptions['coordinates']}} */
  const settings = { language: data.language, pieces: 'chinese', boards: 'auto', coordinates: data.language === 'zh' ? 'chinese' : data.coordinates, theme: 'auto', arrows: true };
  let words = WORDS[settings.language];
  /** `line` is a line of the engine or a variation that is being played through: {base, moves, at, variation}. */
  const state = { game: 0, ply: 0, line: null };
  let game = data.games[0];
  let variations = new Variations([]);
  let placements = [];
  let board = null;

  // ---- small helpers

  function make(tag, properties = {}, ...children) {
    const node = document.createElement(tag);
    if (tag === 'button') node.type = 'button';
    for (const [key, value] of Object.entries(properties)) {
      if (key === 'text') node.textContent = value;
      else if (key === 'onclick') node.addEventListener('click', value);
      else if (value !== null && value !== undefined) node.setAttribute(key, value);
    }
    node.append(...children);
    return node;
  }

  function draw(tag, attributes = {}, ...children) {
    const node = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    node.append(...children);
    return node;
  }

  const textOf = (move) => (settings.language === 'zh' ? move.chinese : move.text);
  /** A text of the data in the language of the page. */
  const say = (text) => text[settings.language];
  const isSerious = (ply) => SERIOUS.includes(ply.class);
  /** The marks of a move: those of the file, else those of the analysis. */
  const signOf = (ply) => ply.signs || (SIGNS[ply.class] ?? '');
  const percent = (value) => (typeof value === 'number' ? `${Math.round(value)} %` : '–');
  const whole = (value) => (typeof value === 'number' ? `${Math.round(value)}` : '–');
  const numberOf = (ply) => `${ply.number}${ply.side === 'red' ? '.' : '…'}`;

  /** The pieces after a move, as a FEN without what follows them. */
  function after(fen, move) {
    const pieces = XiangqiBoard.placement(fen);
    pieces.set(move.slice(2), pieces.get(move.slice(0, 2)));
    pieces.delete(move.slice(0, 2));
    return XiangqiBoard.placementText(pieces);
  }

  // ---- moving through the game

  function open(index) {
    state.game = index;
    game = data.games[index];
    variations = new Variations(game.variations);
    placements = [game.fen];
    for (const ply of game.plies) placements.push(after(placements[placements.length - 1], ply.move));
    state.line = null;
    state.ply = game.open;
    writeAll();
  }

  function go(ply) {
    state.line = null;
    state.ply = Math.min(game.plies.length, Math.max(0, ply));
    show();
  }

  function step(direction) {
    const { line } = state;
    if (!line) {
      go(state.ply + direction);
      return;
    }
    line.at = Math.min(line.moves.length, line.at + direction);
    if (line.at <= 0) go(line.base);
    else show();
  }

  function enter(line, base, at) {
    state.line = { ...line, base, at };
    show();
  }

  /** Shows a variation from the main line up to one of its own moves. */
  function enterVariation({ index, at }) {
    state.ply = variations.list[index].base;
    enter({ moves: variations.moves(index), variation: index }, state.ply, variations.before[index] + at + 1);
  }

  /** The place in a variation that is shown, if there is one. */
  function shownVariation() {
    const { line } = state;
    return line && line.variation !== undefined ? variations.place(line.variation, line.at) : null;
  }

  function leave() {
    if (state.line) go(state.ply);
  }

  function goToMistake(direction) {
    const found = game.plies.map((ply, index) => (isSerious(ply) ? index + 1 : 0)).filter(Boolean);
    const rest = found.filter((ply) => (direction > 0 ? ply > state.ply : ply < state.ply));
    const next = direction > 0 ? rest[0] ?? found[0] : rest[rest.length - 1] ?? found[found.length - 1];
    if (next) go(next);
  }

  // ---- the board

  function describe(square, letter) {
    if (!letter) return square;
    const [side, kind] = XiangqiBoard.piece(letter);
    return `${square}, ${words.piece(words[side], words.kinds[kind])}`;
  }

  function shownPosition() {
    const { line } = state;
    if (!line) {
      return { fen: placements[state.ply], move: state.ply > 0 ? game.plies[state.ply - 1].move : null };
    }
    let fen = placements[line.base];
    for (const move of line.moves.slice(0, line.at)) fen = after(fen, move);
    return { fen, move: line.moves[line.at - 1] };
  }

  function showBoard() {
    const { fen, move } = shownPosition();
    board.setPosition(fen);
    board.setLastMove(move?.slice(0, 2), move?.slice(2));
    const { marks, arrows } = annotations();
    board.setMarks(marks);
    board.setArrows(arrows);
    button('first').disabled = button('back').disabled = !state.line && state.ply === 0;
    button('last').disabled = !state.line && state.ply === game.plies.length;
    button('next').disabled = state.line ? state.line.at === state.line.moves.length : state.ply === game.plies.length;
  }

  /** The drawings on the board: in a repetition the attacks, otherwise mistakes and best moves. */
  function annotations() {
    if (state.line) return { marks: [], arrows: [] };
    const loop = loopAt(state.ply);
    if (loop) return attacksOf(loop);
    const marks = [];
    const arrows = [];
    const ply = game.plies[state.ply - 1];
    if (ply && isSerious(ply)) marks.push({ square: ply.move.slice(2), kind: 'plain', label: SIGNS[ply.class] });
    const best = game.positions?.[state.ply]?.lines[0]?.moves[0];
    if (best && settings.arrows) arrows.push({ from: best.slice(0, 2), to: best.slice(2), kind: 'best' });
    return { marks, arrows };
  }

  /** The repetition whose loop the position after this many plies belongs to, with the move that led here. */
  function loopAt(ply) {
    for (const loop of game.loops) {
      const explained = loop.moves[ply - loop.start - 1];
      if (explained) return { loop, explained };
    }
    return null;
  }

  function attacksOf({ explained }) {
    const marks = new Map();
    const arrows = [];
    const mark = (square, kind) => { if (!marks.has(square)) marks.set(square, { square, kind }); };
    const { checkers, king } = game.plies[state.ply - 1];
    for (const from of checkers) {
      mark(from, 'chaser');
      arrows.push({ from, to: king, kind: 'chase' });
    }
    if (checkers.length > 0) mark(king, 'victim');
    const chases = explained.attacks.filter((attack) => attack.chase);
    for (const { from, on } of chases) {
      mark(from, 'chaser');
      mark(on, 'victim');
      arrows.push({ from, to: on, kind: 'chase' });
    }
    if (chases.length === 0) {
      for (const { from, on, protected: isProtected, roots } of explained.attacks.slice(0, MOST_ARROWS)) {
        arrows.push({ from, to: on, kind: 'other' });
        for (const root of isProtected ? roots : []) {
          mark(root, 'protector');
          arrows.push({ from: root, to: on, kind: 'protect' });
        }
      }
    }
    return { marks: [...marks.values()], arrows };
  }

  // ---- the current move

  function showCurrent() {
    const rows = [];
    const ply = game.plies[state.ply - 1];
    const position = game.positions?.[state.ply];
    const headline = make('p', { class: 'headline' });
    const place = shownVariation();
    rows.push(headline);
    if (place) rows.push(...showVariation(place, headline));
    else showPly(ply, position, headline, rows);
    if (state.line) {
      const back = make('button', { class: 'leave', onclick: leave, text: words.leave });
      const where = `${place ? words.variation : words.line}, ${words.of(state.line.at, state.line.moves.length)} `;
      rows.push(make('p', { class: 'line' }, make('span', { class: 'caption', text: where }), back));
    }
    byId('current').replaceChildren(...rows);
  }

  /** Shows the analysis of the position after a move of the game. */
  function showPly(ply, position, headline, rows) {
    if (!ply) headline.textContent = words.start;
    else {
      headline.append(`${numberOf(ply)} ${textOf(ply)}${signOf(ply)} `);
      if (ply.class) headline.append(make('span', { class: `tag ${ply.class}`, text: words[ply.class] }));
      if (isSerious(ply)) headline.append(` ${words.loses(Math.round(100 * ply.loss))}`);
      const loop = loopAt(state.ply);
      if (loop) headline.append(' ', kindTag(loop.explained));
    }
    for (const note of notesOf(state.ply)) rows.push(make('p', { class: 'comment', text: note }));
    const before = game.positions?.[state.ply - 1];
    if (ply && isSerious(ply) && before?.lines[0]) rows.push(lineRow(before.lines[0], state.ply - 1, words.better));
    if (position) {
      const chance = words.chance(Math.round(100 * position.points));
      rows.push(make('p', { class: 'comment', text: `${chance}, ${words.depth(position.depth)}` }));
      for (const line of position.lines) rows.push(lineRow(line, state.ply, words.engine));
    }
    for (const index of state.ply > 0 ? variations.instead(state.ply - 1) : []) {
      if (variations.list[index].line === null) rows.push(variationRow(index, words.instead));
    }
  }

  /** The headline and the rows of a move of a variation. */
  function showVariation(place, headline) {
    const { texts, chinese, signs, comments } = variations.list[place.index];
    const text = (settings.language === 'zh' ? chinese : texts)[place.at];
    headline.append(`${variations.number(place, true)} ${text}${signs[place.at]} `);
    headline.append(make('span', { class: 'tag idle', text: words.variation }));
    const comment = comments[place.at];
    return [...(comment ? [make('p', { class: 'comment', text: comment })] : []), variationRow(place.index, '')];
  }

  /** The moves of a variation as buttons, in a row after the caption. */
  function variationRow(index, caption) {
    const row = make('div', { class: 'line' });
    if (caption) row.append(make('span', { class: 'caption', text: caption }));
    row.append(...variationMoves(index, false));
    return row;
  }

  /** The moves of a variation with their numbers, and with their comments if they are wanted. */
  function variationMoves(index, hasComments) {
    const { texts, chinese, signs, comments } = variations.list[index];
    const shown = shownVariation();
    let needsNumber = true;
    return (settings.language === 'zh' ? chinese : texts).flatMap((text, at) => {
      const number = variations.number({ index, at }, needsNumber);
      const isCurrent = shown && shown.index === index && shown.at === at;
      const button = make('button', {
        text: text + signs[at], 'data-variation': `${index} ${at}`, 'aria-current': isCurrent ? 'true' : null,
        onclick: () => enterVariation({ index, at }),
      });
      const comment = hasComments && comments[at];
      needsNumber = Boolean(comment);
      return [
        ...(number ? [make('span', { class: 'number', text: number })] : []), button,
        ...(comment ? [make('span', { class: 'comment', text: comment })] : []),
      ];
    });
  }

  function lineRow(line, base, caption) {
    const row = make('div', { class: 'line' }, make('span', { class: 'caption', text: caption }), make('span', { class: 'score', text: line.score }));
    const isOpen = state.line && state.line.base === base && state.line.moves === line.moves;
    line.moves.forEach((_, index) => {
      const text = settings.language === 'zh' ? line.chinese[index] : line.texts[index];
      const isCurrent = isOpen && state.line.at === index + 1;
      row.append(make('button', { text, 'aria-current': isCurrent ? 'true' : null, onclick: () => enter(line, base, index + 1) }));
    });
    return row;
  }

  /** Comments and events after a ply. */
  function notesOf(ply) {
    const comment = ply === 0 ? game.comment : game.plies[ply - 1].comment;
    const events = game.events.filter((event) => event.ply === ply).map((event) => say(event.text));
    return [comment, ...events].filter(Boolean);
  }

  // ---- the curve

  function drawCurve() {
    byId('chances').hidden = !game.positions;
    if (!game.positions) return;
    const box = byId('curve');
    const [width, height, pad] = [box.clientWidth || 600, 150, 10];
    const count = Math.max(1, game.plies.length);
    const x = (ply) => pad + ((width - 2 * pad) * ply) / count;
    const y = (points) => height - 6 - (height - 12) * points;
    const svg = draw('svg', { width, height, viewBox: `0 0 ${width} ${height}`, 'aria-hidden': 'true' });
    // Where a score is missing, the ground of the curve is seen, which is of no side.
    for (const part of knownParts()) {
      const [first, last] = [part[0], part[part.length - 1]];
      // The ends of the game go on to the edges.
      const [start, end] = [first[0] === 0 ? 0 : x(first[0]), last[0] === count ? width : x(last[0])];
      const points = [[start, first[1]], ...part.map(([ply, value]) => [x(ply), value]), [end, last[1]]]
        .map(([at, value]) => `${at.toFixed(1)} ${y(value).toFixed(1)}`);
      svg.append(draw('path', { d: `M${start} 0H${end}V${height}H${start}Z`, class: 'black' }));
      svg.append(draw('path', { d: `M${start} ${height}L${points.join('L')}L${end} ${height}Z`, class: 'red' }));
      svg.append(draw('path', { d: `M${points.join('L')}`, class: 'edge' }));
    }
    svg.append(draw('path', { d: `M0 ${height / 2}H${width}`, class: 'middle' }));
    let phase = game.plies[0]?.phase;
    game.plies.forEach((ply, index) => {
      if (index > 0 && ply.phase && ply.phase !== phase) {
        svg.append(draw('path', { d: `M${x(index)} 0V${height}`, class: 'phase' }));
        const label = draw('text', { x: x(index) + 5, y: height - 7 });
        label.textContent = words[ply.phase];
        svg.append(label);
      }
      phase = ply.phase ?? phase;
    });
    svg.append(draw('path', { id: 'now', class: 'now' }));
    game.plies.forEach((ply, index) => {
      const points = game.positions[index + 1]?.points;
      if (!isSerious(ply) || points === undefined) return;
      const mark = form(ply.class);
      mark.setAttribute('transform', `translate(${x(index + 1)} ${y(points)})`);
      mark.append(draw('title'));
      mark.lastChild.textContent = `${numberOf(ply)} ${textOf(ply)}${signOf(ply)}`;
      svg.append(mark);
    });
    box.replaceChildren(svg);
    showCursor();
  }

  /** The runs of positions with a score, as [ply, points]. */
  function knownParts() {
    const parts = [];
    let part = null;
    game.positions.forEach((position, ply) => {
      if (!position) part = null;
      else {
        if (!part) {
          part = [];
          parts.push(part);
        }
        part.push([ply, position.points]);
      }
    });
    return parts;
  }

  /** The sign of a class of mistakes: each has its own form. */
  function form(name) {
    const shapes = {
      inaccuracy: ['circle', { r: 4.5 }],
      mistake: ['path', { d: 'M0 -6L6 0L0 6L-6 0Z' }],
      blunder: ['path', { d: 'M-5.5 -5.5H5.5V5.5H-5.5Z' }],
    };
    const [tag, attributes] = shapes[name];
    return draw(tag, { ...attributes, class: `form ${name}` });
  }

  function showCursor() {
    const box = byId('curve');
    const line = document.getElementById('now');
    if (!game.positions || !line) return;
    const width = box.clientWidth || 600;
    line.setAttribute('d', `M${10 + ((width - 20) * state.ply) / Math.max(1, game.plies.length)} 0V150`);
    const ply = game.plies[state.ply - 1];
    const points = game.positions[state.ply]?.points;
    const chance = points === undefined ? '' : `, ${words.chance(Math.round(100 * points))}`;
    box.setAttribute('aria-valuemin', '0');
    box.setAttribute('aria-valuemax', String(game.plies.length));
    box.setAttribute('aria-valuenow', String(state.ply));
    box.setAttribute('aria-valuetext', (ply ? `${numberOf(ply)} ${textOf(ply)}` : words.start) + chance);
  }

  function writeLegend() {
    const counts = SERIOUS.map((name) => [name, game.plies.filter((ply) => ply.class === name).length]);
    byId('legend').replaceChildren(...counts.map(([name, count]) => make('span', {}, draw('svg', { viewBox: '-7 -7 14 14', 'aria-hidden': 'true' }, form(name)), `${words[`${name}Plural`]}: ${count}`)));
    byId('curve').setAttribute('aria-label', `${words.chances}. ${counts.map(([name, count]) => `${words[`${name}Plural`]}: ${count}`).join(', ')}`);
  }

  function followCurve(event) {
    const box = byId('curve').getBoundingClientRect();
    const part = (event.clientX - box.left - 10) / (box.width - 20);
    go(Math.round(part * game.plies.length));
  }

  // ---- the list of moves

  function writeMoves() {
    const cells = [];
    const note = (ply) => notesOf(ply).map((text) => make('p', { class: 'note', text }));
    /** The parts between a move and the next one: comments, and the variations to the move. */
    const between = (ply) => [...note(ply), ...variations.instead(ply - 1).map((index) => {
      const depth = Math.min(variations.list[index].depth, DEEPEST);
      return make('div', { class: `line variation depth-${depth}` }, ...variationMoves(index, true));
    })];
    cells.push(...note(0));
    let isDivided = false;
    game.plies.forEach((ply, index) => {
      if (ply.side === 'red' || index === 0 || isDivided) {
        cells.push(make('span', { class: 'number', text: `${ply.number}.` }));
        if (ply.side === 'black') cells.push(make('span', { text: ' …' }));
      }
      const name = make('span', {}, textOf(ply));
      if (signOf(ply)) name.append(make('b', { text: signOf(ply) }));
      const value = make('span', { class: 'value', text: game.positions?.[index + 1]?.score ?? '' });
      cells.push(make('button', { class: ply.class ?? '', 'data-ply': index + 1, onclick: () => go(index + 1) }, name, value));
      const parts = between(index + 1);
      isDivided = parts.length > 0;
      if (isDivided && ply.side === 'red') cells.push(make('span'));
      cells.push(...parts);
    });
    byId('moves').replaceChildren(...cells);
  }

  function showMove() {
    const list = byId('moves');
    list.querySelector('[aria-current]')?.removeAttribute('aria-current');
    const place = shownVariation();
    const [current] = all(place ? `[data-variation="${place.index} ${place.at}"]` : `[data-ply="${state.ply}"]`, list);
    if (!current) {
      list.scrollTop = 0;
      return;
    }
    current.setAttribute('aria-current', 'true');
    const top = current.offsetTop;
    if (top < list.scrollTop + 30 || top + current.offsetHeight > list.scrollTop + list.clientHeight - 30) {
      list.scrollTop = top - list.clientHeight / 2;
    }
  }

  // ---- repetitions

  function disc(name) {
    return draw('svg', { viewBox: '-50 -50 100 100', class: 'disc', 'aria-hidden': 'true' }, draw('use', { href: `#xq-${settings.pieces}-${name}` }));
  }

  function showLoops() {
    const section = byId('loops');
    section.hidden = game.loops.length === 0 && Boolean(game.positions);
    if (section.hidden) return;
    const heading = make('h2', { text: words.repetition });
    if (game.loops.length === 0) {
      section.replaceChildren(heading, make('p', { class: 'ruling', text: words.noRepetition }));
      return;
    }
    const loop = loopAt(state.ply)?.loop ?? game.loops[game.loops.length - 1];
    const rows = [heading];
    if (game.loops.length > 1) rows.push(otherLoops(loop));
    rows.push(make('p', { class: 'ruling', text: say(loop.ruling) }));
    const facts = [
      [words.red, say(loop.red)], [words.black, say(loop.black)], [words.why, say(loop.conduct)],
      ...loop.reasons.map((reason, index) => [index === 0 ? words.rule : '', say(reason)]), [words.rules, loop.rules],
    ];
    rows.push(make('dl', {}, ...facts.flatMap(([name, text]) => [make('dt', { text: name }), make('dd', { text })])));
    if (loop.undecided) rows.push(make('p', { class: 'comment', text: words.undecided }));
    rows.push(make('ol', { class: 'turn' }, ...loop.moves.map((move, index) => loopMove(loop, move, index))));
    rows.push(make('p', { class: 'comment', text: words.occurrences(loop.occurrences) }), forms());
    section.replaceChildren(...rows);
  }

  function otherLoops(shown) {
    const buttons = game.loops.map((loop, index) => make('button', {
      text: `${index + 1}`, 'aria-current': loop === shown ? 'true' : null, 'aria-label': `${words.repetition} ${index + 1}`,
      onclick: () => go(loop.start + 1),
    }));
    return make('div', { class: 'line' }, ...buttons);
  }

  function kindTag(move) {
    return make('span', { class: `tag ${move.kind}`, text: say(move.kinds) });
  }

  function loopMove(loop, move, index) {
    const ply = loop.start + index + 1;
    const played = game.plies[ply - 1];
    const isCurrent = !state.line && ply === state.ply;
    const item = make('li', {}, disc(`${move.side}-${move.piece}`));
    item.append(make('button', { text: `${numberOf(played)} ${textOf(played)}`, 'aria-current': isCurrent ? 'true' : null, onclick: () => go(ply) }));
    item.append(kindTag(move));
    const attacks = move.attacks.filter((attack) => isCurrent || attack.chase).map((attack) => attack.text);
    const notes = move.threat ? [move.threat, ...attacks] : attacks;
    if (notes.length > 0) item.append(make('ul', {}, ...notes.map((note) => make('li', { text: say(note) }))));
    return item;
  }

  /** The legend of the marks on the board. */
  function forms() {
    const kinds = ['chaser', 'victim', 'protector'];
    return make('p', { class: 'forms' }, ...kinds.map((kind) => make('span', {}, draw('svg', { viewBox: '-60 -60 120 120', 'aria-hidden': 'true' }, draw('use', { href: `#xq-mark-${kind}` })), words[kind])));
  }

  // ---- names and numbers

  function writeHeader() {
    const { tags } = game;
    const players = tags.red || tags.black ? `${tags.red || '?'} – ${tags.black || '?'}` : words.report;
    byId('title').textContent = players;
    byId('about').textContent = [game.result === '*' ? '' : game.result, game.opening ? say(game.opening) : '', tags.event, tags.site, tags.round, tags.date].filter(Boolean).join(' · ');
    document.title = players;
  }

  function writePlayers() {
    for (const name of ['red', 'black']) {
      const isBelow = (name === 'red') !== board.flipped;
      const bar = byId(isBelow ? 'below' : 'above');
      const accuracy = game.summary?.[name].accuracy;
      bar.replaceChildren(disc(`${name}-king`), make('span', { class: 'name', text: game.tags[name] || words[name] }));
      if (typeof accuracy === 'number') bar.append(make('span', { class: 'detail', text: `${words.accuracy} ${Math.round(accuracy)} %` }));
      const { line } = state;
      const plies = line ? line.base + line.at : state.ply;
      bar.classList.toggle('turn', (plies % 2 === 0) === (name === game.mover));
    }
  }

  function writeSummary() {
    byId('numbers').hidden = !game.summary;
    if (!game.summary) return;
    const rows = [[words.share, words.red, words.black]];
    const both = (read) => ['red', 'black'].map((name) => read(game.summary[name]));
    rows.push([words.accuracy, ...both((s) => percent(s.accuracy))]);
    rows.push([words.cpLoss, ...both((s) => whole(s.cpLoss))]);
    for (const phase of ['opening', 'middlegame', 'endgame']) rows.push([words[phase], ...both((s) => percent(s.phases[phase]))]);
    for (const name of ['best', 'good', ...SERIOUS]) rows.push([words[`${name}Plural`], ...both((s) => s.classes[name])]);
    fill(byId('summary'), rows);
    byId('incomplete').hidden = game.complete;
  }

  /** Fills a table; the first row and the first column are heads. A cell is a text or an element. */
  function fill(table, rows) {
    const lines = rows.map((cells, row) => make('tr', {}, ...cells.map((content, column) => {
      const isHead = row === 0 || column === 0;
      const scope = row === 0 ? 'col' : 'row';
      return make(isHead ? 'th' : 'td', { scope: isHead ? scope : null }, content);
    })));
    table.replaceChildren(make('thead', {}, lines[0]), make('tbody', {}, ...lines.slice(1)));
  }

  /** Lists all games, each with a button that opens it. */
  function writeList() {
    byId('overview').hidden = data.games.length < 2;
    if (data.games.length < 2) return;
    const isAnalysed = data.games.some((shown) => shown.summary);
    const both = ({ summary }, read) => (summary ? `${read(summary.red)} : ${read(summary.black)}` : '');
    const rows = data.games.map((shown, index) => {
      const { tags } = shown;
      const isCurrent = index === state.game ? 'true' : null;
      const number = make('button', { text: `${index + 1}`, 'aria-current': isCurrent, 'aria-label': `${words.game} ${index + 1}`, onclick: () => open(index) });
      const players = [number, tags.red || '?', tags.black || '?', shown.result];
      if (!isAnalysed) return players;
      return [
        ...players, both(shown, (s) => percent(s.accuracy)), both(shown, (s) => s.classes.blunder),
        shown.opening ? say(shown.opening) : '',
      ];
    });
    const heads = [words.game, words.red, words.black, words.result];
    if (isAnalysed) heads.push(words.accuracy, words.blunderPlural, words.openingName);
    fill(byId('list'), [heads, ...rows]);
  }

  function writeWords() {
    document.documentElement.lang = settings.language === 'zh' ? 'zh-Hans' : 'en';
    for (const node of all('[data-word]')) node.textContent = words[node.dataset.word];
    for (const node of all('[data-name]')) {
      node.setAttribute('aria-label', words[node.dataset.name]);
      if (node.tagName === 'BUTTON') node.title = words[node.dataset.name];
    }
    for (const select of document.querySelectorAll('select')) {
      if (!select.dataset.options) continue;
      const options = select.dataset.options.split(' ');
      select.replaceChildren(...options.map((value) => make('option', { value, text: optionText(select.id, value) })));
      select.value = settings[select.id];
    }
    byId('games').replaceChildren(...data.games.map(({ tags, result }, index) => make('option', {
      value: index, text: `${index + 1}. ${tags.red || '?'} – ${tags.black || '?'} ${result}`,
    })));
    choice('games').value = String(state.game);
    board.setDescription(describe, words.board);
  }

  function optionText(select, value) {
    if (select === 'coordinates' && value === 'chinese') return settings.language === 'zh' ? '九–一、1–9' : '九–一, 1–9';
    if (select === 'boards' && value === 'auto') return words.asThePage;
    return words.options[value];
  }

  // ---- everything

  function show() {
    showBoard();
    writePlayers();
    showCurrent();
    showCursor();
    showMove();
    showLoops();
    board.announce(byId('current').querySelector('.headline').textContent);
  }

  function writeAll() {
    writeWords();
    writeHeader();
    writeLegend();
    writeMoves();
    writeSummary();
    writeList();
    byId('mistake').hidden = !game.positions;
    document.body.classList.toggle('ruled', !game.positions);
    show();
    drawCurve();
  }

  function listen() {
    const actions = {
      first: () => go(0), back: () => step(-1), next: () => step(1), last: () => go(game.plies.length), mistake: () => goToMistake(1),
      turn: () => { board.flip(); show(); },
    };
    for (const [id, action] of Object.entries(actions)) byId(id).addEventListener('click', action);
    const keys = {
      ArrowLeft: actions.back, ArrowRight: actions.next, Home: actions.first, End: actions.last, Escape: leave,
      f: actions.turn, n: actions.mistake, p: () => goToMistake(-1),
    };
    document.addEventListener('keydown', (event) => {
      const isTyped = event.target instanceof Element && event.target.matches('select, input, textarea');
      const action = keys[event.key];
      if (!action || isTyped || event.ctrlKey || event.altKey || event.metaKey) return;
      event.preventDefault();
      action();
    });
    const curve = byId('curve');
    curve.addEventListener('pointerdown', (event) => {
      curve.setPointerCapture(event.pointerId);
      followCurve(event);
    });
    curve.addEventListener('pointermove', (event) => { if (event.buttons) followCurve(event); });
    new ResizeObserver(() => drawCurve()).observe(curve);
    choice('games').addEventListener('change', () => open(Number(choice('games').value)));
    choice('language').addEventListener('change', () => {
      settings.language = chosen('language');
      words = WORDS[settings.language];
      // Moves in Chinese count the files so.
      settings.coordinates = settings.language === 'zh' ? 'chinese' : data.coordinates;
      board.setCoordinates(settings.coordinates);
      writeAll();
    });
    choice('theme').addEventListener('change', () => {
      settings.theme = chosen('theme');
      board.setTheme(settings.theme);
    });
    choice('pieces').addEventListener('change', () => {
      settings.pieces = chosen('pieces');
      board.setPieces(settings.pieces);
      show();
    });
    choice('boards').addEventListener('change', () => {
      settings.boards = chosen('boards');
      document.documentElement.dataset.board = settings.boards;
    });
    choice('coordinates').addEventListener('change', () => {
      settings.coordinates = chosen('coordinates');
      board.setCoordinates(settings.coordinates);
    });
    const arrows = /** @type {HTMLInputElement} */ (byId('arrows'));
    arrows.addEventListener('change', () => {
      settings.arrows = arrows.checked;
      show();
    });
  }

  board = new XiangqiBoard(byId('board'), { pieces: settings.pieces, coordinates: settings.coordinates, describe, drawing: true });
  choice('language').value = settings.language;
  byId('choice').hidden = data.games.length < 2;
  listen();
  open(0);
  document.body.classList.add('ready');
})();
