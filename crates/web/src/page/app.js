// The page: one board with its game, and the server's state of it.

import { Annotator } from './annotator.js';
import { AwayBar } from './away.js';
import { BookCard } from './book.js';
import { keepCopy, restoreCopy } from './copy.js';
import { all, byId, closest, isCovered, nextTask, toast } from './dom.js';
import { Files } from './files.js';
import { Games } from './games.js';
import { History } from './history.js';
import { bannerText, Judge } from './judging.js';
import { Learn } from './learn.js';
import { LineList, Meter } from './lines.js';
import { Looks, coordinatesOf } from './looks.js';
import { Curve, MoveList } from './moves.js';
import { PlayCard } from './play.js';
import { Players } from './players.js';
import { Premove } from './premove.js';
import { Preview } from './preview.js';
import { errorText, isOfBrowser } from './problems.js';
import { Review } from './review.js';
import { scoreMeaning } from './scores.js';
import { Settings } from './settings.js';
import { Session, about, books } from './server.js';
import { SetupCard } from './setup.js';
import { Shortcuts } from './shortcuts.js';
import { Sound, soundOf } from './sound.js';
import { spoken, statusText } from './status.js';
import { pageStorage, tabStorage } from './storage.js';
import { pieceName, setLanguage, t, translate } from './text.js';
import { showThinking } from './thinking.js';
import { onStall } from './transport.js';
import { Tree } from './tree.js';

/** Milliseconds after which the page says that it is loading. */
const PATIENCE = 1000;

const DEFAULTS = {
  language: navigator.language.toLowerCase().startsWith('zh') ? 'zh' : 'en',
  theme: 'auto',
  pieces: 'chinese',
  coordinates: 'auto',
  board: 'auto',
  size: 100,
  sound: true,
  arrows: true,
  side: 'red',
  elo: 1500,
  time: '1',
  rules: 'WXF',
  notation: null,
  lines: 3,
  book: 'off',
  playBook: 'off',
};

/** The settings that were changed, in this tab or another one. */
function storedPrefs() {
  try {
    return JSON.parse(pageStorage.get('cannonade') ?? '{}');
  } catch {
    return {};
  }
}

export class App {
  constructor() {
    this.prefs = { ...DEFAULTS, ...storedPrefs() };
    this.mode = 'play';
    this.isBegun = false;
    this.isPauseDue = false;
    /** @type {import('./server.js').View} */
    this.view = null;
    /** @type {import('./server.js').Lines} */
    this.lines = null;
    /** @type {import('./scores.js').Score|undefined} */
    this.shownScore = undefined;
  }

  /** Shows what the page waits for, before there is a board. @param {string} key */
  say(key) {
    setLanguage(this.prefs.language);
    byId('status').textContent = t(key);
  }

  async begin() {
    const wanted = { rules: this.prefs.rules, notation: this.notation() };
    this.games = new Games(this);
    const loading = setTimeout(() => this.say('loading'), PATIENCE);
    onStall(() => { if (!this.isBegun) this.say('stalled'); });
    const [facts, [session, view, isForgotten], bookList] = await Promise.all([
      about(), Session.open(wanted), books().catch(() => []), this.games.load(),
    ]).finally(() => clearTimeout(loading));
    this.facts = facts;
    this.session = session;
    this.view = view;
    this.tree = new Tree(view);
    this.board = new XiangqiBoard(byId('board'), {
      pieces: this.prefs.pieces,
      coordinates: coordinatesOf(this.prefs.coordinates, wanted.notation),
      flipped: view.bottom === 'black',
      theme: this.prefs.theme,
      drawing: true,
      interactive: true,
      legalTargets: (from) => this.targets(from),
      onMove: (from, to) => this.moved(from, to),
      onSquare: (square) => (this.mode === 'setup' ? this.setupCard.press(square) : false),
      onDropOutside: (from) => { if (this.mode === 'setup') this.setupCard.drop(from); },
    });
    this.looks = new Looks(this);
    await nextTask();
    this.sound = new Sound(() => this.prefs.sound);
    this.moveList = new MoveList((node) => this.goTo(node));
    this.curve = new Curve((node) => this.goTo(node));
    this.preview = new Preview(this);
    this.lineList = new LineList(this.preview);
    this.meter = new Meter();
    this.players = new Players(() => this.change('flag'), () => this.prefs.pieces);
    this.premove = new Premove(this);
    this.learn = new Learn(this);
    this.review = new Review(this);
    this.shortcuts = new Shortcuts();
    this.playCard = new PlayCard(this, facts);
    this.setupCard = new SetupCard(this);
    this.files = new Files(this);
    this.settings = new Settings(this);
    this.judge = new Judge(this);
    this.annotator = new Annotator(this);
    this.bookCard = new BookCard(this, bookList);
    this.history = new History(this);
    this.awayBar = new AwayBar(this);
    this.playCard.wantsForm = !view.contest;
    this.connectControls();
    await nextTask();
    this.applyPrefs();
    const usual = view.contest || view.moves.length === 0 ? 'play' : 'analyse';
    this.setMode(tabStorage.get('mode') ?? usual);
    // Before the server knows the rules and the notation, everything would be drawn twice.
    this.isBegun = true;
    const isKnown = view.rules === wanted.rules && view.notation === wanted.notation;
    if (isKnown) this.render(true);
    else await this.change('settings', wanted);
    if (isForgotten) await restoreCopy(this);
    addEventListener('pagehide', () => { if (this.copyTimer) this.keepCopy(); });
    document.body.classList.add('ready');
    this.session.listen({
      view: (newer, isFirst) => {
        this.accept(newer, isFirst);
        if (isFirst) this.connected();
      },
      lines: (lines) => this.acceptLines(lines),
      away: (reason) => this.awayBar.show(reason),
      gone: () => location.reload(),
    });
  }

  /** The notation that was chosen, or the usual one of the language. */
  notation() {
    return this.prefs.notation ?? (this.prefs.language === 'zh' ? 'chinese' : 'wxf');
  }

  /** Keeps a setting of the page. Other settings stay as the last tab has stored them. */
  keep(name, value) {
    this.prefs[name] = value;
    pageStorage.set('cannonade', JSON.stringify({ ...storedPrefs(), [name]: value }));
  }

  /** Sets the language, and with it the notation if none was chosen. @param {'en'|'zh'} language */
  async setLanguage(language) {
    this.keep('language', language);
    this.applyPrefs();
    if (!this.prefs.notation) await this.change('settings', { notation: this.notation() });
  }

  applyPrefs() {
    const { prefs, board } = this;
    setLanguage(prefs.language);
    byId('language').textContent = prefs.language === 'zh' ? 'English' : '中文';
    byId('language').lang = prefs.language === 'zh' ? 'en' : 'zh';
    this.looks.apply();
    board.setDescription((square, letter) => (letter ? `${square}, ${pieceName(letter)}` : square), t('board'));
    byId('line-count', HTMLSelectElement).value = String(prefs.lines);
    translate(document);
    this.render();
  }

  connectControls() {
    for (const button of all('[data-go]')) {
      button.addEventListener('click', () => this.setMode(button.dataset.go));
    }
    for (const button of all('[data-step]')) {
      button.addEventListener('click', () => this.step(button.dataset.step));
    }
    byId('flip').addEventListener('click', () => this.flip());
    byId('language').addEventListener('click', () => this.setLanguage(this.prefs.language === 'zh' ? 'en' : 'zh'));
    const analyseOn = byId('analyse-on', HTMLInputElement);
    analyseOn.addEventListener('change', () => this.analyse(analyseOn.checked));
    const lineCount = byId('line-count', HTMLSelectElement);
    lineCount.addEventListener('change', () => {
      this.keep('lines', Number(lineCount.value));
      if (this.view.analysis !== null) this.analyse(true);
    });
    byId('threat').addEventListener('click', () => this.showThreat());
    byId('remove-move').addEventListener('click', () => this.change('remove', { node: this.view.node }));
    byId('promote-line').addEventListener('click', () => this.change('promote', { node: this.view.node }));
    document.addEventListener('keydown', (event) => this.key(event));
  }

  /** @param {KeyboardEvent} event */
  key(event) {
    if (isCovered()) return;
    const isTyping = closest(event, 'input:not([type=checkbox]), textarea, select');
    if (event.key === 'Escape' && this.escape()) return;
    if (isTyping || event.ctrlKey || event.altKey || event.metaKey) return;
    const isFlip = event.key.toLowerCase() === 'f';
    if (this.mode === 'setup' && !isFlip) return;
    const steps = { ArrowLeft: 'back', ArrowRight: 'forward', Home: 'start', End: 'end' };
    const siblings = { ArrowUp: -1, ArrowDown: 1 };
    if (steps[event.key]) this.step(steps[event.key]);
    else if (siblings[event.key] && this.tree.sibling(siblings[event.key])) this.goTo(this.tree.sibling(siblings[event.key]).id);
    else if (isFlip) this.flip();
    else if (event.key === '?') this.shortcuts.show();
    else if (event.key === 's' || event.key === 'S') this.speak();
    else if (this.mode !== 'analyse' || !this.analysisKey(event)) return;
    event.preventDefault();
  }

  /** The keys of the analysis. Returns whether it is one. @param {KeyboardEvent} event */
  analysisKey(event) {
    const key = event.key.toLowerCase();
    if (key === 'a') this.analyse(this.view.analysis === null);
    else if (key === 'x') this.showThreat();
    else if (key === 'n') this.review.next(event.shiftKey ? -1 : 1);
    else return false;
    return true;
  }

  /** Leaves what covers the game. Returns whether there was something. */
  escape() {
    if (this.preview.shown) this.preview.leave();
    else if (this.learn.puzzle) this.learn.leave();
    else if (this.judge.shown) this.judge.hide();
    else return this.premove.cancel();
    return true;
  }

  /** Says the state of the game and the score to screen readers. */
  speak() {
    const score = this.shownScore;
    byId('voice').textContent = [spoken(this), score ? scoreMeaning(score) : ''].filter(Boolean).join('. ');
  }

  showThreat(isShown = !this.view.threat) {
    return this.change('threat', { show: isShown });
  }

  // ---- the server

  /** Does something that the server may refuse; shows why it did. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      // Without an answer, or with another key, the bar says what is the matter; a dialog hides it.
      const isAway = !isOfBrowser(error) && (!error.status || error.status === 403);
      if (isAway) this.session?.suspect();
      if (!isAway || isCovered()) toast(errorText(error));
      if (error.status === 404) this.session.change('flag').catch(() => location.reload());
      return null;
    }
  }

  /** Asks for a change. Returns whether it was made. */
  async change(action, value) {
    const before = this.view;
    const view = await this.attempt(() => this.session.change(action, value));
    if (view) {
      this.accept(view);
      this.history.changed(action, before);
    } else {
      this.render();
    }
    return Boolean(view);
  }

  /** @param {import('./server.js').View} view @param {boolean} [isFirst] whether versions begin anew */
  accept(view, isFirst = false) {
    if (!isFirst && view.version < this.view.version) return;
    const isElsewhere = view.node !== this.view.node || view.start !== this.view.start;
    const hadEnd = Boolean(this.view.end);
    const heard = soundOf(this.view, view);
    if (heard && this.prefs.sound) this.sound.play(heard);
    this.view = view;
    this.tree = new Tree(view);
    clearTimeout(this.copyTimer);
    this.copyTimer = setTimeout(() => this.keepCopy(), 200);
    this.premove.update();
    this.render(true);
    if (isElsewhere || (view.end && !hadEnd)) this.board.announce(spoken(this));
  }

  /** Does what could not be done while the server was away. */
  connected() {
    this.annotator.connected();
    if (this.isPauseDue) this.pauseHidden();
  }

  keepCopy() {
    clearTimeout(this.copyTimer);
    this.copyTimer = 0;
    keepCopy(this.view, this.tree);
  }

  acceptLines(lines) {
    this.lines = lines;
    if (this.mode !== 'setup') this.renderLines();
  }

  // ---- actions of people

  targets(from) {
    if (this.mode === 'setup') return this.setupCard.targets(from);
    const { contest, side } = this.view;
    if (this.awayBar.reason || this.preview.shown) return [];
    if (this.learn.puzzle) return this.learn.targets(from);
    if (this.premove.isPossible) return this.premove.targets(from);
    if (this.mode === 'play' && contest?.running && contest[side].engine) return [];
    return this.view.legal.filter((move) => move.startsWith(from)).map((move) => move.slice(2));
  }

  moved(from, to) {
    if (this.mode === 'setup') {
      this.setupCard.move(from, to);
      return true;
    }
    if (this.learn.puzzle) {
      this.learn.move(from, to);
      return true;
    }
    if (this.premove.isPossible) {
      this.premove.set(from, to);
      return false;
    }
    this.change('move', { move: from + to });
    return true;
  }

  goTo(node) {
    this.learn.leave();
    if (this.mode === 'setup') this.setMode('analyse');
    return this.change('goto', { to: node });
  }

  step(direction) {
    if (this.mode === 'setup') return;
    if (this.preview.shown) {
      this.preview.step(direction);
      return;
    }
    if (this.learn.puzzle) return;
    const isStart = this.view.node === 0 && (direction === 'back' || direction === 'start');
    const isEnd = this.tree.after(this.view.node).length === 0 && (direction === 'forward' || direction === 'end');
    if (!isStart && !isEnd) this.change('goto', { to: direction });
  }

  async playLine(moves) {
    for (const move of moves) {
      if (!await this.change('move', { move })) return;
    }
  }

  analyse(isOn) {
    return this.change('analyse', { lines: isOn ? this.prefs.lines : null });
  }

  /** Turns the board; the server remembers it. */
  flip(isFlipped = !this.board.flipped) {
    if (isFlipped === this.board.flipped) return Promise.resolve(true);
    this.board.flip(isFlipped);
    return this.change('settings', { bottom: isFlipped ? 'black' : 'red' });
  }

  /** Pauses a game whose clocks and buttons are hidden; while the server is away, as soon as it is there. */
  async pauseHidden() {
    const isHidden = this.mode !== 'play' || this.playCard.wantsForm;
    this.isPauseDue = isHidden && Boolean(this.view.contest?.running);
    if (this.isPauseDue && await this.change('pause')) this.isPauseDue = false;
  }

  setMode(mode) {
    const old = this.mode;
    this.mode = mode;
    document.body.dataset.mode = mode;
    tabStorage.set('mode', mode);
    this.preview.leave();
    this.learn.leave();
    for (const button of all('[data-go]')) {
      button.setAttribute('aria-pressed', String(button.dataset.go === mode));
    }
    const { analysis } = this.view;
    this.pauseHidden();
    if (mode === 'setup') {
      this.setupCard.open();
      this.render();
      return;
    }
    if (old === 'setup') this.setupCard.close();
    if (mode === 'play' && analysis !== null) this.analyse(false);
    this.render();
  }

  // ---- drawing

  /** @param {boolean} isNew whether the view has just come, with new clocks */
  render(isNew = false) {
    if (!this.isBegun) return;
    const { view, board, mode } = this;
    this.looks.update(view);
    if (isNew && board.flipped !== (view.bottom === 'black')) board.flip();
    this.players.update(this.learn.viewOf(view), board.flipped, isNew, Boolean(this.awayBar.reason));
    const previewed = this.learn.update() ?? this.preview.update(view);
    if (mode === 'setup') {
      this.setupCard.update();
    } else {
      board.setPosition(previewed?.fen ?? view.fen);
      const last = previewed ? previewed.move : (view.path.length ? this.tree.moves.get(view.path.at(-1)).move : null);
      board.setLastMove(last?.slice(0, 2), last?.slice(2));
    }
    this.moveList.update(view, this.tree);
    this.curve.update(view, this.tree);
    this.review.update(view, this.tree);
    this.judge.update(view);
    this.annotator.update(view, this.tree);
    this.bookCard.update(view);
    this.playCard.update(view);
    this.history.update(view);
    this.awayBar.update();
    document.body.classList.toggle('fresh', mode === 'play' && view.moves.length === 0);
    this.renderStatus();
    this.renderLines();
    const analyseOn = byId('analyse-on', HTMLInputElement);
    analyseOn.checked = view.analysis !== null;
    analyseOn.disabled = Boolean(this.awayBar.reason);
    byId('threat').setAttribute('aria-pressed', String(view.threat));
    byId('judge').hidden = !view.repeats;
    // What is set up is no game yet.
    byId('save-file', HTMLButtonElement).disabled = mode === 'setup';
    const isHidden = view.node === 0 || Boolean(this.learn.puzzle);
    byId('remove-move').hidden = isHidden;
    byId('promote-line').hidden = isHidden || this.tree.isMain(view.node);
  }

  renderLines() {
    const { view, lines, board, mode, prefs } = this;
    const isAway = Boolean(this.awayBar.reason);
    this.lineList.update(view, isAway ? null : lines, isAway);
    const known = view.node === 0 ? view.start_score : this.tree.moves.get(view.node)?.score;
    const found = this.lineList.found[0]?.score;
    // A puzzle hides the game.
    const shown = this.learn.puzzle ? undefined : found ?? known;
    this.shownScore = shown;
    const isAnalysis = mode === 'analyse';
    // The scores of the moves come with the next view; the one of the shown move follows the analysis.
    if (view.analysis !== null && found && found.depth >= (known?.depth ?? 0)) this.moveList.showScore(view.node, found);
    this.meter.update(isAnalysis ? shown : undefined, board.flipped);
    if (mode === 'setup') return;
    if (this.preview.shown || this.learn.puzzle) {
      board.setArrows(this.learn.puzzle ? this.learn.arrows() : []);
      board.setMarks([]);
      return;
    }
    const isOn = isAnalysis && view.analysis !== null && prefs.arrows && !this.awayBar.reason;
    const loop = isAnalysis ? this.judge.notes(view) : null;
    const threats = isAnalysis && view.threat ? this.lineList.threatArrows() : [];
    board.setArrows([...(isOn ? this.lineList.arrows() : []), ...threats, ...(loop?.arrows ?? []), ...this.premove.arrows()]);
    board.setMarks([...(view.check ? [{ square: view.check, kind: 'victim' }] : []), ...(loop?.marks ?? [])]);
  }

  renderStatus() {
    const { view } = this;
    const text = statusText(this);
    byId('status').textContent = text;
    showThinking(view, this.mode, text);
    const ruling = byId('ruling');
    ruling.hidden = !view.repetition || this.mode === 'setup' || Boolean(this.learn.puzzle);
    if (view.repetition) ruling.textContent = bannerText(view);
  }
}

const app = new App();
app.begin().catch((error) => {
  setLanguage(app.prefs.language);
  byId('status').textContent = errorText(error);
});
