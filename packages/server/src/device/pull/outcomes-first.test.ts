import { defineSource } from '@godwit/source'
import { openMemoryStore, type StartedMutation, type Store } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask } from './device.fixture.js'

const COLLECTION = { source: 'Thing', partition: 'user:ada' }
const KEY = 'a key of sixteen'

/** A store that runs a function right after a page was read. */
function interrupted(store: Store, happens: () => Promise<unknown>): Store {
  const page: Store['collections']['page'] = async (...given) => {
    const read = await store.collections.page(...given)
    await happens()
    return read
  }
  return { ...store, collections: { ...store.collections, page } }
}

test('a page has no outcome of a version newer than its rows', async () => {
  const store = openMemoryStore({})
  const { epoch } = await store.collections.open(COLLECTION)
  await store.journal.accept(COLLECTION, {
    client: 'client-1',
    user: 'ada',
    epoch,
    acknowledged: 0,
    mutations: [{ number: 1, key: KEY, operation: 'create', object: 't1', attributes: {} }],
    idempotent: false,
  })
  const { fence } = (await store.journal.start(COLLECTION, KEY, {
    milliseconds: 1000,
    durable: true,
  })) as StartedMutation
  const write = { object: 't1', set: {} }
  const settle = () => store.journal.settle(COLLECTION, KEY, { epoch, fence, status: 'applied', write })
  const engine = await testEngine([defineSource({ name: 'Thing', pollInterval: -1 })], {
    store: interrupted(store, settle),
  })
  const first = await ask(engine, 'Thing', testClient(), undefined, 500)
  expect([first.head, first.outcomes]).toEqual([0, undefined])
  const second = await ask(engine, 'Thing', testClient(), first.token, 500)
  expect([second.head, second.outcomes]).toMatchObject([1, [{ number: 1, version: 1 }]])
})
