import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { defineSource } from '@godwit/source'
import { openMemoryStore } from '@godwit/store'
import { expect, test } from '@jest/globals'
import { testEngine } from '../../testing/engine.fixture.js'
import { DueQueries } from './due-queries.js'

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

const USERS = 50
const ROUNDS = 200
const MIB = 1024 ** 2

test('thousands of due queries leave neither memory nor handles', async () => {
  let now = 1_700_000_000_000
  let queries = 0
  const store = openMemoryStore({ clock: () => now })
  const query = () => {
    queries++
    return { only: { text: 'the same' } }
  }
  const source = defineSource<object>({ name: 'Thing', pollInterval: 10, query })
  const users = new Set(Array.from({ length: USERS }, (_, at) => `user ${at}`))
  const hub = {
    logins: () => users,
    isListening: (login: string) => users.has(login),
    onChange: () => {},
    refresh: () => {},
  }
  const engine = { ...(await testEngine([source], { store })), hub }
  const due = new DueQueries(engine, { random: () => 0, now: () => now })
  for (const user of users) await store.collections.open({ source: 'Thing', partition: `user:${user}` })

  const measure = () => {
    collectGarbage()
    return { heap: process.memoryUsage().heapUsed, handles: process.getActiveResourcesInfo().length }
  }
  const run = async (rounds: number): Promise<void> => {
    for (let round = 0; round < rounds; round++) {
      const before = queries
      now += 10_100
      due.turn()
      while (queries < before + USERS) await new Promise(resolve => setTimeout(resolve, 1))
      await new Promise(resolve => setTimeout(resolve, 2))
    }
  }
  due.turn()
  await new Promise(resolve => setTimeout(resolve, 50))
  await run(20)
  const before = measure()
  await run(ROUNDS)
  const after = measure()
  expect(queries).toBeGreaterThanOrEqual(ROUNDS * USERS)
  expect(due.size).toBe(USERS)
  expect(after.heap - before.heap).toBeLessThan(2 * MIB)
  expect(after.handles).toBeLessThanOrEqual(before.handles + 1)
}, 120_000)
