import { SyncError } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { describe, expect, jest, test } from '@jest/globals'
import { testEngine } from '../testing/engine.fixture.js'
import { startBackground } from './background.js'

const COLLECTION = { source: 'Visit', partition: 'user:ada' }

test('a sweep gives no start up before the one before it found that the store takes writes', async () => {
  let now = 1_700_000_000_000
  const stored = openMemoryStore({ clock: () => now })
  const calls: string[] = []
  const isFull = () => calls.length < 3
  const asked = (what: string): void => {
    calls.push(what)
    if (isFull()) throw new SyncError('store_unavailable', 'The store is full.')
  }
  const release: typeof stored.journal.release = async (...given) => {
    asked('release')
    return stored.journal.release(...given)
  }
  const check = async (): Promise<void> => {
    asked('check')
    return stored.check()
  }
  const store = { ...stored, check, journal: { ...stored.journal, release } }
  const source = defineSource({ name: 'Visit', pollInterval: -1, create: () => undefined })
  const engine = await testEngine([source], { store, limits: { sweepInterval: 0.01 } })
  const { epoch } = await stored.collections.open(COLLECTION)
  const key = 'the key of number 1'
  await stored.journal.accept(COLLECTION, {
    ...{ client: 'client-1', user: 'ada', epoch, acknowledged: 0, idempotent: false },
    mutations: [{ number: 1, key, operation: 'create', object: 't1', attributes: {} }],
  })
  await stored.journal.start(COLLECTION, key, { milliseconds: 1000, durable: true })
  now += 1001
  const background = startBackground(engine)
  await until(async () => (await stored.journal.entries(COLLECTION, [key]))[0]?.state === 'in_doubt')
  await background.stop()
  expect(calls).toEqual(['release', 'check', 'check', 'release'])
})

describe('a backend that hangs', () => {
  /** Background work over two sources of which one hangs until `end`, the notes that the backends received, and a function that queues a change. */
  async function world(hung: 'create' | 'query') {
    const { promise: hanging, resolve: goOn } = Promise.withResolvers<undefined>()
    const received: string[] = []
    const create = ({ note }: { readonly note?: unknown }) => {
      received.push(String(note))
      return note === 'hangs' ? hanging : undefined
    }
    const settings = { pollInterval: hung === 'query' ? 60 : -1, create, idempotent: true, timeout: 3600 }
    const store = openMemoryStore()
    const reloads = jest.spyOn(store.registry, 'list')
    const sources = [
      defineSource({ name: 'Hung', ...settings, ...(hung === 'query' && { query: () => hanging.then(() => ({})) }) }),
      defineSource({ name: 'Visit', ...settings, ...(hung === 'query' && { query: () => ({}) }) }),
    ]
    const engine = await testEngine(sources, { store, limits: { sweepInterval: 0.01 } })
    const queue = async (source: string, user: string, note: string): Promise<void> => {
      const collection = { source, partition: `user:${user}` }
      const { epoch } = await store.collections.open(collection)
      const key = `the key of ${note} of ${user}`
      await store.journal.accept(collection, {
        ...{ client: user, user, epoch, acknowledged: 0, idempotent: true },
        mutations: [{ number: 1, key, operation: 'create', object: 't1', attributes: { note } }],
      })
    }
    await queue('Hung', 'ada', 'hangs')
    const background = startBackground(engine)
    const end = async (): Promise<void> => {
      goOn(undefined)
      await background.stop()
    }
    return { received, reloads, queue, end }
  }

  test('delays neither other sources nor the reload of settings', async () => {
    const { received, reloads, queue, end } = await world('create')
    await until(() => received.length === 1)
    await queue('Visit', 'ada', 'of Visit')
    await until(() => received.length === 2)
    const before = reloads.mock.calls.length
    await until(() => reloads.mock.calls.length > before + 1)
    expect(received).toEqual(['hangs', 'of Visit'])
    await end()
  })

  test('delays no other user of its source whose change was queued with the one that hangs', async () => {
    const { received, queue, end } = await world('create')
    await queue('Hung', 'grace', 'of grace')
    await until(() => received.length === 2)
    expect(received.toSorted()).toEqual(['hangs', 'of grace'])
    await end()
  })

  test('delays no first query of another source', async () => {
    const { received, queue, end } = await world('query')
    await queue('Visit', 'ada', 'of Visit')
    await until(() => received.length === 1)
    expect(received).toEqual(['of Visit'])
    await end()
  })
})
