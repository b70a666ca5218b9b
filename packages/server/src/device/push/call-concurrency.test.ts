import { setImmediate as nextTurn } from 'node:timers/promises'
import { defineSource } from '@godwit/source'
import { openMemoryStore, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'

const COUNT = 50

/** A store that tells how many mutations were started and not settled, at most. */
function watched(): { readonly store: Store; most: number } {
  const store = openMemoryStore()
  let under = 0
  const start: typeof store.journal.start = async (id, key, options) => {
    watch.most = Math.max(watch.most, ++under)
    await nextTurn()
    return store.journal.start(id, key, options)
  }
  const settle: typeof store.journal.settle = async (id, key, settlement) => {
    under--
    return store.journal.settle(id, key, settlement)
  }
  const watch = { store: { ...store, journal: { ...store.journal, start, settle } }, most: 0 }
  return watch
}

async function pushTo(engine: TestEngine, client: string): Promise<readonly string[]> {
  const { epoch } = await engine.store.collections.open({ source: 'Visit', partition: 'user:ada' })
  const mutations = Array.from({ length: COUNT }, (_, at) => ({
    number: at + 1,
    key: `number ${at + 1} of ${client}`,
    operation: 'create' as const,
    object: `${at + 1} of ${client}`,
    attributes: { note: at },
  }))
  const sent = { source: 'Visit', user: 'ada', client: testClient(client), push: { epoch, acknowledged: 0, mutations } }
  const { outcomes } = await push(engine, sent)
  return outcomes.map(({ status }) => status)
}

const applied = Array.from({ length: COUNT }, () => 'applied')

test('calls of a push start together once a backend answers synchronously, and not otherwise', async () => {
  const watch = watched()
  let isSlow = false
  const create = async () => {
    if (isSlow) await nextTurn()
  }
  const source = defineSource({ name: 'Visit', pollInterval: -1, create })
  const engine = await testEngine([source], { store: watch.store })
  const { drainConcurrency } = engine.limits
  expect(await pushTo(engine, 'one')).toEqual(applied)
  expect(watch.most).toBe(drainConcurrency)
  expect(await pushTo(engine, 'two')).toEqual(applied)
  expect(watch.most).toBe(COUNT)
  isSlow = true
  expect(await pushTo(engine, 'three')).toEqual(applied)
  watch.most = 0
  expect(await pushTo(engine, 'four')).toEqual(applied)
  expect(watch.most).toBe(drainConcurrency)
})
