// The settings of the page.

import { byId, choice, field, fieldGroup, make, redraw } from './dom.js';
import { closesOutside, head, notationChoices } from './files.js';
import { COORDINATES, SIZES } from './looks.js';
import { t } from './text.js';

const EDGES = { files: '9–1, 1–9', chinese: '九–一, 1–9', '0-9': 'a–i, 0–9', '1-10': 'a–i, 1–10' };

/** How long each position of a game is searched. @type {[string, number][]} */
const ANALYSES = [['time 100', 0.1], ['time 400', 0.4], ['time 1000', 1], ['time 3000', 3], ['time 10000', 10], ['nodes 100000', 0]];

const edgeText = (name) => EDGES[name] ?? t(name === 'auto' ? 'coordinatesAuto' : 'coordinatesNone');

export class Settings {
  /** @param {import('./app.js').App} app */
  constructor(app) {
    this.app = app;
    this.dialog = byId('settings-dialog', HTMLDialogElement);
    closesOutside(this.dialog);
    byId('open-settings').addEventListener('click', () => this.show());
  }

  show() {
    const { app, dialog } = this;
    const { prefs, view } = app;
    const keep = (name) => (value) => { app.keep(name, value); app.applyPrefs(); this.show(); };
    const setRules = (rules) => { app.keep('rules', rules); app.change('settings', { rules }); };
    const setNotation = (notation) => { app.keep('notation', notation); app.setNotation(notation); };
    redraw(dialog, [
      head(dialog, 'settings-title', t('settings')),
      field(t('rules'), choice(app.facts.rules.map((name) => [name, t(`rules${name}`)]), view.rules, setRules, { id: 'rules' })),
      field(t('notation'), choice(notationChoices(app.facts), view.notation, setNotation, { id: 'notation' })),
      field(t('analysisTime'), choice(ANALYSES.map(([value, count]) => [value, value.startsWith('time') ? t('secondsEach', count) : t('nodesEach')]), prefs.analysis, (value) => { app.keep('analysis', value); app.render(); }, { id: 'analysis-time' })),
      fieldGroup(t('pieces'), app.looks.pieces(keep('pieces'))),
      fieldGroup(t('boards'), app.looks.boards(keep('board'))),
      field(t('coordinates'), choice(COORDINATES.map((name) => [name, edgeText(name)]), prefs.coordinates, keep('coordinates'))),
      field(t('size'), this.sizeSlider()),
      field(t('theme'), choice(['Auto', 'Light', 'Dark'].map((name) => [name.toLowerCase(), t(`theme${name}`)]), prefs.theme, keep('theme'))),
      field(t('languageName'), choice([['en', 'English'], ['zh', '中文']], prefs.language, (value) => this.setLanguage(value))),
      ...['arrows', 'sound'].map((name) => make('label', { class: 'checkbox' }, make('input', { type: 'checkbox', id: `setting-${name}`, checked: prefs[name], onchange: (event) => keep(name)(event.target.checked) }), t(name))),
      make('button', { type: 'button', id: 'show-keys', onclick: () => { dialog.close(); app.shortcuts.show(); } }, `${t('keys')} (?)`),
    ]);
    if (!dialog.open) dialog.showModal();
  }

  /** @param {'en'|'zh'} language */
  async setLanguage(language) {
    const isSet = this.app.setLanguage(language);
    this.show();
    await isSet;
    if (this.dialog.open) this.show();
  }

  sizeSlider() {
    const { app } = this;
    return make('input', {
      type: 'range', id: 'board-size', min: SIZES.least, max: SIZES.most, step: 5, value: app.prefs.size,
      oninput: (event) => {
        app.keep('size', Number(event.target.value));
        app.looks.apply();
      },
    });
  }
}
