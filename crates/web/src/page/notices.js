// Notices with an action, such as one that undoes a change.

import { make } from './dom.js';
import { t } from './text.js';

/** Milliseconds that a notice stays; longer while it has the focus or the pointer. */
const TIME = 12000;

const element = make('div', { class: 'notice', role: 'status', hidden: true });
document.querySelector('main').append(element);
let timer = 0;

/**
 * Shows a text with buttons until one is used, another notice comes, or some time has passed.
 * @param {string} name that of the text, so that it is written in the language that is chosen meanwhile
 * @param {[string, () => void][]} actions names of the texts of the buttons, and what they do
 */
export function notice(name, actions) {
  const buttons = actions.map(([label, act]) => make('button', {
    type: 'button',
    'data-t': label,
    onclick: () => {
      hideNotice();
      act();
    },
  }, t(label)));
  element.replaceChildren(make('span', { 'data-t': name }, t(name)), ...buttons);
  element.hidden = false;
  wait();
}

export function hideNotice() {
  clearTimeout(timer);
  element.hidden = true;
}

function wait() {
  clearTimeout(timer);
  timer = setTimeout(() => {
    if (element.matches(':hover, :focus-within')) wait();
    else hideNotice();
  }, TIME);
}
