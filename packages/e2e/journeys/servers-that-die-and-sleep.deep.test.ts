import { amount } from '@godwit/testing'
import { afterEach, expect, test } from '@jest/globals'
import { history } from '../chaos/history.js'
import { findViolations, settleWorld } from '../chaos/settle-and-check.js'
import { type ChaosWorld, openWorld } from '../chaos/world.js'
import { endAll } from '../harness/process.js'
import { STORES } from '../harness/stores.js'

const redis = STORES.find(({ name }) => name === 'Redis')
const first = Number(process.env['CHAOS_FIRST'] ?? 1)
const histories = Number(process.env['CHAOS_HISTORIES'] ?? amount({ deep: 2, night: 100 }))
const seeds = Array.from({ length: histories }, (_, at) => first + at)

let world: ChaosWorld | undefined
afterEach(async () => {
  await world?.close()
  await endAll()
})

if (!redis) test.skip('several servers need a redis-server', () => undefined)
else
  test.each(seeds)(
    'with seed %i, crashes and pauses of servers on one Redis lose and repeat no edit',
    async seed => {
      const devices = [
        ['phone', 'ada'],
        ['tablet', 'ada'],
        ['laptop', 'grace'],
      ] as const
      world = await openWorld({ address: redis.address, devices })
      await history(world, seed)
      await settleWorld(world)
      expect(await findViolations(world)).toEqual([])
      expect(world.ledger.edits.length).toBeGreaterThan(20)
    },
    300_000,
  )
