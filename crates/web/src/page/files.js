// Opening and saving games.

import { all, byId, choice, closest, copy, field, icon, make, toast } from './dom.js';
import { fileLink } from './downloads.js';
import { pictureButtons } from './pictures.js';
import { errorText, problemText } from './problems.js';
import { checkFen } from './server.js';
import { partsOf } from './setup.js';
import { t } from './text.js';

/** The notations of the server with their names. @param {{notations: string[]}} facts */
export const notationChoices = ({ notations }) => notations.map((name) => [name, t(`notation${name[0].toUpperCase()}${name.slice(1)}`)]);

/** The kinds of files that are saved, and what they hold. */
const KINDS = {
  pgn: { isText: true, hasVariations: true, hasNotation: true },
  xqf: { hasVariations: true },
  dhtmlxq: { isText: true, hasVariations: true },
  cbr: { hasVariations: true },
  cbf: { isText: true },
  list: { isText: true, needsStart: true },
  position: { isText: true },
};

/** The head of a dialog: its title and the button that closes it. */
export function head(dialog, id, title) {
  return make('div', { class: 'dialog-head' }, make('h2', { id }, title), make('button', {
    type: 'button', class: 'tool', 'aria-label': t('close'), title: t('close'), onclick: () => dialog.close(),
  }, icon('close')));
}

/** Dialogs close by a click beside them, which begins and ends there. @param {HTMLDialogElement} dialog */
export function closesOutside(dialog) {
  /** @param {MouseEvent} event */
  const isBeside = ({ clientX: x, clientY: y }) => {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return x < left || x > right || y < top || y > bottom;
  };
  let hasBegun = false;
  dialog.addEventListener('pointerdown', (event) => { hasBegun = isBeside(event); });
  dialog.addEventListener('click', (event) => {
    if (event.target === dialog && hasBegun && isBeside(event)) dialog.close();
  });
}

/** Fields that take a text. */
const TEXT_FIELDS = 'input:not([type=checkbox], [type=range]), textarea';

/** Returns whether a text is dragged over a field that takes it. @param {DragEvent} event */
const isForField = (event) => !event.dataTransfer?.types.includes('Files') && Boolean(closest(event, TEXT_FIELDS));

export class Files {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.loadDialog = byId('load-dialog', HTMLDialogElement);
    this.saveDialog = byId('save-dialog', HTMLDialogElement);
    closesOutside(this.loadDialog);
    closesOutside(this.saveDialog);
    byId('open-file').addEventListener('click', () => this.showLoad());
    byId('save-file').addEventListener('click', () => this.showSave());
    // A file can be dropped anywhere on the page, and a text where no field takes it.
    document.addEventListener('dragover', (event) => { if (!isForField(event)) event.preventDefault(); });
    document.addEventListener('drop', (event) => {
      if (isForField(event)) return;
      event.preventDefault();
      const [file] = event.dataTransfer?.files ?? [];
      const text = event.dataTransfer?.getData('text/plain');
      if (file) this.load(file);
      else if (text) this.loadText(text);
    });
    // So can a text be pasted, where no field takes it.
    document.addEventListener('paste', (event) => {
      if (closest(event, `${TEXT_FIELDS}, dialog`) || app.mode === 'setup') return;
      const [file] = event.clipboardData?.files ?? [];
      const text = event.clipboardData?.getData('text/plain').trim();
      if (file) this.load(file);
      else if (text) this.loadText(text);
    });
  }

  showLoad() {
    const dialog = this.loadDialog;
    const file = make('input', { type: 'file', id: 'file', class: 'off-screen', onchange: () => file.files[0] && this.load(file.files[0]) });
    const text = make('textarea', { id: 'game-text', rows: 7, spellcheck: 'false', placeholder: t('paste'), 'aria-label': t('paste') });
    this.games = make('div', { class: 'games' });
    dialog.replaceChildren(
      head(dialog, 'load-title', t('openTitle')),
      this.app.games.element,
      make('p', { class: 'hint' }, t('openHint')),
      make('label', { class: 'button primary' }, t('chooseFile'), file),
      text,
      make('div', { class: 'row' }, make('button', { type: 'button', id: 'load-text', onclick: () => this.loadText(text.value) }, t('load'))),
      this.games,
    );
    this.app.games.show();
    dialog.showModal();
  }

  /** A pasted text: a FEN, also with moves, or a game of any kind. */
  async loadText(text) {
    if (/^\s*[a-zA-Z1-9]+(\/[a-zA-Z1-9]+){9}\s*/.test(text)) {
      const [fen, moves] = partsOf(text);
      const { error, problem } = await checkFen(fen, moves).catch((refused) => ({ error: errorText(refused), problem: null }));
      if (error) toast(problemText(error, problem));
      else if (await this.app.change('position', { fen, moves })) this.done();
      return;
    }
    await this.load(new Blob([text]));
  }

  /** Opens a game of a file. Returns whether that was possible. @param {Blob} file @param {number} game */
  async load(file, game = 1) {
    const before = this.app.view;
    const loaded = await this.app.attempt(() => this.app.session.load(file, game));
    if (!loaded) return false;
    const hasMore = loaded.count > 1 && game === 1;
    this.close(hasMore ? this.loadDialog : null);
    this.app.accept(loaded.view);
    this.app.history.changed('load', before);
    if (loaded.problems.length) toast(problemText(loaded.problems[0], loaded.problem));
    if (hasMore) {
      if (!this.loadDialog.open) this.showLoad();
      const open = async (number) => { if (await this.load(file, number)) this.done(); };
      this.games.replaceChildren(
        make('p', {}, t('gamesInFile', loaded.count)),
        make('div', { class: 'game-list' }, ...loaded.games.map((title, index) => make('button', {
          type: 'button', onclick: () => open(index + 1),
        }, `${index + 1}. ${title}`))),
        ...(loaded.games.length < loaded.count ? [
          make('p', { class: 'hint' }, t('gamesListed', loaded.games.length)),
          field(t('gameNumber'), make('input', {
            type: 'text', inputmode: 'numeric', id: 'game-number', autocomplete: 'off', onchange: (event) => { if (Number(event.target.value)) open(Number(event.target.value)); },
          })),
        ] : []),
      );
      this.app.setMode('analyse');
      return true;
    }
    this.done();
    return true;
  }

  /** Closes the dialogs, which belong to the game before, but one. @param {HTMLDialogElement|null} [kept] */
  close(kept = null) {
    for (const dialog of all('dialog[open]')) {
      if (dialog !== kept && dialog instanceof HTMLDialogElement) dialog.close();
    }
  }

  done() {
    this.close();
    this.app.setMode('analyse');
  }

  showSave() {
    const { app } = this;
    const dialog = this.saveDialog;
    const hasScores = Boolean(app.view.start_score || app.view.moves.some(({ score }) => score));
    const chosen = { kind: 'pgn', notation: app.view.notation, variations: true, analysis: hasScores };
    const name = (side, text) => field(text, make('input', {
      type: 'text', value: app.view[side], maxlength: 100, onchange: (event) => app.change('settings', { [side]: event.target.value }),
    }));
    const link = fileLink(app, { class: 'button primary', id: 'download' }, t('download'));
    /** @param {() => string|Promise<string>} text */
    const copyButton = (name, text) => make('button', {
      type: 'button',
      onclick: () => app.attempt(async () => {
        await copy(text());
        toast(t('copied'));
      }),
    }, t(name));
    const copyGame = copyButton('copyText', () => app.session.savedText(chosen));
    const notation = field(t('notation'), choice(notationChoices(app.facts), chosen.notation, (value) => set('notation', value)));
    const variations = make('label', { class: 'checkbox' }, make('input', {
      type: 'checkbox', checked: true, onchange: (event) => set('variations', event.target.checked),
    }), t('variations'));
    const analysis = make('label', { class: 'checkbox' }, make('input', {
      type: 'checkbox', id: 'with-analysis', checked: true, onchange: (event) => set('analysis', event.target.checked),
    }), t('withAnalysis'));
    const set = (key, value) => {
      chosen[key] = value;
      const { isText, hasVariations, hasNotation } = KINDS[chosen.kind];
      link.href = app.session.savedAddress(chosen);
      notation.hidden = !hasNotation;
      variations.hidden = !hasVariations;
      analysis.hidden = !hasNotation || !hasScores;
      copyGame.disabled = !isText;
    };
    set('kind', 'pgn');
    const isUsual = app.view.start === `${XiangqiBoard.START} w - - 0 1`;
    const kinds = Object.entries(KINDS).filter(([, { needsStart }]) => !needsStart || isUsual);
    const names = kinds.map(([kind]) => [kind, t(`kind${kind[0].toUpperCase()}${kind.slice(1)}`)]);
    dialog.replaceChildren(
      head(dialog, 'save-title', t('saveTitle')),
      name('red', t('redPlayer')), name('black', t('blackPlayer')), name('event', t('event')),
      field(t('kind'), choice(names, chosen.kind, (kind) => set('kind', kind), { id: 'save-kind' })),
      notation,
      variations,
      analysis,
      make('div', { class: 'controls two' }, link,
        fileLink(app, { class: 'button', id: 'report', href: app.session.reportAddress(app.prefs.language) }, t('report')),
        copyGame,
        copyButton('copyFen', () => app.view.fen)),
      ...(app.review.found ? [] : [make('p', { class: 'hint', id: 'report-hint' }, t('reportPlain'))]),
      pictureButtons(app),
    );
    dialog.showModal();
  }
}
