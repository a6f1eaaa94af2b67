// Keeps the page, so that it opens without a network, and isolates it: then its worker shares memory with it.

/** Other versions at the same address begin so, too. */
const CACHES = `cannonade ${self.registration.scope} `;
const CACHE = `${CACHES}VERSION`;
const FILES = [/* FILES */];

/** A module with a vector. */
const SIMD_TEST = new Uint8Array([
  0, 97, 115, 109, 1, 0, 0, 0, 1, 5, 1, 96, 0, 1, 123, 3, 2, 1, 0, 10, 10, 1, 8, 0, 65, 0, 253, 15, 253, 98, 11,
]);
/** The module of a page that is isolated. Another one is kept when it is loaded. */
const MODULE = chooseModule();

/** What a page needs to be isolated; every file of it has to allow that. */
const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
  'Cross-Origin-Resource-Policy': 'same-origin',
};

function chooseModule() {
  if (!WebAssembly.validate(SIMD_TEST)) return 'cannonade.wasm';
  return FILES.includes('cannonade_wasm_threads.js') ? 'cannonade-threads.wasm' : 'cannonade-simd.wasm';
}

self.addEventListener('install', (event) => {
  self.skipWaiting();
  const files = ['.', ...FILES, MODULE].map((file) => new Request(file, { cache: 'no-cache' }));
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
  const { origin } = new URL(event.request.url);
  if (event.request.method === 'GET' && origin === location.origin) event.respondWith(answer(event.request));
});

async function answer(request) {
  const cache = await caches.open(CACHE);
  const response = await cache.match(request, { ignoreSearch: true }) ?? await fetchAndKeep(request, cache);
  // A redirection that the browser follows by itself.
  if (response.type === 'opaqueredirect') return response;
  const headers = new Headers(response.headers);
  for (const [name, value] of Object.entries(ISOLATION)) headers.set(name, value);
  return new Response(response.body, { status: response.status, statusText: response.statusText, headers });
}

async function fetchAndKeep(request, cache) {
  const response = await fetch(request);
  if (response.ok && request.url.endsWith('.wasm')) await cache.put(request, response.clone());
  return response;
}
