import type { Mutation } from '@godwit/protocol'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { describe, expect, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { push } from './push.js'

const collection = { source: 'Visit', partition: 'user:ada' }

const update = (number: number, object = `${number}`): Mutation => ({
  ...{ number, key: `key of number ${number} 16`, operation: 'update', object },
  attributes: { note: 'a' },
})

/** A collection and its journal, with their recorded calls. */
function watched() {
  const store = openMemoryStore()
  const asked: string[] = []
  const noting = <Part extends object>(part: Part): Part =>
    new Proxy(part, {
      get(target, name) {
        if (typeof name === 'string') asked.push(name)
        return Reflect.get(target, name)
      },
    })
  return { store: { ...store, journal: noting(store.journal), collections: noting(store.collections) }, asked }
}

async function world() {
  const { store, asked } = watched()
  const source = defineSource<{ note: string }>({
    name: 'Visit',
    pollInterval: -1,
    query: () => Promise.resolve({}),
    update: async () => undefined,
  })
  const engine = await testEngine([source], { store })
  const { epoch } = await store.collections.open(collection)
  const { fence = 0 } =
    (await store.leases.acquire({ kind: 'query', collection }, { holder: 'test', milliseconds: 60_000 })) ?? {}
  const options = { epoch, fence, since: 0, queriesRequested: 0, maxRemovedShare: 1 }
  await store.collections.replace(collection, (async function* () {})(), options)
  const send = async (mutations: readonly Mutation[], acknowledged: number) => {
    asked.length = 0
    const sent = { epoch, acknowledged, mutations }
    const { outcomes } = await push(engine, { source: 'Visit', user: 'ada', client: testClient('one'), push: sent })
    return outcomes.map(({ outcome, number, status }) => [outcome, number, status])
  }
  return { send, asked }
}

describe('a push asks the store', () => {
  test('only to accept, start and settle, where it decides all pending outcomes', async () => {
    const { send, asked } = await world()
    expect(await send([update(1), update(2)], 0)).toEqual([
      [1, 1, 'applied'],
      [2, 2, 'applied'],
    ])
    expect(await send([update(3)], 2)).toEqual([[3, 3, 'applied']])
    expect(asked).toEqual(['accept', 'start', 'settle'])
    expect(await send([], 3)).toEqual([])
    expect(asked).toEqual(['accept'])
  })

  test('also for pending outcomes of its device', async () => {
    const { send, asked } = await world()
    await send([update(1)], 0)
    expect(await send([update(2)], 0)).toEqual([
      [1, 1, 'applied'],
      [2, 2, 'applied'],
    ])
    expect(asked).toContain('outcomes')
    expect(await send([update(2)], 1)).toEqual([[2, 2, 'applied']])
  })
})
