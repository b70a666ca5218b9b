import { openMemoryStore, type Store } from '@godwit/store'
import { until, verifies } from '@godwit/testing'
import { afterEach, expect, jest, test } from '@jest/globals'
import { type TestEngine, testClient, testEngine } from '../engine.fixture.js'
import { defineSource } from '../sources/define-source.js'
import { ask } from './device.fixture.js'
import { GATHER } from './reader-recorder.js'

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
  verifies('behaviour.everywhere.clock-set-back')

  const { store, noted } = counting()
  const engine = await testEngine([defineSource({ name: 'City', partition: 'app', pollInterval: -1 })], { store })
  const token = await upToDate(engine, 'client-1')
  noted.length = 0
  engine.pass(-24 * 3_600_000)
  await ask(engine, 'City', testClient(), token, 500)
  await until(() => noted.length === 1)
})
