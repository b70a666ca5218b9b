import { join } from 'node:path'
import type { MutationSettlement, Outcome, Page } from '@godwit/protocol'
import { createSyncServer, defineSource, type SourceDefinition } from '@godwit/server'
import { openMemoryStore, type Store } from '@godwit/store'
import { connectRedisStore } from '@godwit/store-redis'
import { openSqliteStore } from '@godwit/store-sqlite'
import { until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { redisAddress, STORES, temporaryFolder } from '../harness/stores.js'

interface Note {
  text: string
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

async function openStore(name: string): Promise<Store> {
  const folder = temporaryFolder()
  closers.push(() => folder.remove())
  if (name === 'memory') return openMemoryStore()
  if (name === 'SQLite') return openSqliteStore(join(folder.path, 'godwit.sqlite'))
  return connectRedisStore(await redisAddress(folder.path))
}

const COLLECTION = { source: 'Note', partition: 'user:ada' }

/** A backend of 200 notes with `get`, and a device that has them. */
async function world(name: string, more: Partial<SourceDefinition<Note>> = {}) {
  const rows = new Map<string, Note>(Array.from({ length: 200 }, (_, index) => [`n${index}`, { text: 'old' }]))
  const calls = { query: 0, get: [] as string[] }
  let work: (id: string, text: string) => unknown = () => {}
  const source = defineSource<Note>({
    name: 'Note',
    pollInterval: -1,
    timeout: 0.1,
    query: () => {
      calls.query++
      return Object.fromEntries(rows)
    },
    get: ids => {
      calls.get.push(...ids)
      return Object.fromEntries([...rows].filter(([id]) => ids.includes(id)))
    },
    update: async (id, changes) => void (await work(id, changes.text ?? '')),
    ...more,
  })
  const store = await openStore(name)
  const users = [{ login: 'ada', password: 'ada' }]
  const admin = { login: 'admin', password: 'a password' }
  const limits = { passwordCost: 16, pushWait: 1 }
  const server = createSyncServer({ store, sources: [source], users, admin, limits })
  closers.push(
    () => store.close(),
    () => server.close(),
  )
  const send = async <Answer>(method: string, path: string, headers: object, body?: object): Promise<Answer> => {
    const answer = await server.fetch(
      new Request(`http://sync.test${path}`, {
        method,
        headers: { 'content-type': 'application/json', ...headers },
        ...(body && { body: JSON.stringify(body) }),
      }),
    )
    return (answer.headers.get('content-type')?.includes('json') ? await answer.json() : await answer.text()) as Answer
  }
  const { session } = await send<{ session: string }>('POST', '/rc/v1/app/login', {}, users[0])
  const authorization = `Bearer ${session}`
  const made = await send<{ client: { client_id: string } }>('POST', '/rc/v1/clients', { authorization }, {})
  const device = { authorization, 'X-Sync-CLIENT-ID': made.client.client_id }
  await store.collections.open(COLLECTION)
  await store.collections.requestQuery(COLLECTION)
  const first = await send<Page>('GET', '/app/v1/Note', device)
  let token = first.token
  const api = { 'X-Sync-API-TOKEN': await send<string>('POST', '/rc/v1/system/login', {}, admin) }
  let number = 0
  return {
    ...{ rows, calls, store },
    whileCalled: (next: typeof work) => {
      work = next
    },
    change: async (object: string, text: string, seen = 1): Promise<Outcome | undefined> => {
      number++
      const mutation = { number, key: `key of change ${number} `.padEnd(20, 'x'), operation: 'update', object, seen }
      const mutations = [{ ...mutation, attributes: { text }, was: { text: 'old' } }]
      const body = { epoch: first.epoch, acknowledged: 0, mutations }
      const { outcomes } = await send<{ outcomes: readonly Outcome[] }>('POST', '/app/v1/Note', device, body)
      return outcomes.find(one => one.number === mutation.number)
    },
    pulled: async () => {
      const page = await send<Page>('GET', `/app/v1/Note?token=${encodeURIComponent(token)}`, device)
      token = page.token
      return page.insert ?? {}
    },
    decide: async (how: 'discard' | 'settle', body?: MutationSettlement) => {
      const [found] = await send<{ id: string }[]>('GET', '/rc/v1/mutations', api)
      await send('POST', `/rc/v1/mutations/${found?.id}/${how}`, api, body ?? {})
    },
    /** Resolves when no request for a query is open. */
    served: () =>
      until(
        async () => {
          const head = await store.collections.head(COLLECTION)
          return head !== undefined && head.queriesRequested === head.queriesServed
        },
        { every: 5 },
      ),
  }
}

describe.each(STORES.map(({ name }) => [name]))('over %s, a partition of which single objects are uncertain', name => {
  test('has what the backend has of a change in doubt, also once it is discarded, without a whole query', async () => {
    const on = await world(name)
    on.whileCalled((id, text) => {
      on.rows.set(id, { text })
      throw new Error('the connection ended after the commit')
    })
    expect((await on.change('n7', 'from the device'))?.status).toBe('in_doubt')
    await on.served()
    expect(await on.pulled()).toEqual({ n7: { text: 'from the device' } })
    on.rows.set('n7', { text: 'taken back' })
    await on.decide('discard')
    await on.served()
    expect(await on.pulled()).toEqual({ n7: { text: 'taken back' } })
    expect(on.calls).toEqual({ query: 1, get: ['n7', 'n7'] })
  })

  test('has what the backend has of a change that an operator settled, or that is gone', async () => {
    const on = await world(name)
    on.whileCalled(() => {
      throw new Error('the connection ended')
    })
    await on.change('n1', 'wished')
    await on.served()
    on.rows.delete('n1')
    await on.decide('settle')
    await on.served()
    expect(await on.store.collections.get(COLLECTION, ['n1'])).toEqual({})
    expect(on.calls).toEqual({ query: 1, get: ['n1', 'n1'] })
  })

  test('gives the device of a conflict what the backend has now', async () => {
    const on = await world(name, { conflict: 'reject' })
    await on.store.collections.apply(COLLECTION, { merge: { n3: { text: 'pushed' } } })
    on.rows.set('n3', { text: 'newer than what was pushed' })
    expect((await on.change('n3', 'mine'))?.status).toBe('conflict')
    await on.served()
    expect(await on.pulled()).toEqual({ n3: { text: 'newer than what was pushed' } })
    expect(on.calls).toEqual({ query: 1, get: ['n3'] })
  })

  test('reads again what a settlement spared', async () => {
    const on = await world(name)
    on.whileCalled(async id => {
      // The backend tells of another change while it is called.
      await on.store.collections.apply(COLLECTION, { merge: { [id]: { text: 'pushed' } } })
      on.rows.set(id, { text: 'both' })
    })
    expect((await on.change('n5', 'mine'))?.status).toBe('applied')
    await on.served()
    expect(await on.pulled()).toEqual({ n5: { text: 'both' } })
    expect(on.calls).toEqual({ query: 1, get: ['n5'] })
  })

  test('is read as a whole where an object cannot be read, or something else asked for it', async () => {
    const on = await world(name, {
      get: () => {
        throw new Error('not now')
      },
    })
    on.whileCalled((id, text) => {
      on.rows.set(id, { text })
      throw new Error('the connection ended')
    })
    await on.change('n9', 'from the device')
    expect(await on.pulled()).toEqual({ n9: { text: 'from the device' } })
    expect(on.calls.query).toBe(2)

    const other = await world(name)
    other.whileCalled(async (id, text) => {
      other.rows.set(id, { text })
      other.rows.set('n0', { text: 'unknown to all' })
      await other.store.collections.requestQuery(COLLECTION)
      throw new Error('the connection ended')
    })
    await other.change('n9', 'from the device')
    expect(await other.pulled()).toEqual({ n0: { text: 'unknown to all' }, n9: { text: 'from the device' } })
    expect(other.calls.query).toBe(2)
  })
})
