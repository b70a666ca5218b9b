import type { Attributes } from '@godwit/protocol'
import { defineSource, failure, type SourceDefinition } from '@godwit/source'
import { describe, expect, jest, test } from '@jest/globals'
import { testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask, MinimalDevice } from './device.fixture.js'

const COLLECTION = { source: 'Thing', partition: 'user:ada' }
const OBJECTS = Object.fromEntries(Array.from({ length: 5 }, (_, at) => [`o${at}`, { n: at }]))

async function world(definition: Partial<SourceDefinition<Attributes>>) {
  const backend = { fails: false }
  const query = jest.fn(() => (backend.fails ? Promise.reject(failure('The backend is away.')) : OBJECTS))
  const engine = await testEngine([
    defineSource<Attributes>({ name: 'Thing', pollInterval: 86_400, queryTimeout: 0.05, query, ...definition }),
  ])
  const device = new MinimalDevice()
  const sync = async (pageSize = 2) => {
    for (;;) {
      const page = await ask(engine, 'Thing', testClient(), device.token, pageSize)
      device.apply(page)
      if (!page.more) return page
    }
  }
  return { engine, backend, query, device, sync }
}

describe('a collection whose first query fails', () => {
  test.each([
    [86_400, 'once a day'],
    [0, 'at every pull'],
  ])('removes nothing from a device of the former collection, with poll_interval %i (%s)', async pollInterval => {
    const { engine, backend, device, sync } = await world({ pollInterval })
    await sync()
    expect(device.rows.size).toBe(5)
    await engine.store.collections.drop(COLLECTION)
    backend.fails = true
    for (let round = 0; round < 3; round++) {
      const page = await sync()
      expect(page).toMatchObject({ status: 'resync', source_error: { message: 'The backend is away.' }, more: false })
      expect(page).not.toHaveProperty('ends')
      expect(device.objects()).toEqual(OBJECTS)
    }
    await engine.store.collections.apply(COLLECTION, { replace: { pushed: {} } })
    expect(await sync()).not.toHaveProperty('ends')
    expect(device.objects()).toEqual({ ...OBJECTS, pushed: {} })
    backend.fails = false
    engine.pass(300_000)
    expect(await sync()).toMatchObject({ ends: true, status: 'resync' })
    expect(device.objects()).toEqual(OBJECTS)
    expect(device.checksum()).toBe(device.pages.at(-1)?.checksum)
  })

  test('is queried again after growing waits, and then at its interval', async () => {
    const { engine, backend, query, sync } = await world({})
    backend.fails = true
    await sync()
    const attempts = async (milliseconds: number) => {
      engine.pass(milliseconds)
      await sync()
      return query.mock.calls.length
    }
    expect([await attempts(4_999), await attempts(1), await attempts(9_999), await attempts(1)]).toEqual([1, 2, 2, 3])
    for (let pause = 20_000; pause < 300_000; pause *= 2) await attempts(pause)
    expect(query).toHaveBeenCalledTimes(7)
    expect([await attempts(299_999), await attempts(1)]).toEqual([7, 8])
    backend.fails = false
    expect([await attempts(300_000), await attempts(300_000)]).toEqual([9, 9])
    backend.fails = true
    expect([await attempts(86_100_000), await attempts(300_000)]).toEqual([10, 10])
  })

  test('ends its passes where no query will follow', async () => {
    const pushed = await world({ query: undefined as never })
    expect(await pushed.sync()).toMatchObject({ ends: true })
    const never = await world({ pollInterval: -1 })
    expect(await never.sync()).toMatchObject({ ends: true })
    expect(never.query).not.toHaveBeenCalled()
    never.backend.fails = true
    await never.engine.store.collections.drop(COLLECTION)
    await never.engine.store.collections.open(COLLECTION)
    await never.engine.store.collections.requestQuery(COLLECTION)
    expect(await never.sync()).not.toHaveProperty('ends')
    never.backend.fails = false
    expect(await never.sync()).toMatchObject({ ends: true, insert: { o4: {} } })
  })
})
