// Keeps the page, so that it opens without a network, and isolates it: then its worker shares memory with it.

/** Other versions at the same address begin so, too. */
const CACHES = `cannonade ${self.registration.scope} `;
const CACHE = `${CACHES}VERSION`;
/** The files of the page, each with its hash: an upload seen halfway is not kept. @type {Map<string, string>} */
const FILES = new Map([/* FILES */]);

/** A module with a vector. */
const SIMD_TEST = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
/** The module without threads. */
const SINGLE = WebAssembly.validate(SIMD_TEST) ? 'cannonade-simd.wasm' : 'cannonade.wasm';
/** The module of a page that is isolated. Another one is kept when it is loaded. */
const MODULE = chooseModule();

const isModule = (name) => name.endsWith('.wasm');

/** What a page needs to be isolated; every file of it has to allow that. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function chooseModule() {
  const hasThreads = SINGLE === 'cannonade-simd.wasm' && FILES.has('cannonade-threads.wasm');
  return hasThreads ? 'cannonade-threads.wasm' : SINGLE;
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  event.waitUntil(install());
});

async function install() {
  const cache = await caches.open(CACHE);
  // A page that waits to be isolated loads the module afterwards, and it is kept then. A later version has it before
  // it takes the place of this one.
  const isFirst = !self.registration.active;
  const names = ['', ...FILES.keys()].filter((name) => !isModule(name) || (name === MODULE && !isFirst));
  await Promise.all(names.map((name) => keep(name, cache)));
  // That of a page which may not share memory; a browser may have no room for both.
  if (MODULE !== SINGLE && !isFirst) await keep(SINGLE, cache).catch(() => {});
}

/** Loads and keeps a file. */
async function keep(name, cache) {
  const request = new Request(name || '.', { cache: 'no-cache', integrity: hashOf(name) });
  const response = await fetch(request);
  if (!response.ok) throw new Error(`${name}: status ${response.status}`);
  await cache.put(request, isolated(response));
}

/** Returns a response with the same content that isolates the page. */
function isolated(response) {
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

self.addEventListener('activate', (event) => {
  event.waitUntil((async () => {
    const names = await caches.keys();
    const old = names.filter((name) => name.startsWith(CACHES) && name !== CACHE);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  })());
});

self.addEventListener('fetch', (event) => {
  const { href } = new URL(event.request.url);
  const [address] = href.split(/[?#]/);
  const name = address.slice(self.registration.scope.length);
  // Other pages below this one are not its own.
  const isOwn = address.startsWith(self.registration.scope) && hashOf(name) !== undefined;
  if (event.request.method === 'GET' && isOwn) event.respondWith(answer(event, name));
});

/** The hash of a file; the page itself has no name. */
function hashOf(name) {
  return FILES.get(name || 'index.html');
}

async function answer(event, name) {
  // A storage that is damaged keeps nothing.
  const cache = await caches.open(CACHE).catch(() => null);
  const kept = await cache?.match(event.request, { ignoreSearch: true }).catch(() => null);
  // As it is: a body that passed through this worker would end with it.
  if (kept) return kept;
  const response = await load(event, name, cache);
  // A redirection that the browser follows by itself.
  return response.type === 'opaqueredirect' ? response : isolated(response);
}

/** Loads a file that is not kept; a module is kept if there is room. */
async function load(event, name, cache) {
  if (!isModule(name)) return fetch(event.request);
  const response = await fetch(event.request, { cache: 'no-cache', integrity: hashOf(name) });
  if (response.ok) event.waitUntil(cache?.put(event.request, isolated(response.clone())).catch(() => {}));
  return response;
}
