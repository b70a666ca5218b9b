import type { Page } from '@godwit/protocol'
import { defineSource } from '@godwit/server'
import { connectRedisStore } from '@godwit/store-redis'
import { partOf, redisIsThere, startRedis, until } from '@godwit/testing'
import { afterEach, describe, expect, test } from '@jest/globals'
import { openStore } from '../soak/open-store.js'
import { type AttackWorld, openOn, read } from './world.js'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const INTERVAL = 2
const JUMPS = [HOUR, -HOUR, DAY, -DAY]

/** Servers of one store, and by how much the clock of the first one is wrong. */
interface Clocks {
  readonly servers: readonly AttackWorld[]
  wrongBy: number
}

let clocks: Clocks
let queries: number
let fails: boolean
const closes: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const close of closes.splice(0).reverse()) await close()
})

const polled = () =>
  defineSource({
    name: 'Polled',
    pollInterval: INTERVAL,
    retryLimit: 0,
    query: () => {
      queries++
      if (fails) throw new Error('The backend is away.')
      return { o: { asked: queries } }
    },
  })

/** Two servers whose machines, and Redis', each have their own clock. */
async function overRedis(): Promise<Clocks> {
  const redis = await startRedis()
  closes.push(redis.stop)
  const wrong = { wrongBy: 0, servers: [] as AttackWorld[] }
  for (const clock of [() => Date.now() + wrong.wrongBy, Date.now]) {
    const store = await connectRedisStore(redis.url)
    const world = await openOn(store, () => store.close(), { clock, sources: [polled()] })
    closes.push(world.close)
    wrong.servers.push(world)
  }
  return wrong
}

/** One server, whose store is on the same machine. */
async function overSqlite(): Promise<Clocks> {
  const wrong = { wrongBy: 0, servers: [] as AttackWorld[] }
  const clock = () => Date.now() + wrong.wrongBy
  const { store, close } = await openStore('SQLite', { clock })
  const world = await openOn(store, close, { clock, sources: [polled()] })
  closes.push(world.close)
  wrong.servers.push(world)
  return wrong
}

const OVER = [['SQLite', overSqlite] as const, ...(redisIsThere() ? [['Redis', overRedis] as const] : [])]

describe.each(OVER)('over %s', (_, open) => {
  /** Pulls from each server until the source was asked once more. */
  async function requestedAgain(pulls: readonly (() => Promise<Page>)[]): Promise<void> {
    for (const pull of pulls) {
      const before = queries
      const isRequested = async (): Promise<boolean> => {
        await pull()
        return queries > before
      }
      await until(isRequested, { every: 50, within: 20_000 })
    }
  }

  test.each(partOf(JUMPS, 2))('a clock that was wrong by %s ms stops no polling once it is right again', async jump => {
    for (const isAway of [false, true]) {
      queries = 0
      fails = false
      clocks = await open()
      const [first = clocks.servers[0]] = clocks.servers
      const { headers } = await (first as AttackWorld).caller('ada')
      const pulls = clocks.servers.map(
        server => async () => read<Page>(await server.call('GET', '/app/v1/Polled', headers)),
      )
      await requestedAgain(pulls)
      clocks.wrongBy = jump
      fails = isAway
      await requestedAgain(pulls)
      // A clock that is wrong does not make each pull a query, either.
      const before = queries
      await Promise.all(pulls.map(pull => pull()))
      expect(queries).toBeLessThan(before + 2)
      fails = false
      clocks.wrongBy = 0
      await requestedAgain(pulls)
      for (const close of closes.splice(0).reverse()) await close()
    }
  })
})
