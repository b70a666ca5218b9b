import { SyncError } from '@godwit/protocol'
import { openMemoryStore } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { startBackground } from './background.js'
import { testEngine } from './engine.fixture.js'
import { defineSource } from './sources/define-source.js'

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
