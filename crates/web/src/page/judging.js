// The rulings on repetitions.

import { byId, make } from './dom.js';
import { closesOutside, head } from './files.js';
import { judge } from './functions.js';
import { isChinese, labelled, sideName, t } from './text.js';

const LEVELS = { idle: 'levelIdle', 'perpetual chase': 'levelChase', 'perpetual check': 'levelCheck', 'perpetual attack': 'levelAttack' };

export const levelName = (level) => t(LEVELS[level] ?? level);

/** The short name of a rule set: what stands before the colon. @param {string} rules */
const ruleName = (rules) => t(`rules${rules}`).split(/[:：]/)[0];

/** The text of a ruling: `Red loses`, `draw`. */
export const rulingText = (ruling) => (ruling.loser ? t('loses', sideName(ruling.loser)) : t('draw'));

/** The ruling of the shown position in a line. */
export function bannerText(view) {
  const { repetition, rules } = view;
  const ruling = repetition.rulings.find((one) => one.rules === rules);
  return `${t('repeated', repetition.occurrences)} · ${labelled(ruleName(rules), rulingText(ruling))}`;
}

/** The attacks of an explained move that decide. */
const chasesOf = (move) => move?.attacks.filter((attack) => attack.effect === 'chase' || move.victims.includes(attack.on)) ?? [];

export class Judge {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.dialog = byId('judge-dialog', HTMLDialogElement);
    closesOutside(this.dialog);
    byId('judge').addEventListener('click', () => this.show());
    /** @type {{start: number, notation: string, nodes: number[], explanation: any, chinese: any, moves: string[]}|null} */
    this.shown = null;
    this.text = make('span', {});
    this.leave = make('button', { type: 'button', id: 'leave-loop', onclick: () => this.hide() });
    this.bar = make('div', { class: 'preview-bar', id: 'loop-bar', role: 'status', hidden: true }, this.text, this.leave);
    byId('ruling').after(this.bar);
    byId('ruling').addEventListener('click', () => this.show());
  }

  async show() {
    const { dialog } = this;
    const loops = await this.loops();
    if (!loops) return;
    dialog.replaceChildren(
      head(dialog, 'judge-title', t('judgeTitle')),
      ...(loops.length ? loops.map((loop) => this.loop(loop)) : [make('p', { class: 'empty' }, t('noRepetitions'))]),
    );
    if (!dialog.open) dialog.showModal();
  }

  /** All repetitions of the shown line, explained; null if they could not be asked for. */
  async loops() {
    const { app } = this;
    const judged = await app.attempt(() => judge({ ...app.engine.place(app.game.line.at(-1)), explain: true }));
    return judged?.loops ?? null;
  }

  loop(loop) {
    if (!loop.moves.length) return make('section', { class: 'loop' }, make('h3', {}, t('loopFrom', loop.start + 1, loop.occurrences)));
    const { rules } = this.app.view;
    const rows = loop.rulings.map((ruling) => make(
      'tr',
      { class: ruling.rules === rules ? 'chosen' : '' },
      make('th', { scope: 'row' }, ruleName(ruling.rules)),
      make('td', { class: ruling.loser ?? '' }, rulingText(ruling)),
      make('td', {}, ['red', 'black'].map((side) => labelled(t(side), levelName(ruling[side]))).join(isChinese() ? '，' : ', ') + (ruling.undecided ? ' *' : '')),
    ));
    const parts = [
      make('h3', {}, t('loopAt', loop.start + 1, loop.start + loop.moves.length, loop.occurrences)),
      make('table', {}, make('tbody', {}, ...rows)),
    ];
    if (loop.rulings.some((ruling) => ruling.undecided)) parts.push(make('p', { class: 'hint' }, `* ${t('undecided')}`));
    if (loop.explanation) parts.push(...this.explanation(loop));
    return make('section', { class: 'loop' }, ...parts);
  }

  explanation(loop) {
    const explanation = isChinese() ? loop.explanation_chinese : loop.explanation;
    const moves = explanation.moves.map((move, at) => make(
      'li',
      { class: move.side },
      make('b', {}, loop.moves[at]),
      make('span', { class: `class-${move.class}` }, move.text),
      ...(move.threat ? [make('span', { class: 'threat' }, move.threat.text)] : []),
    ));
    return [
      make('p', {}, make('b', {}, labelled(t('whyBy', ruleName(explanation.rules)))), explanation.reason),
      make('ol', { class: 'loop-moves' }, ...moves),
      ...explanation.reasons.map((reason) => make('p', { class: 'hint' }, reason.text)),
      make('button', { type: 'button', onclick: () => this.showOnBoard(loop) }, t('showOnBoard')),
    ];
  }

  /** Goes to the first move of the loop; with each move the attacks are drawn that decide. */
  showOnBoard(loop) {
    const { app } = this;
    const nodes = app.tree.line().slice(loop.start, loop.start + loop.moves.length).map((move) => move.id);
    this.dialog.close();
    app.setMode('analyse');
    this.shown = this.explained(loop, nodes);
    if (nodes.length && app.view.node !== nodes[0]) app.goTo(nodes[0]);
    else app.render();
  }

  /** What is shown of a loop on the board, whose moves are these nodes. */
  explained(loop, nodes) {
    const { notation } = this.app.view;
    return { start: loop.start, notation, nodes, explanation: loop.explanation, chinese: loop.explanation_chinese, moves: loop.moves };
  }

  /** Writes the shown loop in the notation that was chosen meanwhile. @param {import('./view.js').View} view */
  async translate(view) {
    const { shown } = this;
    if (!shown || shown.notation === view.notation) return;
    // Asked once for each change.
    shown.notation = view.notation;
    const loops = await this.loops();
    const loop = loops?.find((one) => one.start === shown.start && one.moves.length === shown.nodes.length);
    if (!loop || this.shown !== shown) return;
    this.shown = this.explained(loop, shown.nodes);
    this.app.render();
  }

  hide() {
    this.shown = null;
    this.app.render();
  }

  /** Writes the bar under the status, while a move of a loop is shown. @param {import('./view.js').View} view */
  update(view) {
    const at = this.shown ? this.shown.nodes.indexOf(view.node) : -1;
    this.bar.hidden = at < 0 || this.app.mode !== 'analyse';
    if (this.bar.hidden) return;
    void this.translate(view);
    const { moves } = isChinese() ? this.shown.chinese : this.shown.explanation;
    const move = moves[at];
    const chases = chasesOf(move).map((attack) => attack.text);
    if (move?.threat) chases.unshift(move.threat.text);
    const texts = [t('loopMove', at + 1, this.shown.nodes.length), labelled(this.shown.moves[at], move?.text), ...chases];
    this.text.textContent = texts.join(' · ');
    this.leave.textContent = t('close');
  }

  /** What to draw at a move of the shown loop. @param {import('./view.js').View} view */
  notes(view) {
    const at = this.shown ? this.shown.nodes.indexOf(view.node) : -1;
    const move = this.shown?.explanation.moves[at];
    if (!move) return null;
    const chases = chasesOf(move);
    const roots = chases.flatMap((attack) => attack.roots.map((root) => ({ from: root.slice(-2), on: attack.on })));
    return {
      arrows: [
        ...chases.map((attack) => ({ from: attack.from, to: attack.on, kind: 'chase' })),
        ...(view.checkers ?? []).map((from) => ({ from, to: view.check, kind: 'chase' })),
        ...roots.map(({ from, on }) => ({ from, to: on, kind: 'protect' })),
      ],
      marks: [
        ...chases.map((attack) => ({ square: attack.from, kind: 'chaser' })),
        ...move.victims.map((square) => ({ square, kind: 'victim' })),
        ...roots.map(({ from }) => ({ square: from, kind: 'protector' })),
      ],
    };
  }
}
