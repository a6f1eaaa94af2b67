// How calls travel: over HTTP. The page without a server has another file of this name.

/** Whether there is a server, which may keep games and may be away. */
export const hasServer = true;

/** @typedef {{status: number, type: string, name: string, body: Blob}} Answer of a function; `name` is that of a file */

/** Hears that the engine does not start; a server has started it. @param {() => void} _hear */
export const onStall = (_hear) => {};

/**
 * Calls a function. It has one kind of input: none, an object, or a file.
 * @param {string} name @param {string} query @param {object|Blob|null} input @param {AbortSignal} [signal] @returns {Promise<Answer>}
 */
export async function call(name, query, input, signal) {
  const response = await request(name, query, input, signal);
  const [, file] = /filename="([^"]*)"/.exec(response.headers.get('Content-Disposition') ?? '') ?? [null, ''];
  return { status: response.status, type: response.headers.get('Content-Type') ?? '', name: file, body: await response.blob() };
}

function request(name, query, input, signal) {
  const address = `api/${name}${query && `?${query}`}`;
  if (input === null) return fetch(address, { signal });
  const isFile = input instanceof Blob;
  const type = isFile ? 'application/octet-stream' : 'application/json';
  return fetch(address, { method: 'POST', headers: { 'Content-Type': type }, body: isFile ? input : JSON.stringify(input), signal });
}

/** Milliseconds of silence after which the server counts as away: it shows every second that it is there. */
const SILENCE = 8000;

/**
 * Begins a search. `hear` gets its events; the promise comes with its end, or fails with the answer that refuses it.
 * @param {string} name @param {object} input @param {(event: any) => void} hear @param {AbortSignal} signal
 * @returns {Promise<Answer|null>} the answer of a refusal, or null at the end
 */
export async function listen(name, input, hear, signal) {
  const silence = new AbortController();
  const response = await request(name, '', input, AbortSignal.any([signal, silence.signal]));
  if (!response.ok) return { status: response.status, type: '', name: '', body: await response.blob() };
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let [rest, timer] = ['', 0];
  try {
    for (;;) {
      clearTimeout(timer);
      timer = setTimeout(() => silence.abort(new TypeError('the server is silent')), SILENCE);
      const { done, value } = await reader.read();
      if (done) return null;
      const lines = (rest + value).split('\n');
      rest = lines.pop();
      for (const line of lines) if (line) hear(JSON.parse(line));
    }
  } finally {
    clearTimeout(timer);
  }
}

/** Calls a function while the page is being left. @param {string} name @param {object} input */
export function callLast(name, input) {
  navigator.sendBeacon(`api/${name}`, new Blob([JSON.stringify(input)], { type: 'application/json' }));
}
