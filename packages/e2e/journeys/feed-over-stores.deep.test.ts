import { join } from 'node:path'
import { createSyncServer, cursorGone, defineSource, type Feed, type FeedBatch, type FeedContext } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { openSqliteStore } from '@godwit/store-sqlite'
import { afterEach, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { redisAddress, STORES, temporaryFolder } from '../harness/stores.js'

const USERS = ['ada', 'grace', 'linus']

interface Row {
  readonly user: string
  readonly text: string
}

/** A table with a log of changes that every process reads; rows are read when a batch is made. */
class Table {
  readonly rows = new Map<string, Row>()
  log: { readonly id: string; readonly users: readonly string[] }[] = []
  /** The position of the first change that the log still has. */
  start = 0
  /** The number of steps after which a feed fails; undefined: it does not. */
  failIn: number | undefined
  queries = 0
  readonly #waiting = new Set<() => void>()

  write(id: string, row: Row | undefined): void {
    const before = this.rows.get(id)
    if (row === undefined) this.rows.delete(id)
    else this.rows.set(id, row)
    this.log.push({ id, users: [before?.user, row?.user].filter(user => user !== undefined) })
    for (const wake of [...this.#waiting]) wake()
  }

  /** Forgets the log, as a restored backup does: cursors before now are gone. */
  forget(): void {
    this.start += this.log.length + 1
    this.log = []
    for (const wake of [...this.#waiting]) wake()
  }

  of(user: string): { readonly [id: string]: { text: string } } {
    return Object.fromEntries(
      [...this.rows].flatMap(([id, row]) => (row.user === user ? [[id, { text: row.text }]] : [])),
    )
  }

  /** The query of the source. */
  read(user: string): { readonly [id: string]: { text: string } } {
    this.queries++
    return this.of(user)
  }

  get end(): number {
    return this.start + this.log.length
  }

  feed(): Feed {
    return { name: 'table', open: context => this.#open(context) }
  }

  async *#open({ cursor, signal }: FeedContext): AsyncGenerator<FeedBatch> {
    let at = cursor === null ? this.end : Number(cursor)
    if (cursor === null) yield { cursor: String(at), heartbeat: true }
    while (!signal.aborted) {
      if (at < this.start) throw cursorGone('the log was forgotten')
      const some = this.log.slice(at - this.start, at - this.start + 4)
      if (some.length === 0) {
        await new Promise<void>(resolve => {
          this.#waiting.add(resolve)
          signal.addEventListener('abort', () => resolve(), { once: true })
        })
        continue
      }
      if (this.failIn !== undefined && this.failIn-- <= 0) {
        this.failIn = undefined
        throw new Error('the connection is gone')
      }
      const readAt = Date.now()
      const changes = some.flatMap(({ id, users }) => {
        const row = this.rows.get(id)
        const owners = new Set(row ? [...users, row.user] : users)
        return [...owners].map(user => ({ user, id, attributes: row?.user === user ? { text: row.text } : null }))
      })
      at += some.length
      yield { cursor: String(at), changes, readAt }
    }
  }
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

/** Two servers of one store, each with a separate connection where the store allows that. */
async function world(name: string, table: Table) {
  const folder = temporaryFolder()
  const only = name === 'memory' ? openMemoryStore() : await openSqliteStore(join(folder.path, 'godwit.sqlite'))
  const stores: Store[] = name === 'Redis' ? [] : [only]
  if (name === 'Redis') {
    const address = await redisAddress(folder.path)
    for (let count = 0; count < 2; count++) stores.push(await connectRedisStore(address))
  }
  const servers = [0, 1].map(index => {
    const source = defineSource({ name: 'Row', feed: table.feed(), query: ({ user }) => table.read(user) })
    const store = stores[index] ?? stores[0] ?? only
    const users = USERS.map(login => ({ login, password: login }))
    return { store, source, users, server: undefined as ReturnType<typeof createSyncServer> | undefined }
  })
  const start = async (index: number) => {
    const one = servers[index]
    if (one === undefined || one.server !== undefined) return
    one.server = createSyncServer({
      store: one.store,
      sources: [one.source],
      users: one.users,
      limits: { passwordCost: 16, queryLease: 0.5 },
    })
    await one.server.listen({ port: 0 })
  }
  const stop = async (index: number) => {
    const one = servers[index]
    await one?.server?.close()
    if (one) one.server = undefined
  }
  closers.push(
    () => folder.remove(),
    async () => {
      for (const store of new Set([only, ...stores])) await store.close()
    },
    () => stop(0),
    () => stop(1),
  )
  await start(0)
  await start(1)
  const store = stores[0] ?? only
  const pull = async (user: string) => {
    const server = servers.find(one => one.server)?.server
    if (server !== undefined) await pullOnce(server.fetch, user)
  }
  return { start, stop, pull, of: async (user: string) => rowsIn(store, user) }
}

const devices = new Map<string, { readonly [name: string]: string }>()

/** Pulls for a device of the user, which runs the query of a partition that is due. */
async function pullOnce(ask: (request: Request) => Promise<Response>, user: string): Promise<void> {
  const send = async (method: string, path: string, headers: object, body?: object) =>
    ask(
      new Request(`http://sync.test${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
  const known = devices.get(user)
  if (known !== undefined) return void (await send('GET', '/app/v1/Row', known))
  const login = await send('POST', '/rc/v1/app/login', {}, { login: user, password: user })
  const { session } = (await login.json()) as { session: string }
  const authorization = `Bearer ${session}`
  const made = await send('POST', '/rc/v1/clients', { authorization }, {})
  const { client } = (await made.json()) as { client: { client_id: string } }
  devices.set(user, { authorization, 'X-Sync-CLIENT-ID': client.client_id })
  await pullOnce(ask, user)
}

async function rowsIn({ collections }: Store, user: string) {
  const { rows } = await collections.list({ source: 'Row', partition: `user:${user}` }, { limit: 1000 })
  return Object.fromEntries(rows.map(({ id, text }) => [id, JSON.parse(text ?? '{}') as unknown]))
}

const steps = fc.array(
  fc.oneof(
    {
      weight: 6,
      arbitrary: fc.record({ does: fc.constant('write' as const), id: fc.nat(9), user: fc.constantFrom(...USERS) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), id: fc.nat(9) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('fail' as const), after: fc.nat(3) }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('forget' as const) }) },
    {
      weight: 1,
      arbitrary: fc.record({ does: fc.constantFrom('stop' as const, 'start' as const), server: fc.nat(1) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('wait' as const) }) },
  ),
  { minLength: 10, maxLength: 40 },
)

const soon = (milliseconds: number) => new Promise<void>(resolve => setTimeout(resolve, milliseconds))

test.each(STORES.map(({ name }) => [name]))(
  'over %s, partitions are in the end what the table has, whatever fails on the way',
  async name => {
    await fc.assert(
      fc.asyncProperty(steps, async history => {
        const table = new Table()
        devices.clear()
        const on = await world(name, table)
        for (const user of USERS) await on.pull(user)
        let count = 0
        for (const step of history) {
          if (step.does === 'write') table.write(`row ${step.id}`, { user: step.user, text: `${++count}` })
          if (step.does === 'remove') table.write(`row ${step.id}`, undefined)
          if (step.does === 'fail') table.failIn = step.after
          if (step.does === 'forget') table.forget()
          if (step.does === 'stop') await on.stop(step.server)
          if (step.does === 'start') await on.start(step.server)
          if (step.does === 'wait') await soon(30)
        }
        await on.start(0)
        await on.start(1)
        table.failIn = undefined
        await converges(on, table)
        // Without a lost cursor, each partition was read once, at its first pull.
        if (!history.some(({ does }) => does === 'forget')) expect(table.queries).toBe(USERS.length)
        for (const close of closers.splice(0).reverse()) await close()
      }),
      { numRuns: 4 },
    )
  },
)

/** Waits until each partition is what the table has. Pulls read the partitions that a lost cursor made due. */
async function converges({ pull, of }: Awaited<ReturnType<typeof world>>, table: Table): Promise<void> {
  for (let round = 0; ; round++) {
    for (const user of USERS) await pull(user)
    const found = await Promise.all(USERS.map(of))
    const wanted = USERS.map(user => sorted(table.of(user)))
    if (JSON.stringify(found.map(sorted)) === JSON.stringify(wanted)) return
    if (round > 500) expect(found.map(sorted)).toEqual(wanted)
    await soon(20)
  }
}

const sorted = (rows: { readonly [id: string]: unknown }) => Object.fromEntries(Object.entries(rows).sort())
