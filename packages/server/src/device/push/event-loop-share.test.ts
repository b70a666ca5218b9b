import { defineSource } from '@godwit/source'
import { openMemoryStore, type Store } from '@godwit/store'
import { afterEach, beforeEach, expect, jest, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'

const COUNT = 100

/** Each read of the time advances it by three milliseconds, on any machine. */
beforeEach(() => {
  let now = performance.now()
  jest.spyOn(performance, 'now').mockImplementation(() => {
    now += 3
    return now
  })
})
afterEach(() => {
  jest.restoreAllMocks()
})

async function openPushes(store: Store) {
  const source = defineSource({ name: 'Visit', pollInterval: -1, idempotent: true, create: () => undefined })
  const engine = await testEngine([source], { store })
  const { epoch } = await store.collections.open({ source: 'Visit', partition: 'user:ada' })
  /** Pushes as a new client. Returns how many mutations were applied. */
  return async (client: string): Promise<number> => {
    const mutations = Array.from({ length: COUNT }, (_, at) => ({
      number: at + 1,
      key: `number ${at + 1} of ${client}`,
      operation: 'create' as const,
      object: `${at} of ${client}`,
      attributes: { at },
    }))
    const given = {
      source: 'Visit',
      user: 'ada',
      client: testClient(client),
      push: { epoch, acknowledged: 0, mutations },
    }
    const { outcomes } = await push(engine, given)
    return outcomes.filter(({ status }) => status === 'applied').length
  }
}

test('a push of many mutations lets others in where neither backend nor store ever waits', async () => {
  const pushAs = await openPushes(openMemoryStore())
  let [turns, isOver] = [0, false]
  const turn = (): void => {
    turns++
    if (!isOver) setImmediate(turn)
  }
  setImmediate(turn)
  expect(await pushAs('one')).toBe(COUNT)
  isOver = true
  expect(turns).toBeGreaterThan(5)
})

test('pushes to a store that waits by itself are settled together, as commits are shared', async () => {
  const store = openMemoryStore()
  let [together, most] = [0, 0]
  const settle: typeof store.journal.settle = async (...given) => {
    most = Math.max(most, ++together)
    await new Promise(resolve => setImmediate(resolve))
    together--
    return store.journal.settle(...given)
  }
  const pushAs = await openPushes({ ...store, journal: { ...store.journal, settle } })
  await pushAs('one')
  expect([await pushAs('two'), most]).toEqual([COUNT, COUNT])
})
