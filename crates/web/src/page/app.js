// The page: one board with its game.

import { Annotator } from './annotator.js';
import { AwayBar } from './away.js';
import { BookCard } from './book.js';
import { Collection } from './collection.js';
import { all, byId, closest, isCovered, nextTask, toast } from './dom.js';
import { Engine } from './engine.js';
import { Files } from './files.js';
import { about, books } from './functions.js';
import { Game } from './game.js';
import { Games } from './games.js';
import { History } from './history.js';
import { bannerText, Judge } from './judging.js';
import { Keeper } from './keeper.js';
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
import { SetupCard } from './setup.js';
import { Shortcuts } from './shortcuts.js';
import { Sound, soundOf } from './sound.js';
import { spoken, statusText } from './status.js';
import { GameStore } from './store.js';
import { pageStorage, tabStorage } from './storage.js';
import { pieceName, setLanguage, t, translate } from './text.js';
import { showThinking } from './thinking.js';
import { hasServer, onStall } from './transport.js';
import { TableCard } from './tables.js';
import { Tree } from './tree.js';
import { viewOf } from './view.js';

/** Milliseconds after which the page says that it is loading. */
const PATIENCE = 1000;

/** Milliseconds between two questions whether the server is there. */
const HEARTBEAT = 5000;

/** Milliseconds between two questions whether it is there again. */
const RETRY = 1500;

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
  analysis: 'time 400',
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
    this.isSpeechDue = false;
    this.game = new Game();
    this.engine = new Engine(this);
    this.view = this.now;
    this.tree = new Tree(this.view);
    /** @type {import('./scores.js').Score|undefined} */
    this.shownScore = undefined;
  }

  /** Shows what the page waits for, before there is a board. @param {string} key */
  say(key) {
    setLanguage(this.prefs.language);
    byId('status').textContent = t(key);
  }

  async begin() {
    Object.assign(this.game, { rules: this.prefs.rules, notation: this.notation() });
    this.games = new Games(this);
    const loading = setTimeout(() => this.say('loading'), PATIENCE);
    onStall(() => { if (!this.isBegun) this.say('stalled'); });
    const [facts, bookList] = await Promise.all([about(PATIENCE * 10), books().catch(() => [])]).finally(() => clearTimeout(loading));
    this.facts = facts;
    this.store = new GameStore(facts.games);
    await this.store.open();
    this.keeper = new Keeper(this, this.store);
    await this.keeper.reopen();
    await this.games.load();
    this.view = this.now;
    const { view } = this;
    this.board = new XiangqiBoard(byId('board'), {
      pieces: this.prefs.pieces,
      coordinates: coordinatesOf(this.prefs.coordinates, view.notation),
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
    this.collection = new Collection(this);
    this.settings = new Settings(this);
    this.judge = new Judge(this);
    this.annotator = new Annotator(this);
    this.bookCard = new BookCard(this, bookList);
    this.tableCard = new TableCard(this);
    this.history = new History(this);
    this.awayBar = new AwayBar(this);
    this.playCard.wantsForm = !view.contest;
    this.connectControls();
    await nextTask();
    this.applyPrefs();
    const usual = view.contest || view.moves.length === 0 ? 'play' : 'analyse';
    this.setMode(tabStorage.get('mode') ?? usual);
    this.isBegun = true;
    this.accept();
    this.annotator.save();
    this.rename();
    this.files.openAddress();
    addEventListener('hashchange', () => this.files.openAddress());
    if (hasServer) setInterval(() => this.listen(), HEARTBEAT);
    document.body.classList.add('ready');
    // For checks, and for who looks at the page from its console.
    Object.assign(document.body, { cannonade: this });
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
    await this.setNotation(this.notation());
  }

  /** @param {string} notation */
  async setNotation(notation) {
    if (notation === this.game.notation) return;
    this.change('settings', { notation });
    await this.rename();
  }

  /** Writes the moves in the notation. */
  async rename() {
    await this.attempt(() => this.engine.rename());
    this.accept();
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

  // ---- what the page asks for

  /** Does something that may be refused; shows why it was. */
  async attempt(work) {
    try {
      return await work();
    } catch (error) {
      this.tell(error);
      return null;
    }
  }

  /** Shows why something was not done. @param {Error & {status?: number}} error */
  tell(error) {
    // Without an answer, or with another key, the bar says what is the matter; a dialog hides it.
    const isAway = !isOfBrowser(error) && (!error.status || error.status === 403);
    if (isAway) this.lost(error);
    if (!isAway || isCovered()) toast(errorText(error));
  }

  /** Finds out whether the server is there, while the page is seen and nothing else tells. */
  async listen() {
    if (document.hidden || this.awayBar.reason) return;
    await about().catch((error) => this.lost(error));
  }

  /** The server does not answer, or not to this page: it is asked until it does. @param {Error & {status?: number}} error */
  async lost(error) {
    if (!hasServer) {
      toast(errorText(error));
      return;
    }
    if (this.awayBar.reason) return;
    this.awayBar.show(error.status === 403 ? 'address' : 'away');
    for (;;) {
      await new Promise((done) => { setTimeout(done, RETRY); });
      const failure = await about().then(() => null, (reason) => reason);
      if (!failure) break;
      this.awayBar.show(failure.status === 403 ? 'address' : 'away');
    }
    this.awayBar.show(null);
    await this.rename();
  }

  /** Makes a change and draws it. Returns whether it was made. @param {string} action @param {any} [value] */
  change(action, value = {}) {
    const before = this.view;
    if (['replace', 'open', 'undo', 'redo'].includes(action)) this.keeper.take();
    const tasks = { analyse: 'analyse', sweep: 'setSweep', threat: 'setThreat', pause: 'rest' };
    try {
      if (action in tasks) this.engine[tasks[action]](value);
      else this.game[action](value);
    } catch (error) {
      this.tell(error);
      this.accept();
      return false;
    }
    this.accept();
    this.history.changed(action, before);
    return true;
  }

  /** The game as it is now. */
  get now() { return viewOf(this.game, this.engine); }

  /** Draws the game as it is now. */
  accept() {
    if (!this.isBegun) return;
    this.engine.update();
    const view = this.now;
    const isElsewhere = view.node !== this.view.node || view.start !== this.view.start;
    const hadEnd = Boolean(this.view.end);
    const heard = soundOf(this.view, view);
    if (heard && this.prefs.sound) this.sound.play(heard);
    this.view = view;
    this.tree = new Tree(view);
    this.keeper.changed();
    this.premove.update();
    this.render(true);
    // The move is said by its name, which comes a little later.
    const isUnnamed = Boolean(this.game.node.parent && !this.game.node.text && !this.awayBar.reason);
    const isDue = isElsewhere || this.isSpeechDue || (view.end && !hadEnd);
    if (isDue && !isUnnamed) this.board.announce(spoken(this));
    this.isSpeechDue = isDue && isUnnamed;
  }

  // ---- actions of people

  targets(from) {
    if (this.mode === 'setup') return this.setupCard.targets(from);
    const { contest, side } = this.view;
    if (this.preview.shown) return [];
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
    // The first move begins the game of the form.
    if (this.mode === 'play' && this.playCard.isMoversGame) this.playCard.start();
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

  playLine(moves) {
    for (const move of moves) if (!this.change('move', { move })) return;
  }

  analyse(isOn) {
    return this.change('analyse', { lines: isOn ? this.prefs.lines : null });
  }

  /** Turns the board. */
  flip(isFlipped = !this.board.flipped) {
    if (isFlipped !== (this.game.bottom === 'black')) this.change('settings', { bottom: isFlipped ? 'black' : 'red' });
  }

  /** Pauses a game whose clocks and buttons are hidden. */
  pauseHidden() {
    const isHidden = this.mode !== 'play' || this.playCard.wantsForm;
    if (isHidden && this.game.isRunning) this.change('pause');
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
    const { analysis } = this.engine;
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

  /** Brings the board in sight, where the panel is below it. */
  showBoard() {
    const { top, bottom } = byId('board').getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) document.querySelector('.table').scrollIntoView({ block: 'start' });
  }

  // ---- drawing

  /** @param {boolean} isNew whether the view has just come, with new clocks */
  render(isNew = false) {
    if (!this.isBegun) return;
    const { view, board, mode } = this;
    this.looks.update(view);
    if (isNew && board.flipped !== (view.bottom === 'black')) board.flip();
    this.players.update(mode === 'setup' ? this.setupCard.viewOf(view) : this.learn.viewOf(view), board.flipped, isNew);
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
    this.tableCard.update(view);
    this.collection.draw();
    this.playCard.update(view);
    this.history.update(view);
    this.awayBar.update();
    document.body.classList.toggle('ended', mode === 'play' && Boolean(view.end && view.contest));
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
    const { view, engine, board, mode, prefs } = this;
    if (mode === 'setup') return;
    const isAway = Boolean(this.awayBar.reason);
    const found = engine.found?.node === this.game.node && !isAway ? engine.found : null;
    this.lineList.update(view, found, isAway);
    const known = view.node === 0 ? view.start_score : this.tree.moves.get(view.node)?.score;
    const best = this.lineList.found[0]?.score;
    // A puzzle hides the game.
    const shown = this.learn.puzzle ? undefined : best ?? known;
    this.shownScore = shown;
    const isAnalysis = mode === 'analyse';
    // The scores of the moves come with the next view; the one of the shown move follows the analysis.
    if (view.analysis !== null && best && best.depth >= (known?.depth ?? 0)) this.moveList.showScore(view.node, best);
    this.meter.update(isAnalysis ? shown : undefined, board.flipped);
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
