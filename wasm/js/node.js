// Workers in Node and in browsers.

export const isNode = typeof process !== 'undefined' && Boolean(process.versions?.node);

/** Loads a module of Node by its name, such as `fs/promises`; no bundler follows the import. */
export const nodeModule = (name) => import(/* webpackIgnore: true */ /* @vite-ignore */ `node:${name}`);

/**
 * Receives the messages to this worker. A browser drops those that come before its script has called this.
 *
 * @param {(message: any, port: any) => void} hear takes a message and the port, which answers and closes
 */
export async function listen(hear) {
  if (!isNode) {
    globalThis.onmessage = ({ data }) => hear(data, globalThis);
    return;
  }
  const { parentPort } = await nodeModule('worker_threads');
  // In Deno a worker closes as in a browser.
  parentPort.close ??= () => globalThis.close();
  parentPort.on('message', (data) => hear(data, parentPort));
}
