// Games that the browser keeps (IndexedDB) for the pages in all tabs.

const STORE = 'games';

/** Files that are read at the start, the newest ones; the list of games has no more. */
const MOST = 200;

/** Milliseconds after which a file that could not be written is tried again. */
const RETRY = 5000;

const done = (request) => new Promise((resolve, reject) => {
  request.onsuccess = () => resolve(request.result);
  request.onerror = () => reject(request.error);
});

/** Opens the games; null in a browser that keeps nothing. */
export async function openGames() {
  try {
    const opening = indexedDB.open('cannonade', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore(STORE, { keyPath: 'name' }).createIndex('modified', 'modified');
    const database = await done(opening);
    const games = new BrowserGames(database);
    await games.read();
    return games;
  } catch {
    return null;
  }
}

class BrowserGames {
  constructor(database) {
    this.database = database;
    /** Names, milliseconds since 1970 and contents. @type {[string, number, Uint8Array][]} */
    this.files = [];
    /** Files that are not written yet; removed ones have no content. */
    this.waiting = new Map();
    this.isWriting = false;
    /** Changes of other tabs that nobody has taken. */
    this.changes = [];
    this.onchange = (change) => { this.changes.push(change); };
    this.onproblem = null;
    this.channel = 'BroadcastChannel' in globalThis ? new BroadcastChannel('cannonade games') : null;
    if (this.channel) this.channel.onmessage = ({ data }) => this.onchange(data);
    // A later version of the page must be able to change the store.
    database.onversionchange = () => database.close();
  }

  /** Passes on the changes of other tabs, those since the games were opened first. */
  watch(take) {
    this.changes.splice(0).forEach(take);
    this.onchange = take;
  }

  read() {
    return new Promise((resolve, reject) => {
      const index = this.database.transaction(STORE).objectStore(STORE).index('modified');
      const request = index.openCursor(null, 'prev');
      request.onerror = () => reject(request.error);
      request.onsuccess = () => {
        const cursor = request.result;
        if (!cursor || this.files.length === MOST) {
          resolve();
          return;
        }
        const { name, modified, bytes } = cursor.value;
        this.files.push([name, modified, bytes]);
        cursor.continue();
      };
    });
  }

  /** Writes a file, or removes it if it has no content. @param {string} name @param {Uint8Array} [bytes] */
  keep(name, bytes) {
    this.waiting.set(name, { name, modified: Date.now(), bytes });
    if (!this.isWriting) this.write();
  }

  async write() {
    this.isWriting = true;
    while (this.waiting.size) {
      const files = [...this.waiting.values()];
      this.waiting.clear();
      try {
        await this.writeAll(files);
        this.onproblem?.(undefined);
        for (const file of files) this.channel?.postMessage(file);
      } catch (error) {
        this.onproblem?.(error?.message || String(error));
        for (const file of files) if (!this.waiting.has(file.name)) this.waiting.set(file.name, file);
        await new Promise((later) => { setTimeout(later, RETRY); });
      }
    }
    this.isWriting = false;
  }

  writeAll(files) {
    return new Promise((resolve, reject) => {
      const transaction = this.database.transaction(STORE, 'readwrite');
      const store = transaction.objectStore(STORE);
      for (const file of files) {
        if (file.bytes) store.put(file);
        else store.delete(file.name);
      }
      // Without waiting for this worker, which may compute until it is ended.
      transaction.commit();
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error);
    });
  }
}
