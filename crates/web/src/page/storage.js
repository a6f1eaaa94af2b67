// The storage of the browser: of the tab, and of the page in all tabs. Values that it does not take (it can be blocked,
// and full) last as long as the page.

class Store {
  /** @param {() => Storage} open may fail */
  constructor(open) {
    this.open = open;
    /** @type {Map<string, string>} */
    this.own = new Map();
  }

  /** @param {string} key @returns {string|null} */
  get(key) {
    try {
      return this.own.get(key) ?? this.open().getItem(key);
    } catch {
      return null;
    }
  }

  /** Returns whether the browser keeps the value. @param {string} key @param {string} value */
  set(key, value) {
    try {
      this.open().setItem(key, value);
      this.own.delete(key);
      return true;
    } catch {
      this.own.set(key, value);
      return false;
    }
  }

  /** @param {string} key */
  remove(key) {
    this.own.delete(key);
    try {
      this.open().removeItem(key);
    } catch {
      // Nothing is kept.
    }
  }
}

export const tabStorage = new Store(() => sessionStorage);
export const pageStorage = new Store(() => localStorage);
