import { createHash } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Attributes, BulkData, ObjectMap, Page } from '@godwit/protocol'
import { defineSource, failure as told } from '@godwit/source'
import { type Jobs, openMemoryJobs, openMemoryStore } from '@godwit/store'
import { afterEach, describe, expect, test } from '@jest/globals'
import type { SyncServerOptions } from '../../start/options.js'
import { EDGES, failure, json, type TestServer } from '../../testing/open-server.js'

const opened: TestServer[] = []
afterEach(async () => {
  for (const { server } of opened.splice(0)) await server.close()
})

const City = defineSource<Attributes>({ name: 'City', partition: 'app', pollInterval: -1 })
const Visit = defineSource<Attributes>({ name: 'Visit', pollInterval: -1 })
const Note = defineSource<Attributes>({ name: 'Note', pollInterval: -1, syncType: 'bulk_only' })
const CITIES = { source: 'City', partition: '*' }
const VISITS = { source: 'Visit', partition: 'user:ada' }
const NOTES = { source: 'Note', partition: 'user:ada' }

describe.each(EDGES)('bulk data, %s', (_, open) => {
  async function start(options: Partial<SyncServerOptions> = {}) {
    let now = 1_700_000_000_000
    const clock = () => now
    const jobs = openMemoryJobs({ clock })
    const on = await open({ sources: [City, Visit, Note], clock, jobs, store: openMemoryStore({ clock }), ...options })
    opened.push(on)
    const device = (login: string) => deviceOf(on, login, buildsOf(jobs, clock))
    const ada = await device('ada')
    const pass = (seconds: number): void => {
      now += seconds * 1000
    }
    return { on, ada, device, pass }
  }

  test('is built while the device waits, and holds the requested sources', async () => {
    const { on, ada } = await start()
    const objects = many(5000)
    await write(on, VISITS, objects)
    await write(on, NOTES, { n: { text: 'not asked for' } })
    await write(on, { source: 'Visit', partition: 'user:eve' }, { e: { text: 'of another user' } })
    expect(await ada.ask('user', ['Visit'])).toEqual({ status: 'wait', ticket: expect.any(String) })
    const ready = await ada.ready('user', ['Visit'])
    expect(Object.keys(ready).sort()).toEqual(['sha256', 'size', 'status', 'tokens', 'url'])
    const file = await ada.file(ready)
    expect([file.length, sha256(file)]).toEqual([ready.size, ready.sha256])
    const { version, epoch, checksum } = (await on.store.collections.head(VISITS)) as never
    expect(contentOf(file)).toEqual({
      sources: [{ name: 'Visit', epoch, head: version, count: 5000, checksum }],
      objects: { Visit: objects },
    })
  })

  test('a pull with its token brings only changes after the file', async () => {
    const { on, ada } = await start()
    await write(on, VISITS, many(100))
    const { tokens = {} } = await ada.ready('user', ['Visit'])
    expect(await ada.pull('Visit', tokens['Visit'])).toMatchObject({ status: 'ok', count: 0, ends: true })
    await write(on, VISITS, { later: { n: 1 }, o3: { n: 'changed' } })
    await on.store.collections.apply(VISITS, { remove: ['o4'] })
    const page = await ada.pull('Visit', tokens['Visit'])
    expect(page).toMatchObject({
      status: 'ok',
      insert: { later: { n: 1 }, o3: { n: 'changed', text: 'text of 3' } },
      delete: ['o4'],
    })
  })

  test('reports that there is nothing to send', async () => {
    const { ada } = await start()
    expect(await ada.made('user', ['Visit', 'Note'])).toEqual({ status: 'nothing' })
  })

  test('is built once for the devices of a partition, and served to no other', async () => {
    const { on, ada, device } = await start()
    await write(on, VISITS, many(10))
    await write(on, CITIES, many(10))
    const [eve, other] = [await device('eve'), await device('ada')]
    const [visits, cities] = [await ada.ready('user', ['Visit']), await ada.ready('app', ['City'])]
    expect(await other.ask('user', ['Visit'])).toMatchObject({
      status: 'ready',
      url: visits.url,
      sha256: visits.sha256,
    })
    expect(await eve.ask('app', ['City'])).toMatchObject({ status: 'ready', url: cities.url })
    expect(contentOf(await eve.file(cities)).objects).toEqual({ City: many(10) })
    expect(await failure(await eve.get(visits))).toBe('404 file_not_found')
    expect(await failure(await on.ask(String(visits.url)))).toBe('401 session_missing')
  })

  test('is read in parts', async () => {
    const { on, ada } = await start()
    await write(on, VISITS, many(1000))
    const ready = await ada.ready('user', ['Visit'])
    const whole = await ada.file(ready)
    const part = await ada.get(ready, { range: 'bytes=1000-1999' })
    expect([part.status, part.headers.get('content-range')]).toEqual([206, `bytes 1000-1999/${whole.length}`])
    expect(Buffer.from(await part.arrayBuffer())).toEqual(whole.subarray(1000, 2000))
  })

  test('is reused until it expires although its sources changed; for bulk_only it is rebuilt', async () => {
    const { on, ada, pass } = await start({ limits: { bulkLife: 1000 } })
    await write(on, VISITS, many(10))
    await write(on, NOTES, many(10))
    const [visits, notes] = [await ada.ready('user', ['Visit']), await ada.ready('user', ['Note'])]
    pass(100)
    expect(await ada.ask('user', ['Visit'])).toMatchObject({ url: visits.url })
    expect(await ada.ask('user', ['Note'])).toMatchObject({ url: notes.url })
    await write(on, VISITS, { more: {} })
    await write(on, NOTES, { more: {} })
    expect(await ada.ask('user', ['Visit'])).toMatchObject({ url: visits.url })
    expect(await ada.ask('user', ['Note'])).toMatchObject({ status: 'wait' })
    expect(contentOf(await ada.file(await ada.ready('user', ['Note']))).objects['Note']).toHaveProperty('more')
    pass(1000)
    expect(await ada.ask('user', ['Visit'])).toMatchObject({ status: 'wait' })
  })

  test('is built after due queries', async () => {
    const query = () => ({ q: { from: 'the backend' } })
    const Asked = defineSource<Attributes>({ name: 'Asked', pollInterval: 0, syncType: 'bulk_only', query })
    const { ada } = await start({ sources: [Asked] })
    expect(await failure(await ada.pulled('Asked'))).toBe('409 bulk_only')
    expect(contentOf(await ada.file(await ada.ready('user', ['Asked']))).objects).toEqual({ Asked: query() })
  })

  test('of a bulk_only source is never older than a due query or a push', async () => {
    let asked = 0
    const query = () => ({ q: { asked: ++asked } })
    const Asked = defineSource<Attributes>({ name: 'Asked', pollInterval: 0, syncType: 'bulk_only', query })
    const { ada, pass } = await start({ sources: [Asked] })
    const shown = async () =>
      contentOf(await ada.file(await ada.ready('user', ['Asked']))).objects['Asked']?.['q']?.['asked']
    expect([await shown(), await shown()]).toEqual([1, expect.any(Number)])
    const before = asked
    pass(1)
    expect(await ada.ask('user', ['Asked'])).toMatchObject({ status: 'wait' })
    expect(await shown()).toBeGreaterThan(before)
    const Pushed = defineSource<Attributes>({ name: 'Asked', pollInterval: -1, syncType: 'bulk_only' })
    const pushed = await start({ sources: [Pushed] })
    const collection = { source: 'Asked', partition: 'user:ada' }
    for (let n = 1; n <= 3; n++) {
      await write(pushed.on, collection, { q: { n } })
      const file = await pushed.ada.file(await pushed.ada.ready('user', ['Asked']))
      expect(contentOf(file).objects['Asked']).toEqual({ q: { n } })
    }
  })

  test('lists the sources that it omits because their first query failed', async () => {
    let fails = true
    const query = () => (fails ? Promise.reject(told('The backend is away.')) : { q: {} })
    const Asked = defineSource<Attributes>({ name: 'Asked', pollInterval: 300, syncType: 'bulk_only', query })
    const { on, ada, pass } = await start({ sources: [Asked, Visit] })
    const failed = { pending: ['Asked'], source_errors: { Asked: { message: 'The backend is away.' } } }
    expect(await ada.made('user', ['Asked'])).toMatchObject({ status: 'nothing', ...failed })
    await write(on, VISITS, many(3))
    const ready = await ada.ready('user', ['Visit', 'Asked'])
    expect(ready).toMatchObject(failed)
    expect(contentOf(await ada.file(ready)).objects).toEqual({ Visit: many(3) })
    fails = false
    expect(await ada.made('user', ['Asked'])).toMatchObject({ status: 'nothing', ...failed })
    pass(10)
    const whole = await ada.ready('user', ['Asked'])
    expect(Object.keys(whole)).not.toEqual(expect.arrayContaining(['pending']))
    expect(contentOf(await ada.file(whole)).objects).toEqual({ Asked: { q: {} } })
  })

  test.each(['its query runs', 'it is read'])(
    'a collection that is dropped while %s is pending, not empty',
    async when => {
      const collection = { source: 'Asked', partition: 'user:ada' }
      let drop = async (): Promise<void> => {}
      const query = async () => {
        if (when === 'its query runs') await drop()
        return { q: {} }
      }
      const Asked = defineSource<Attributes>({ name: 'Asked', pollInterval: 300, syncType: 'bulk_only', query })
      const { on, ada, pass } = await start({ sources: [Asked] })
      const { collections } = on.store
      drop = async () => {
        drop = async () => {}
        await collections.drop(collection)
        if (when === 'it is read') await collections.open(collection)
      }
      const recordReader: typeof collections.recordReader = async (...words) => {
        if (when === 'it is read') await drop()
        return collections.recordReader(...words)
      }
      Object.assign(on.store, { collections: { ...collections, recordReader } })
      expect(await ada.made('user', ['Asked'])).toMatchObject({ status: 'nothing', pending: ['Asked'] })
      pass(300)
      const whole = await ada.ready('user', ['Asked'])
      expect(contentOf(await ada.file(whole)).objects).toEqual({ Asked: { q: {} } })
    },
  )

  test('refuses sources of the other partition, and unknown ones', async () => {
    const { ada } = await start()
    expect(await failure(await ada.asked('user', ['City']))).toBe('422 value_not_allowed')
    expect(await failure(await ada.asked('app', ['None']))).toBe('404 source_not_found')
    expect(await failure(await ada.asked('app', []))).toBe('422 body_invalid')
  })

  test('a failed build is reported once; then it is built again', async () => {
    const { on, ada, pass } = await start()
    await write(on, VISITS, many(10))
    const { changes } = on.store.collections
    const broken = { ...on.store.collections, changes: () => Promise.reject(new Error('the disk is gone')) }
    Object.assign(on.store, { collections: broken })
    const failed = await ada.failed('user', ['Visit'], () => pass(1))
    expect([failed.status, await failed.json()]).toMatchObject([
      502,
      { code: 'backend_failed', detail: expect.stringContaining('disk is gone') },
    ])
    Object.assign(on.store, { collections: { ...broken, changes } })
    expect(await ada.ready('user', ['Visit'])).toMatchObject({ status: 'ready' })
  })

  test('a recreated collection invalidates its file', async () => {
    const { on, ada } = await start()
    await write(on, VISITS, many(10))
    const ready = await ada.ready('user', ['Visit'])
    await on.store.collections.drop(VISITS)
    expect(await failure(await ada.get(ready))).toBe('404 file_not_found')
    expect(await ada.made('user', ['Visit'])).toEqual({ status: 'nothing' })
  })
})

const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

const many = (count: number): ObjectMap =>
  Object.fromEntries(Array.from({ length: count }, (_, at) => [`o${at}`, { n: at, text: `text of ${at}` }]))

async function write({ store }: TestServer, collection: { source: string; partition: string }, objects: ObjectMap) {
  const all = Object.entries(objects)
  for (let at = 0; at < all.length; at += 1000)
    await store.collections.apply(collection, { merge: Object.fromEntries(all.slice(at, at + 1000)) })
}

/** What is known of the builds of a server whose clock moves only when the test moves it. */
const buildsOf = (jobs: Jobs, clock: () => number) => ({
  /** Throws where an attempt failed: the next one waits for a clock that stands still. */
  check: async (): Promise<void> => {
    for (const { reason, dueAt } of await jobs.list({ state: 'waiting', limit: 100 }))
      if (reason !== undefined && dueAt > clock()) throw new Error(`A build failed: ${reason}`)
  },
  /** A file is given before its build has removed what it made: a clock that is moved meanwhile ends the lease of its job. */
  over: async (): Promise<void> => {
    while ((await jobs.list({ state: 'running', limit: 1 })).length > 0)
      await new Promise(resolve => setTimeout(resolve, 1))
  },
})

async function deviceOf(on: TestServer, login: string, builds: ReturnType<typeof buildsOf>) {
  const { headers } = await on.device(login)
  const asked = (partition: string, sources: readonly string[], ticket?: string) =>
    on.call('POST', '/rc/v1/app/bulk_data', {
      headers,
      body: { partition_type: partition, sources, ...(ticket && { ticket }) },
    })
  const ask = async (partition: string, sources: readonly string[], ticket?: string): Promise<BulkData> =>
    json(await asked(partition, sources, ticket))
  const made = async (partition: string, sources: readonly string[]): Promise<BulkData> => {
    for (let ticket: string | undefined; ; ) {
      const answer = await ask(partition, sources, ticket)
      if (answer.status !== 'wait') {
        await builds.over()
        return answer
      }
      ticket = answer.ticket
      await builds.check()
      await new Promise(resolve => setTimeout(resolve, 5))
    }
  }
  const get = ({ url = '' }: BulkData, more: Record<string, string> = {}) =>
    on.ask(url, { headers: { ...headers, ...more } })
  const pulled = (source: string, token = '') => on.call('GET', `/app/v1/${source}?token=${token}`, { headers })
  return {
    asked,
    failed: async (partition: string, sources: readonly string[], wait: () => void): Promise<Response> => {
      for (;;) {
        const answer = await asked(partition, sources)
        if (!answer.ok) return answer
        wait()
        await new Promise(resolve => setTimeout(resolve, 20))
      }
    },
    ask,
    made,
    get,
    pulled,
    ready: async (partition: string, sources: readonly string[]): Promise<BulkData> => {
      const answer = await made(partition, sources)
      expect(answer.status).toBe('ready')
      return answer
    },
    file: async (ready: BulkData) => Buffer.from(await (await get(ready)).arrayBuffer()),
    pull: async (source: string, token?: string): Promise<Page> => json(await pulled(source, token)),
  }
}

interface Content {
  readonly sources: unknown
  readonly objects: { readonly [source: string]: ObjectMap }
}

function contentOf(file: Uint8Array): Content {
  const folder = mkdtempSync(join(tmpdir(), 'godwit-bulk-test-'))
  writeFileSync(join(folder, 'file'), gunzipSync(file))
  const { DatabaseSync } = process.getBuiltinModule('node:sqlite')
  const database = new DatabaseSync(join(folder, 'file'))
  const sources = database.prepare('SELECT name, epoch, head, count, checksum FROM source').all()
  const rows = database
    .prepare('SELECT name, id, attributes FROM object JOIN source ON source = number ORDER BY row')
    .all()
  database.close()
  rmSync(folder, { recursive: true })
  const objects: Record<string, Record<string, Attributes>> = {}
  for (const { name, id, attributes } of rows) {
    const source = objects[String(name)] ?? {}
    source[String(id)] = JSON.parse(String(attributes))
    objects[String(name)] = source
  }
  return { sources: sources.map(row => ({ ...row })), objects }
}
