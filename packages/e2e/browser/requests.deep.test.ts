import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createSyncServer, defineSource, type SyncServer } from '@godwit/server'
import { openMemoryStore } from '@godwit/store'
import { afterAll, afterEach, beforeAll, expect } from '@jest/globals'
import { bundleForBrowser, sqliteWasm } from '../harness/browser-bundle.js'
import { inEachBrowser } from '../harness/in-each-browser.js'

const ALBUMS = ['Alps', 'Baltic', 'Cairo', 'Delhi', 'Essen']
const PHOTOS = 4
const PHOTO_SIZE = 200_000
/** Milliseconds for which the server holds each answer, so that requests meet. */
const DELAY = 50

const MODELS = `
import { defineModel, t } from '@godwit/model'
const albums = ${JSON.stringify(ALBUMS)}
const attributes = { text: t.string().default(''), picture: t.blob().optional() }
export const models = Object.fromEntries(albums.map(name => [name, defineModel(name, { sync: 'incremental', attributes })]))`
const WORKER = `${MODELS}
import { serveDevice } from '@godwit/model/browser/worker'
serveDevice({ models })`
const PAGE = `${MODELS}
import { openDevice } from '@godwit/model/browser'
document.cookie = 'of-the-page=1'
globalThis.device = openDevice({ name: 'albums', server: '/', models, worker: () => new Worker('/worker.js', { type: 'module' }) })`

/** A request to the sync server, as the server sees it. */
interface SeenRequest {
  readonly path: string
  readonly cookie: string | undefined
  /** The requests under way when it arrived, this one included. */
  readonly together: readonly string[]
}

let files: { readonly [path: string]: string | Buffer }
let sync: SyncServer | undefined
let front: Server | undefined

beforeAll(async () => {
  const bundle = (text: string) => bundleForBrowser({ entry: { text, folder: 'packages/e2e' } })
  files = {
    '/': '<!doctype html><title>albums</title><script type="module" src="/page.js"></script>',
    '/page.js': await bundle(PAGE),
    '/worker.js': await bundle(WORKER),
    '/sqlite3.wasm': sqliteWasm(),
  }
}, 120_000)
afterEach(close)
afterAll(close)

async function close(): Promise<void> {
  front?.closeAllConnections()
  front?.close()
  front = undefined
  await sync?.close()
  sync = undefined
}

/** Serves the page and the sync server at one origin, as the demo does, and notes the requests to the latter. */
async function serveAlbums(): Promise<{ readonly url: string; readonly seen: readonly SeenRequest[] }> {
  const photo = (text: string) => Buffer.alloc(PHOTO_SIZE, text)
  const server = createSyncServer({
    store: openMemoryStore(),
    sources: ALBUMS.map(name =>
      defineSource({
        name,
        async query({ putBlob }) {
          const rows = Array.from({ length: PHOTOS }, async (_, at) => {
            const picture = await putBlob(photo(`${name} ${at} `))
            return [`${name}-${at}`, { text: `${at}`, picture }] as const
          })
          return Object.fromEntries(await Promise.all(rows))
        },
        create: async () => ({}),
      }),
    ),
    users: [{ login: 'ada', password: 'ada' }],
    limits: { passwordCost: 16 },
  })
  sync = server
  const seen: SeenRequest[] = []
  const open = new Set<{ readonly path: string }>()
  front = createServer((request, response) => {
    const path = (request.url ?? '/').replace(/\?.*$/, '')
    const file = files[path]
    if (file !== undefined) {
      const ending = path.split('.').at(-1) ?? ''
      const type = { js: 'text/javascript', wasm: 'application/wasm' }[ending] ?? 'text/html'
      response.writeHead(200, { 'content-type': type }).end(file)
      return
    }
    if (!/^\/(app|rc)\//.test(path)) {
      response.writeHead(404).end()
      return
    }
    const mine = { path }
    open.add(mine)
    seen.push({ path, cookie: request.headers.cookie, together: [...open].map(one => one.path) })
    for (const end of ['finish', 'close']) response.on(end, () => open.delete(mine))
    setTimeout(() => server.handler(request, response), DELAY)
  })
  await new Promise<void>(resolve => front?.listen(0, '127.0.0.1', resolve))
  return { url: `http://127.0.0.1:${(front.address() as AddressInfo).port}`, seen }
}

const isFile = (path: string): boolean => /\/blobs\/[0-9a-f]{64}$/.test(path)

inEachBrowser(({ test, newProfile }) => {
  test('a device has four connections to its server at most, and sends it no cookie of its page', async () => {
    const { url, seen } = await serveAlbums()
    const page = await (await newProfile()).open(url)
    await page.evaluate(`device.login('ada', 'ada')`)
    const create = (name: string) =>
      `device.models.${name}.create({ text: 'new', picture: new File(['${name}'.repeat(20000)], 'a.txt') })`
    await page.evaluate(`Promise.all([device.sync(), ${ALBUMS.map(create)}]).then(() => 0)`)
    await page.evaluate(`device.sync().then(() => 0)`)
    const displayed = `Promise.all(Object.values(device.models).map(model => model.find())).then(all =>
      Promise.all(all.flat().map(row => device.blobUrl(row.picture)))).then(urls => urls.filter(Boolean).length)`
    const all = ALBUMS.length * (PHOTOS + 1)
    await page.waitFor(`${displayed}.then(count => count === ${all})`)
    await page.waitFor(`device.status.current().waiting === 0`)

    const most = Math.max(...seen.map(({ together }) => together.length))
    expect(most).toBeLessThanOrEqual(4)
    expect(Math.max(...seen.map(({ together }) => together.filter(isFile).length))).toBe(1)
    expect(seen.filter(({ path }) => isFile(path)).length).toBeGreaterThanOrEqual(ALBUMS.length * PHOTOS)
    // Requests met each other, with the event stream open.
    expect(most).toBeGreaterThan(2)
    const kinds = new Set(
      seen.map(({ path }) =>
        path
          .split('/')
          .at(-1)
          ?.replace(/^[0-9a-f]{64}$/, 'file'),
      ),
    )
    expect([...kinds]).toEqual(expect.arrayContaining(['login', 'pull', 'blobs', 'file', 'events']))
    expect(await page.evaluate('document.cookie')).toContain('of-the-page=1')
    expect(seen.filter(({ cookie }) => cookie !== undefined)).toEqual([])
  }, 120_000)
})
