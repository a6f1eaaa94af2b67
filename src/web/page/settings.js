// The settings of the page.

import { byId, choice, field, make, redraw } from './dom.js';
import { closesOutside, head, notationChoices } from './files.js';
import { t } from './text.js';

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
    const setServer = (name) => (value) => { app.keep(name, value); app.change('settings', { [name]: value }); };
    redraw(dialog, [
      head(dialog, 'settings-title', t('settings')),
      field(t('rules'), choice(app.facts.rules.map((name) => [name, t(`rules${name}`)]), view.rules, setServer('rules'), { id: 'rules' })),
      field(t('notation'), choice(notationChoices(app.facts), view.notation, setServer('notation'), { id: 'notation' })),
      field(t('pieces'), choice(['Chinese', 'Simplified', 'Latin', 'Symbols'].map((name) => [name.toLowerCase(), t(`pieces${name}`)]), prefs.pieces, keep('pieces'))),
      field(t('coordinates'), choice([['0-9', 'a-i, 0-9'], ['1-10', 'a-i, 1-10'], ['chinese', t('coordinatesChinese')], ['none', t('coordinatesNone')]], prefs.coordinates, keep('coordinates'))),
      field(t('theme'), choice(['Auto', 'Light', 'Dark'].map((name) => [name.toLowerCase(), t(`theme${name}`)]), prefs.theme, keep('theme'))),
      field(t('languageName'), choice([['en', 'English'], ['zh', '中文']], prefs.language, keep('language'))),
      make('label', { class: 'check' }, make('input', { type: 'checkbox', checked: prefs.arrows, onchange: (event) => keep('arrows')(event.target.checked) }), t('arrows')),
    ]);
    if (!dialog.open) dialog.showModal();
  }
}
