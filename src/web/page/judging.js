// The rulings on repetitions.

import { byId, make } from './dom.js';
import { closesOutside, head } from './files.js';
import { isChinese, sideName, t } from './text.js';

const LEVELS = { idle: 'levelIdle', 'perpetual chase': 'levelChase', 'perpetual check': 'levelCheck', 'perpetual attack': 'levelAttack' };

export const levelName = (level) => t(LEVELS[level] ?? level);

/** The text of a ruling: `Red loses`, `draw`. */
export const rulingText = (ruling) => (ruling.loser ? t('loses', sideName(ruling.loser)) : t('draw'));

/** The ruling of the shown position in a line. */
export function bannerText(view) {
  const { repetition, rules } = view;
  const ruling = repetition.rulings.find((one) => one.rules === rules);
  return `${t('repeated', repetition.occurrences)} · ${rules}: ${rulingText(ruling)}`;
}

export class Judge {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.dialog = byId('judge-dialog', HTMLDialogElement);
    closesOutside(this.dialog);
    byId('judge').addEventListener('click', () => this.show());
    byId('ruling').addEventListener('click', () => this.show());
  }

  async show() {
    const { app, dialog } = this;
    const loops = await app.attempt(() => app.session.judge());
    if (!loops) return;
    dialog.replaceChildren(
      head(dialog, 'judge-title', t('judgeTitle')),
      ...(loops.length ? loops.map((loop) => this.loop(loop)) : [make('p', { class: 'empty' }, t('noRepetitions'))]),
    );
    if (!dialog.open) dialog.showModal();
  }

  loop(loop) {
    const { rules } = this.app.view;
    const rows = loop.rulings.map((ruling) => make(
      'tr',
      { class: ruling.rules === rules ? 'chosen' : '' },
      make('th', { scope: 'row' }, ruling.rules),
      make('td', { class: ruling.loser ?? '' }, rulingText(ruling)),
      make('td', {}, `${t('red')}: ${levelName(ruling.red)}, ${t('black')}: ${levelName(ruling.black)}${ruling.undecided ? ' *' : ''}`),
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
    // The texts are those of the last turn, which is not the whole explanation if turns differ.
    const isLastTurn = explanation.moves.length === loop.moves.length;
    const moves = explanation.moves.map((move, at) => make(
      'li',
      { class: move.side },
      make('b', {}, isLastTurn ? loop.moves[at] : move.move),
      make('span', { class: `class-${move.class}` }, move.text),
    ));
    return [
      make('p', {}, make('b', {}, `${t('why')} (${explanation.rules}): `), explanation.reason),
      make('ol', { class: 'loop-moves' }, ...moves),
      ...explanation.reasons.map((reason) => make('p', { class: 'hint' }, reason.text)),
      make('button', { type: 'button', onclick: () => this.showOnBoard(loop) }, t('showOnBoard')),
    ];
  }

  /** Goes to the end of the loop and marks who chases whom. */
  async showOnBoard(loop) {
    const { app } = this;
    const line = app.tree.line();
    const last = line[loop.start + loop.moves.length - 1];
    this.dialog.close();
    app.setMode('analyse');
    if (last) await app.goTo(last.id);
    const moves = loop.explanation.moves;
    const own = moves.at(-1);
    if (!own) return;
    const chases = own.attacks.filter((attack) => attack.effect === 'chase' || own.victims.includes(attack.on));
    app.note({
      arrows: chases.map((attack) => ({ from: attack.from, to: attack.on, kind: 'chase' })),
      marks: [
        ...chases.map((attack) => ({ square: attack.from, kind: 'chaser' })),
        ...own.victims.map((square) => ({ square, kind: 'victim' })),
        ...chases.flatMap((attack) => attack.roots.map((root) => ({ square: root.slice(-2), kind: 'protector' }))),
      ],
    });
  }
}
