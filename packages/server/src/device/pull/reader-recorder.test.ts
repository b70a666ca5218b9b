import { setTimeout as pause } from 'node:timers/promises'
import { defineSource } from '@godwit/source'
import { openMemoryStore, type RecordValue, type Store } from '@godwit/store'
import { until } from '@godwit/testing'
import { afterEach, describe, expect, jest, test } from '@jest/globals'
import { clientOf, sentIn } from '../../accounts/users/client-record.js'
import { type TestEngine, testClient, testEngine } from '../../testing/engine.fixture.js'
import { ask } from './device.fixture.js'
import { GATHER, GATHER_SENT } from './reader-recorder.js'

afterEach(() => void jest.useRealTimers())

/** A store that counts written positions. */
function counting(): { readonly store: Store; readonly noted: string[] } {
  const store = openMemoryStore({})
  const noted: string[] = []
  const recordReader: Store['collections']['recordReader'] = (collection, reader, base) => {
    noted.push(reader)
    return store.collections.recordReader(collection, reader, base)
  }
  return { store: { ...store, collections: { ...store.collections, recordReader } }, noted }
}

/** Returns the token of a device whose first pass is complete and recorded. */
async function upToDate(engine: TestEngine, id: string): Promise<string> {
  const { token } = await ask(engine, 'City', testClient(id), undefined, 500)
  return (await ask(engine, 'City', testClient(id), token, 500)).token
}

test('the first pass of a device is noted at once, later pulls are noted in batches', async () => {
  const { store, noted } = counting()
  const engine = await testEngine([defineSource({ name: 'City', partition: 'app', pollInterval: -1 })], { store })
  const names = ['one', 'two', 'three']
  const tokens = await Promise.all(names.map(name => upToDate(engine, name)))
  expect(new Set(noted)).toEqual(new Set(names))
  noted.length = 0
  engine.pass(61_000)
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  for (const [index, name] of names.entries()) await ask(engine, 'City', testClient(name), tokens[index], 500)
  expect(noted).toEqual([])
  jest.advanceTimersByTime(GATHER)
  expect(noted).toEqual(names)
  expect(jest.getTimerCount()).toBe(0)
})

test('a server that stops drops pending notes', async () => {
  const { store, noted } = counting()
  const engine = await testEngine([defineSource({ name: 'City', partition: 'app', pollInterval: -1 })], { store })
  const token = await upToDate(engine, 'client-1')
  noted.length = 0
  engine.pass(61_000)
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick', 'queueMicrotask'] })
  await ask(engine, 'City', testClient(), token, 500)
  engine.stop()
  jest.advanceTimersByTime(GATHER)
  expect(noted).toEqual([])
})

test('a position is noted although the clock was set back', async () => {
  const { store, noted } = counting()
  const engine = await testEngine([defineSource({ name: 'City', partition: 'app', pollInterval: -1 })], { store })
  const token = await upToDate(engine, 'client-1')
  noted.length = 0
  engine.pass(-24 * 3_600_000)
  await ask(engine, 'City', testClient(), token, 500)
  await until(() => noted.length === 1)
})

describe('the end of a pass', () => {
  const City = () => defineSource({ name: 'City', partition: 'app', pollInterval: -1 })
  const collection = { source: 'City', partition: '*' }

  async function open() {
    const store = openMemoryStore({})
    const writes: RecordValue[] = []
    const registry: Store['registry'] = {
      ...store.registry,
      merge: (kind, id, change, options) => {
        if (kind === 'client') writes.push(change)
        return store.registry.merge(kind, id, change, options)
      },
    }
    const engine = await testEngine([City()], { store: { ...store, registry } })
    await registry.create('client', { id: 'client-1', owner: 'ada', value: { 'nonce:*': 'n' } })
    const device = async () => clientOf((await registry.get('client', 'client-1')) as never)
    const pull = async (token: string | undefined, size = 500) => ask(engine, 'City', await device(), token, size)
    const change = (id: string) => engine.store.collections.apply(collection, { merge: { [id]: { n: Math.random() } } })
    const recorded = async () => sentIn(await device(), collection)?.[2]
    return { engine, writes, pull, change, recorded }
  }

  test('is recorded in one write for a pass that delivers, and in none for a pull of nothing', async () => {
    const { writes, pull, change, recorded } = await open()
    await change('a')
    let { token } = await pull(undefined)
    expect([await recorded(), writes.length]).toEqual([1, 1])
    token = (await pull(token)).token
    // The pull that confirms the first pass is news.
    expect(writes.length).toBe(2)
    for (let round = 2; round < 4; round++) {
      await change('a')
      token = (await pull(token)).token
      await until(async () => (await recorded()) === round)
      expect(writes.length).toBe(round + 1)
      for (let nothing = 0; nothing < 3; nothing++) token = (await pull(token)).token
      await pause(GATHER_SENT + 2 * GATHER)
      expect(writes.length).toBe(round + 1)
    }
  })

  test('is recorded once for a pass of several pages, at its end', async () => {
    const { writes, pull, change, recorded } = await open()
    for (const id of ['a', 'b', 'c', 'd', 'e']) await change(id)
    let page = await pull(undefined, 2)
    page = await pull(page.token, 2)
    expect(await recorded()).toBeUndefined()
    await pull(page.token, 2)
    await until(async () => (await recorded()) === 5)
    expect(writes.filter(one => Object.keys(one).some(name => name.startsWith('sent:'))).length).toBe(1)
  })

  test.each([true, false])('is taken back when a longer pass is asked for again (recorded: %p)', async isRecorded => {
    const { pull, change, recorded } = await open()
    await change('a')
    const { token } = await pull(undefined)
    await pull(token)
    await change('b')
    // The answer is lost.
    await pull(token)
    if (isRecorded) await until(async () => (await recorded()) === 2)
    await change('c')
    await pull(token, 1)
    if (!isRecorded) await pause(GATHER_SENT + GATHER)
    await until(async () => (await recorded()) === undefined)
  })
})
