import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type PushWorkerOptions, pushWorker } from '@godwit/model/push-worker'

declare const self: ServiceWorkerGlobalScope

/** What a service worker is made of. */
export interface WorkerContent {
  readonly name: string
  readonly files: readonly string[]
  /** How push messages are shown. */
  readonly push: PushWorkerOptions
}

/**
 * Writes a service worker that stores files of its folder when a page is first opened, and from then on responds with them. Its text
 * contains a digest of the files, since browsers install a new service worker when its text differs.
 */
export function writeServiceWorker(folder: string, { name, files, push }: WorkerContent): void {
  const digest = createHash('sha256')
  for (const file of files) digest.update(file).update(readFileSync(join(folder, file)))
  const offline = `(${serviceWorker})(${JSON.stringify(files.map(urlOf), null, 1)});`
  const text = `// ${digest.digest('hex')}\n${offline}\n(${pushWorker})(self, ${JSON.stringify(push)});\n`
  writeFileSync(join(folder, name), text)
}

const urlOf = (file: string): string => `./${encodeURI(file).replace(/(^|\/)index\.html$/, '$1')}`

/** The program of the service worker. Only its text is used, so that it refers to nothing outside itself. */
function serviceWorker(urls: readonly string[]): void {
  const stored = caches.open(`godwit ${self.registration.scope}`)

  self.addEventListener('install', event => event.waitUntil(storeAll()))
  // A new service worker is activated when all pages of the former build are closed.
  self.addEventListener('activate', event => event.waitUntil(removeOthers().then(() => self.clients.claim())))
  self.addEventListener('fetch', event => {
    const { request } = event
    const { origin, pathname } = new URL(request.url)
    const isFile = request.mode === 'navigate' || /\.\w+$/.test(pathname)
    const isWhole = request.method === 'GET' && !request.headers.has('range')
    if (isFile && isWhole && origin === self.location.origin) event.respondWith(respond(request))
  })

  // All or nothing. The next opened page is then of the new build; pages of the former one still find their files.
  async function storeAll() {
    await (await stored).addAll(urls.map(url => new Request(url, { cache: 'no-cache' })))
  }

  async function removeOthers() {
    const cache = await stored
    const own = new Set(urls.map(url => new URL(url, self.location.href).href))
    for (const { url } of await cache.keys()) if (!own.has(url)) await cache.delete(url)
  }

  async function respond(request: Request): Promise<Response> {
    const cache = await stored
    const isPage = request.mode === 'navigate'
    const found = await cache.match(request, { ignoreSearch: isPage, ignoreVary: true })
    // Browsers refuse a redirected response to a navigation.
    if (found) return found.redirected ? new Response(found.body, found) : found
    if (!isPage) return fetch(request)
    // A route of the app, or a page of another program on the same origin.
    return fetch(request).catch(async error => (await cache.match('./')) ?? Promise.reject(error))
  }
}
