import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask } from '../pull/device.fixture.js'
import { giveUpExpired } from './recover.js'

test('the wait before a retry uses the clock of the store, not of the process', async () => {
  let now = 1_000
  const store = openMemoryStore({ clock: () => now })
  const source = defineSource<object>({ name: 'Thing', pollInterval: -1, idempotent: true, create: () => 'real' })
  const engine = await testEngine([source], { store })
  const { epoch } = await ask(engine, 'Thing', testClient(), undefined, 1)
  const collection = { source: 'Thing', partition: 'user:ada' }
  const key = 'a key of sixteen'
  await store.journal.accept(collection, {
    ...{ client: 'client-1', user: 'ada', epoch, acknowledged: 0, idempotent: true },
    mutations: [{ number: 1, key, operation: 'create', object: 't1', attributes: {} }],
  })
  await store.journal.start(collection, key, { milliseconds: 10, durable: true })
  now += 11
  await giveUpExpired(engine)
  const queued = async () => (await store.journal.queued(collection, { limit: 9 })).length
  expect(await queued()).toBe(0)
  now += 60_000
  expect(await queued()).toBe(1)
})
