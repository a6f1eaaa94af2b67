// Small helpers for elements.

/**
 * The element with an id.
 * @template {HTMLElement} [T=HTMLElement]
 * @param {string} id
 * @param {new () => T} [kind] its class, for properties that only this class has
 */
export function byId(id, kind) {
  const element = document.getElementById(id);
  if (kind && !(element instanceof kind)) throw new TypeError(`#${id} is no ${kind.name}`);
  return /** @type {T} */ (element);
}

/** The elements that match a selector. @param {string} selector @param {ParentNode} [root] */
export const all = (selector, root = document) => /** @type {HTMLElement[]} */ ([...root.querySelectorAll(selector)]);

/** The element that matches a selector around the one that an event comes from. @param {Event} event @param {string} selector */
export const closest = ({ target }, selector) => (
  /** @type {HTMLElement|null} */ (target instanceof Element ? target.closest(selector) : null)
);

/** Returns whether a dialog covers the page. */
export const isCovered = () => document.querySelector('dialog[open]') !== null;

/** Lets the browser draw and answer before the page goes on. @returns {Promise<void>} */
export const nextTask = () => new Promise((done) => { setTimeout(done); });

/**
 * A new element. Attributes that begin with `on` are listeners; `true` sets an empty attribute, and
 * `false`, `null` and `undefined` leave it out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any>} [attributes]
 * @param {...(Node|string|null|undefined)} children
 */
export function make(tag, attributes = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, '');
    else if (value !== false && value != null) element.setAttribute(name, value);
  }
  element.append(...children.filter((child) => child != null));
  return element;
}

/** One of the page's icons. @param {string} name */
export function icon(name) {
  const [svg, use] = ['svg', 'use'].map((tag) => document.createElementNS('http://www.w3.org/2000/svg', tag));
  svg.setAttribute('class', 'icon');
  svg.setAttribute('viewBox', '0 0 24 24');
  svg.setAttribute('aria-hidden', 'true');
  use.setAttribute('href', `#icon-${name}`);
  svg.append(use);
  return svg;
}

/** A drop-down list of [value, text] pairs. */
export function choice(options, selected, onchange, attributes = {}) {
  const list = make('select', { ...attributes, onchange: (event) => onchange(event.target.value) });
  for (const [value, text] of options) {
    list.append(make('option', { value, selected: String(value) === String(selected) }, text));
  }
  return list;
}

/** Buttons of which one is pressed, for [value, text, title] triples. */
export function segments(options, selected, onchange, label) {
  const group = make('div', { class: 'segments', role: 'group', 'aria-label': label });
  for (const [value, text, title] of options) {
    const press = () => {
      for (const other of group.children) other.setAttribute('aria-pressed', String(other === button));
      onchange(value);
    };
    const button = make('button', { type: 'button', 'aria-pressed': String(value === selected), title, onclick: press }, text);
    group.append(button);
  }
  return group;
}

/** A labelled row of a form. */
export const field = (text, control) => make('label', { class: 'field' }, make('span', {}, text), control);

/** As `field`, for a group of buttons, which no label may hold. */
export const fieldGroup = (text, control) => make('div', { class: 'field' }, make('span', {}, text), control);

/**
 * Replaces the children of an element. If one of its controls had the focus, the control with the same
 * id, text or place gets it.
 * @param {HTMLElement} element
 * @param {Node[]} children
 */
export function redraw(element, children) {
  const controls = () => all('button, select, input, textarea, a[href]', element).filter((control) => !('disabled' in control && control.disabled));
  const old = /** @type {HTMLElement} */ (document.activeElement);
  const place = controls().indexOf(old);
  element.replaceChildren(...children);
  if (place < 0) return;
  const now = controls();
  const same = now.find(({ id }) => id && id === old.id)
    ?? now.find(({ textContent }) => textContent && textContent === old.textContent)
    ?? now[place] ?? now[0];
  same?.focus({ preventScroll: true });
}

/**
 * A click is lost if its element is replaced while the button of the mouse is down, so what is to be drawn
 * meanwhile is drawn after it.
 * @template {any[]} T
 * @param {HTMLElement} element
 * @param {(...values: T) => void} draw
 * @returns {(...values: T) => void} what to call in place of `draw`
 */
export function whenReleased(element, draw) {
  let isPressed = false;
  let next = null;
  // The list of a select, and the menu of another button, may take the release.
  element.addEventListener('pointerdown', (event) => { isPressed = event.button === 0 && !closest(event, 'select'); });
  const release = () => {
    isPressed = false;
    if (next) draw(...next);
    next = null;
  };
  // The click comes after the button is up.
  for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => setTimeout(release));
  return (...values) => {
    if (isPressed) next = values;
    else draw(...values);
  };
}

const toastElement = byId('toast');
let toastTimer = 0;

/** Shows a message for some seconds; in an open dialog, since everything else is covered then. */
export function toast(text) {
  const place = document.querySelector('dialog[open]') ?? document.body;
  if (toastElement.parentNode !== place) {
    place.append(toastElement);
    if (place !== document.body) place.addEventListener('close', () => document.body.append(toastElement), { once: true });
  }
  toastElement.textContent = text;
  toastElement.hidden = false;
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { toastElement.hidden = true; }, 6000);
}

/** Hides the message: what it is about is over. */
export function hideToast() {
  clearTimeout(toastTimer);
  toastElement.hidden = true;
}

/**
 * Copies a text; fails where the browser does not allow it. Pages of plain HTTP addresses other than this machine have no clipboard.
 * @param {string|Promise<string>} text
 */
export async function copy(text) {
  if (navigator.clipboard && 'ClipboardItem' in window && typeof text !== 'string') {
    // The clipboard takes the promise: in Safari the click no longer counts when the text comes.
    const blob = text.then((known) => new Blob([known], { type: 'text/plain' }));
    await Promise.all([blob, navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })])]);
    return;
  }
  const known = await text;
  if (navigator.clipboard) {
    await navigator.clipboard.writeText(known);
    return;
  }
  const area = make('textarea', { class: 'off-screen' });
  area.value = known;
  (document.querySelector('dialog[open]') ?? document.body).append(area);
  area.select();
  const isCopied = document.execCommand('copy');
  area.remove();
  if (!isCopied) throw new DOMException('the text is not copied', 'NotAllowedError');
}
