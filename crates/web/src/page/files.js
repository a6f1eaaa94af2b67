// Opening and saving games.

import { all, byId, choice, closest, copy, field, hideToast, icon, make, toast } from './dom.js';
import { fileButton } from './downloads.js';
import { checkFen, judge, readFile, writeFile } from './functions.js';
import { Root } from './game.js';
import { pictureButtons } from './pictures.js';
import { problemText } from './problems.js';
import { Position } from './rules.js';
import { partsOf } from './setup.js';
import { t } from './text.js';
import { hasServer } from './transport.js';

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

const RESULTS = ['*', '1-0', '0-1', '1/2-1/2'];

/** The name of a file, after the players and the date. @param {import('./view.js').View} view @param {string} name with its end */
function fileName({ red, black, date }, name) {
  const parts = [red, black, date].filter((text) => text && !text.startsWith('?')).map((text) => text.replace(/[\\/:*?"<>|\s]+/g, '-'));
  return name.startsWith('game.') && parts.length > 1 ? parts.join('-') + name.slice(4) : name;
}

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
    dialog.replaceChildren(
      head(dialog, 'load-title', t('openTitle')),
      this.app.games.element,
      make('p', { class: 'hint' }, t('openHint')),
      make('label', { class: 'button primary' }, t('chooseFile'), file),
      text,
      make('div', { class: 'row' }, make('button', { type: 'button', id: 'load-text', onclick: () => this.loadText(text.value) }, t('load'))),
    );
    this.app.games.show();
    dialog.showModal();
  }

  /** A pasted text: a FEN, also with moves, or a game of any kind. */
  async loadText(text) {
    if (/^\s*[a-zA-Z1-9]+(\/[a-zA-Z1-9]+){9}\s*/.test(text)) {
      const [fen, moves] = partsOf(text);
      await this.openLine(fen, moves);
      return;
    }
    await this.load(new Blob([text]));
  }

  /** A position with the moves from there on. @param {string} fen @param {string} moves */
  async openLine(fen, moves) {
    const checked = await this.app.attempt(() => checkFen(fen, moves));
    if (checked?.error) toast(problemText(checked.error, checked.problem));
    const judged = checked?.fen && await this.app.attempt(() => judge({ fen, moves, notation: this.app.game.notation }));
    if (!judged) return;
    const root = new Root(Position.of(judged.start));
    let node = /** @type {import('./game.js').Node} */ (root);
    for (const [ply, move] of judged.moves.entries()) {
      const next = root.add(node, move);
      next.text = judged.texts[ply];
      node.children = [next];
      node = next;
    }
    hideToast();
    this.app.change('replace', { root, node });
    this.app.collection.close();
    this.done();
  }

  /** A link to the page, which opens the shown line there. */
  get link() {
    const { game } = this.app;
    const start = game.root.position.fen;
    const isUsual = start.startsWith(`${XiangqiBoard.START} w`);
    const line = { ...(isUsual ? {} : { fen: start }), moves: game.node.path.map(({ move }) => move).join(' ') };
    return `${location.href.split('#')[0]}#${new URLSearchParams(line)}`;
  }

  /** Opens what the address of the page names, once. */
  async openAddress() {
    const line = new URLSearchParams(location.hash.slice(1));
    if (!line.has('fen') && !line.has('moves')) return;
    history.replaceState(null, '', location.href.split('#')[0]);
    await this.openLine(line.get('fen') ?? `${XiangqiBoard.START} w`, line.get('moves') ?? '');
  }

  /** Opens a game of a file: the first one, if it has no number. Returns whether that was possible. @param {Blob} file @param {number} [game] */
  async load(file, game) {
    const { app } = this;
    const loaded = await app.attempt(() => readFile(file, app.game.notation, game));
    if (!loaded) return false;
    const { tree } = loaded;
    app.change('replace', { root: Root.of(tree), tags: tree.tags, result: tree.result });
    app.collection.loaded(file, loaded, game ?? 1);
    hideToast();
    if (loaded.problems.length) toast(problemText(loaded.problems[0], loaded.problem));
    this.done();
    return true;
  }

  /** Closes the dialogs, which belong to the game before. */
  done() {
    for (const dialog of all('dialog[open]')) if (dialog instanceof HTMLDialogElement) dialog.close();
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
    const written = (kind = chosen.kind) => {
      const { hasNotation } = KINDS[kind] ?? {};
      const { notation, variations, analysis } = chosen;
      const { tree } = app.game.data();
      const isAnalysed = analysis && kind === 'pgn';
      return writeFile({ tree, kind, notation, rules: app.game.rules, language: app.prefs.language, plain: !variations && kind !== 'report', analysis: isAnalysed && hasNotation });
    };
    const file = async (kind) => {
      const answer = await written(kind);
      return { ...answer, name: fileName(app.view, answer.name) };
    };
    const save = fileButton(app, { class: 'primary', id: 'download' }, t('download'), () => file());
    /** @param {() => string|Promise<string>} text */
    const copyButton = (name, text) => make('button', {
      type: 'button',
      onclick: () => app.attempt(async () => {
        await copy(text());
        toast(t('copied'));
      }),
    }, t(name));
    const copyGame = copyButton('copyText', () => written().then(({ body }) => body.text()));
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
      name('red', t('redPlayer')), name('black', t('blackPlayer')), name('event', t('event')), name('date', t('date')),
      field(t('result'), choice(RESULTS.map((result) => [result, result]), app.view.result, (result) => app.change('settings', { result }), { id: 'result' })),
      field(t('kind'), choice(names, chosen.kind, (kind) => set('kind', kind), { id: 'save-kind' })),
      notation,
      variations,
      analysis,
      make('div', { class: 'controls two' }, save,
        fileButton(app, { id: 'report' }, t('report'), () => file('report')),
        copyGame,
        copyButton('copyFen', () => app.view.fen),
        // The address of a server has its key.
        ...(hasServer ? [] : [copyButton('copyLink', () => this.link)])),
      ...(app.review.found ? [] : [make('p', { class: 'hint', id: 'report-hint' }, t('reportPlain'))]),
      pictureButtons(app),
    );
    dialog.showModal();
  }
}
