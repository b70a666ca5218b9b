// Keeps the app's own files, so that it opens without a network. Data is the device's business.
const CACHE = 'field-visits'

self.addEventListener('install', () => self.skipWaiting())
self.addEventListener('activate', event => event.waitUntil(self.clients.claim()))

self.addEventListener('fetch', event => {
  const { request } = event
  const { pathname, origin } = new URL(request.url)
  const isOwn =
    origin === self.location.origin && request.method === 'GET' && !/^\/(app|rc|console|docs)\//.test(pathname)
  if (isOwn) event.respondWith(/-[\w-]{8,}\.\w+$/.test(pathname) ? keptFirst(request) : networkFirst(request))
})

// A name with a hash never changes its content.
async function keptFirst(request) {
  return (await caches.match(request)) ?? keep(request, await fetch(request))
}

async function networkFirst(request) {
  try {
    return await keep(request, await fetch(request))
  } catch (error) {
    const kept = await caches.match(request)
    if (kept) return kept
    throw error
  }
}

async function keep(request, response) {
  if (response.ok) await (await caches.open(CACHE)).put(request, response.clone())
  return response
}
