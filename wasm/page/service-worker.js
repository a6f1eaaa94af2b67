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
  if (!WebAssembly.validate(SIMD_TEST)) return 'cannonade.wasm';
  return FILES.has('cannonade-threads.wasm') ? 'cannonade-threads.wasm' : 'cannonade-simd.wasm';
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  const names = [...FILES.keys()].filter((name) => !isModule(name) || name === MODULE);
  const files = ['', ...names].map((name) => new Request(name || '.', { cache: 'no-cache', integrity: hashOf(name) }));
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(files)));
});

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
  const cache = await caches.open(CACHE);
  const response = await cache.match(event.request, { ignoreSearch: true }) ?? await load(event, name, cache);
  // A redirection that the browser follows by itself.
  if (response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

/** Loads a file that is not kept; a module is kept if there is room. */
async function load(event, name, cache) {
  if (!isModule(name)) return fetch(event.request);
  const response = await fetch(event.request, { cache: 'no-cache', integrity: hashOf(name) });
  if (response.ok) event.waitUntil(cache.put(event.request, response.clone()).catch(() => {}));
  return response;
}
