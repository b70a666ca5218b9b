import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'
import { queuedDrains } from './recover.js'

const COUNT = 20

test('where the store cannot record the start of a call, the mutation stays queued for a sweep', async () => {
  const store = openMemoryStore()
  let [isLagging, asked] = [true, 0]
  const start: typeof store.journal.start = async (id, key, options) => {
    if (!isLagging) return store.journal.start(id, key, options)
    asked++
    return { refused: 'unconfirmed' }
  }
  const calls: string[] = []
  const create = async ({ note }: { note?: unknown }) => void calls.push(String(note))
  const source = defineSource({ name: 'Visit', pollInterval: -1, create })
  const engine = await testEngine([source], { store: { ...store, journal: { ...store.journal, start } } })
  const { epoch } = await store.collections.open({ source: 'Visit', partition: 'user:ada' })
  const mutations = Array.from({ length: COUNT }, (_, at) => ({
    number: at + 1,
    key: `the key of number ${at + 1}`,
    operation: 'create' as const,
    object: `${at + 1}`,
    attributes: { note: at + 1 },
  }))
  const sent = { source: 'Visit', user: 'ada', client: testClient(), push: { epoch, acknowledged: 0, mutations } }
  const { outcomes } = await push(engine, sent)
  expect(outcomes.map(({ status }) => status)).toEqual(mutations.map(() => 'queued'))
  // Mutations behind the refused ones are not tried either.
  expect(asked).toBeLessThanOrEqual(engine.limits.drainConcurrency)
  expect(calls).toEqual([])
  isLagging = false
  await queuedDrains(engine).run()
  expect(calls.toSorted()).toEqual(mutations.map(({ attributes }) => `${attributes.note}`).toSorted())
})
