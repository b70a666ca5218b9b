import { createHash } from 'node:crypto'
import type { Page } from '@godwit/protocol'
import type { Store } from '@godwit/store'
import { afterEach, beforeEach, describe, expect, jest, test } from '@jest/globals'
import { openStore } from '../soak/open-store.js'
import { type AttackCaller, type AttackWorld, openOn, overStores, read, refusalOf, STORE_NAMES } from './world.js'

overStores(openOver => {
  let world: AttackWorld
  beforeEach(async () => {
    world = await openOver({ limits: { clientsPerUser: 50, outcomesPerClient: 1000, unnamedBlobBytes: 1024 * 1024 } })
  })
  afterEach(() => world.close())

  const metric = async (name: string): Promise<number> => {
    const text = await (await world.ask('/metrics')).text()
    return Number(new RegExp(`^${name.replaceAll(/[{}"=,]/g, '\\$&')} (\\S+)$`, 'm').exec(text)?.[1])
  }

  test('a user who creates thousands of clients is held to the quota', async () => {
    const ada = await world.caller('ada')
    const statuses = new Set<number>()
    for (let n = 0; n < 2000; n += 50)
      for (const answer of await Promise.all(
        Array.from({ length: 50 }, () => world.call('POST', '/rc/v1/clients', ada.headers)),
      )) {
        await answer.arrayBuffer()
        statuses.add(answer.status)
      }
    expect(statuses.has(429)).toBe(true)
    expect(await world.store.registry.count('client', 'ada')).toBeLessThanOrEqual(50)
    expect(await world.serves()).toBe(true)
  })

  test('a client that opens a thousand event streams keeps the latest ones', async () => {
    const ada = await world.caller('ada')
    const gone = new AbortController()
    for (let n = 0; n < 1000; n += 50)
      await Promise.all(
        Array.from({ length: 50 }, async () => {
          const requested = world.ask('/rc/v1/app/events', { headers: ada.headers, signal: gone.signal })
          // A stream that was evicted before its response began has no response.
          const answer = await requested.catch(() => undefined)
          await answer?.body
            ?.getReader()
            .read()
            .catch(() => undefined)
        }),
      )
    expect(await metric('godwit_event_streams')).toBeLessThanOrEqual(4)
    expect(await metric('godwit_limited_total{limit="streamsPerClient",result="made_room"}')).toBeGreaterThanOrEqual(
      990,
    )
    gone.abort()
  })

  test('a device that acknowledges nothing is refused until it does', async () => {
    const ada = await world.caller('ada')
    const { epoch } = await read<Page>(await world.call('GET', '/app/v1/Note', ada.headers))
    const push = (from: number, acknowledged: number, count = 500): Promise<Response> => {
      const mutations = Array.from({ length: count }, (_, n) => ({
        number: from + n,
        key: `key-${String(from + n).padStart(20, '0')}`,
        operation: 'create',
        object: `n${from + n}`,
        attributes: {},
      }))
      return world.call('POST', '/app/v1/Note', ada.headers, { epoch, acknowledged, mutations })
    }
    for (const from of [1, 501, 1001]) expect((await push(from, 0)).status).toBe(200)
    expect(await refusalOf(await push(1501, 0))).toBe('429 quota_exceeded')
    expect((await push(1501, 1500)).status).toBe(200)
  })

  test('unreferenced blobs count against the quota of their user alone', async () => {
    const send = async ({ headers }: AttackCaller, n: number): Promise<Response> => {
      const bytes = new Uint8Array(64 * 1024).fill(n)
      const hash = createHash('sha256').update(bytes).digest('hex')
      const query = new URLSearchParams({ hash, size: String(bytes.length), offset: '0' })
      const type = { 'content-type': 'application/octet-stream' }
      return world.ask(`/app/v1/Note/blobs?${query}`, { method: 'POST', headers: { ...headers, ...type }, body: bytes })
    }
    const [ada, grace] = await Promise.all([world.caller('ada'), world.caller('grace')])
    const answers = await Promise.all(Array.from({ length: 64 }, (_, n) => send(ada, n)))
    const refusals = answers.filter(({ status }) => status !== 200)
    for (const refused of refusals) expect(await refusalOf(refused)).toBe('429 quota_exceeded')
    expect(answers.length - refusals.length).toBe(15)
    expect(await world.store.blobs.charged('ada')).toBeLessThanOrEqual(1024 * 1024)
    expect((await send(grace, 1)).status).toBe(200)
  })
})

/** Number of pages that one user requests concurrently. */
const PULLS = 60
/** Cost of reading a page in milliseconds, on a clock that only these reads advance. */
const COST = 100

const nextTurn = (): Promise<void> => new Promise(resolve => setImmediate(resolve))

/** Returns a store that can delay reads of credentials, and records the source of each page read. */
function observedStore(store: Store) {
  const calls: (() => void)[] = []
  const read: string[] = []
  let [now, isBlocked] = [performance.now(), false]
  jest.spyOn(performance, 'now').mockImplementation(() => now)
  const get: Store['registry']['get'] = async (kind, id) => {
    if (isBlocked && kind === 'credential') await new Promise<void>(resolve => calls.push(resolve))
    return store.registry.get(kind, id)
  }
  const page: Store['collections']['page'] = async (collection, options) => {
    read.push(collection.source)
    const page = await store.collections.page(collection, options)
    now += collection.source === 'Shared' ? COST : 0
    return page
  }
  const hold = (): void => {
    isBlocked = true
  }
  /** Continues the delayed calls, one in each turn of the event loop. */
  const release = async (): Promise<void> => {
    for (const go of calls.splice(0)) {
      go()
      await nextTurn()
    }
    isBlocked = false
  }
  const wrapped: Store = {
    ...store,
    registry: { ...store.registry, get },
    collections: { ...store.collections, page },
  }
  return { store: wrapped, calls, read, hold, release }
}

describe.each(STORE_NAMES)('over %s', over => {
  test('a user who pulls large pages over many connections lets other users in between', async () => {
    const opened = await openStore(over)
    const observed = observedStore(opened.store)
    const world = await openOn(observed.store, opened.close)
    try {
      const [ada, grace] = await Promise.all([world.caller('ada'), world.caller('grace')])
      // The first pull of a collection reads it twice.
      for (const [source, { headers }] of [
        ['Shared', ada],
        ['Note', grace],
      ] as const)
        await read(await world.call('GET', `/app/v1/${source}`, headers))
      observed.read.length = 0
      observed.hold()
      const arrived = async (count: number): Promise<void> => {
        while (observed.calls.length < count) await nextTurn()
      }
      const pulls = Array.from({ length: PULLS }, () => world.call('GET', '/app/v1/Shared?p_size=10000', ada.headers))
      await arrived(PULLS)
      const other = world.call('GET', '/app/v1/Note', grace.headers)
      await arrived(PULLS + 1)
      await observed.release()
      for (const answer of await Promise.all([...pulls, other])) expect((await read<Page>(answer)).count).toBe(0)
      expect(observed.read).toHaveLength(PULLS + 1)
      // Each page costs ten turns, and grace's request arrives sixty turns after the first one.
      expect(observed.read.indexOf('Note')).toBeLessThan(PULLS / 3)
    } finally {
      jest.restoreAllMocks()
      await world.close()
    }
  })
})
