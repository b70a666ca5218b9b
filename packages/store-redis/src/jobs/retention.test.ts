import { randomBytes } from 'node:crypto'
import type { Jobs } from '@godwit/store'
import { until } from '@godwit/testing'
import { afterEach, beforeEach, expect, test } from '@jest/globals'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import { describeOnAnyRedis } from '../redis.fixture.js'
import { redisJobs } from './redis-jobs.js'

const DAY = 24 * 3_600_000

describeOnAnyRedis('what jobs leave in Redis', redis => {
  let jobs: Jobs
  let prefix: string
  /** Milliseconds by which the clock of the records is ahead. */
  let ahead: number
  const open = () => connect(readAddress(redis.url))
  beforeEach(async () => {
    prefix = `test ${randomBytes(6).toString('hex')}:`
    ahead = 0
    jobs = await redisJobs(open, { prefix, clock: () => Date.now() + ahead })
  })
  afterEach(async () => {
    await jobs.clear()
    await jobs.close()
  })

  const send = async (...command: string[]) => (await redis.handle.primaries())[0]?.(command)
  const keys = async () => (await send('KEYS', `${prefix}*`)) as string[]
  const isEmpty = async () => (await jobs.list({ limit: 1 })).length === 0

  test('a finished job leaves a few expiring keys of its queue, and the queue name', async () => {
    const worker = await jobs.work(async () => undefined)
    for (let id = 0; id < 200; id++)
      await jobs.enqueue({ queue: 'mail', id: `${id}`, kind: 'send', data: null, group: `g${id % 3}` })
    await until(isEmpty)
    await worker.close()
    const left = new Map(
      await Promise.all((await keys()).map(async key => [key, Number(await send('PTTL', key))] as const)),
    )
    const lasting = [...left].filter(([, milliseconds]) => milliseconds < 0).map(([key]) => key)
    expect(lasting).toEqual([`${prefix}jobs:{${prefix}jobs}:queues`])
    const [, most = 0] = [...left].sort(([, one], [, other]) => one - other).at(-1) ?? []
    expect(most).toBeLessThanOrEqual(60 * DAY)
    expect(Number(await send('XLEN', `${prefix}jobs:{${prefix}jobs}:queue-mail:events`))).toBeLessThan(500)
  })

  test('a dead job is forgotten after a month, and a queue without jobs is no longer served', async () => {
    const worker = await jobs.work(async ({ id }) => {
      if (id === 'dies') throw new Error('no paper')
    })
    await jobs.enqueue({ queue: 'mail', id: 'dies', kind: 'send', data: null, attempts: 1 })
    await until(async () => (await jobs.get('mail', 'dies'))?.state === 'dead')
    ahead = 29 * DAY
    await jobs.enqueue({ queue: 'other', id: 'one', kind: 'send', data: null })
    await until(async () => (await jobs.get('other', 'one')) === undefined)
    expect((await jobs.get('mail', 'dies'))?.state).toBe('dead')
    ahead = 31 * DAY
    await jobs.enqueue({ queue: 'other', id: 'two', kind: 'send', data: null })
    await until(isEmpty)
    await worker.close()
    // The next listing of queues forgets it.
    await (await jobs.work(async () => undefined)).close()
    const queues = `${prefix}jobs:{${prefix}jobs}:queues`
    expect(await send('ZRANGE', queues, '0', '-1')).toEqual(['other'])
    await jobs.enqueue({ queue: 'mail', id: 'new', kind: 'send', data: null })
    expect(await send('ZCARD', queues)).toBe(2)
  })

  test('a store over the same prefix that is cleared leaves jobs alone', async () => {
    await jobs.enqueue({ queue: 'mail', id: 'one', kind: 'send', data: null, delay: 60_000 })
    const { redisStore } = await import('../redis-store.js')
    const store = redisStore(await open(), { prefix })
    await store.clear()
    await store.close()
    expect(await isEmpty()).toBe(false)
  })
})
