// Keeps the app's own files, so that it opens without a network. Data is the device's business.
const CACHE = 'field-visits'
/** Every file of this build; the build fills it in. */
const FILES = []
/** Milliseconds that a kept file waits for a newer one. */
const TIMEOUT = 3_000

// Files that load before the worker runs never pass it: it fetches all of them, or is not installed.
self.addEventListener('install', event => event.waitUntil(keepAll()))
self.addEventListener('activate', event => event.waitUntil(dropOthers().then(() => self.clients.claim())))

self.addEventListener('fetch', event => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  const isOwn =
    origin === self.location.origin && request.method === 'GET' && !/^\/(app|rc|console|docs)\//.test(pathname)
  if (isOwn) event.respondWith(/-[\w-]{8,}\.\w+$/.test(pathname) ? keptFirst(request) : networkFirst(request))
})

async function keepAll() {
  await (await caches.open(CACHE)).addAll(FILES)
}

// Pages of the build before are closed by now: a new worker waits for them.
async function dropOthers() {
  const cache = await caches.open(CACHE)
  const own = new Set(FILES.map(file => new URL(file, self.location.href).href))
  for (const request of await cache.keys()) if (!own.has(request.url)) await cache.delete(request)
}

// A name with a hash never changes its content.
async function keptFirst(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request))
}

// A network that does not answer, or answers with an error, is none.
async function networkFirst(request) {
  const kept = await caches.match(request, { ignoreSearch: true })
  const latest = fetch(request).then(response => keep(request, response))
  if (!kept) return latest
  const late = new Promise(resolve => setTimeout(resolve, TIMEOUT, kept))
  return Promise.race([latest.then(response => (response.ok ? response : kept)).catch(() => kept), late])
}

async function keep(request, response) {
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone())
  return response
}
