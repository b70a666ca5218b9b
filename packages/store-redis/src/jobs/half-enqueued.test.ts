import { randomBytes } from 'node:crypto'
import type { NewJob } from '@godwit/store'
import { until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import { RedisConnection } from '../connection.js'
import { describeOnAnyRedis, keeper } from '../redis.fixture.js'
import { JobRecords } from './job-records.js'
import { redisJobs } from './redis-jobs.js'

const kept = keeper()

describeOnAnyRedis('a job whose second enqueue crashed before its ticket', redis => {
  /** Opens jobs, and a function that writes a job's record without sending its ticket. */
  const open = async () => {
    const prefix = `test ${randomBytes(6).toString('hex')}:`
    const jobs = kept(await redisJobs(() => connect(readAddress(redis.url)), { prefix }))
    const records = new JobRecords(new RedisConnection(redis.handle, { prefix }))
    return { jobs, enqueueHalf: (job: NewJob) => records.enqueue(job) }
  }
  const job = { queue: 'mail', id: 'one', kind: 'send' }

  test('runs once at its former time, with the later content', async () => {
    const { jobs, enqueueHalf } = await open()
    await jobs.enqueue({ ...job, data: 'first', delay: 100 })
    await enqueueHalf({ ...job, data: 'second' })
    const seen: unknown[] = []
    await jobs.work(async ({ data }) => void seen.push(data))
    await until(async () => (await jobs.get('mail', 'one')) === undefined)
    expect(seen).toEqual(['second'])
    await jobs.clear()
  })

  test('is retried after a failure', async () => {
    const { jobs, enqueueHalf } = await open()
    await jobs.enqueue({ ...job, data: 'first', delay: 100 })
    await enqueueHalf({ ...job, data: 'second', attempts: 3, backOff: 1 })
    const attempts: number[] = []
    await jobs.work(async given => {
      attempts.push(given.attempts)
      if (given.attempts < 3) throw new Error('no paper')
    })
    await until(async () => (await jobs.get('mail', 'one')) === undefined)
    expect(attempts).toEqual([1, 2, 3])
    await jobs.clear()
  })

  test('runs once per interval if it repeats, with any leftover tickets', async () => {
    const { jobs, enqueueHalf } = await open()
    await jobs.enqueue({ ...job, data: 'first', delay: 60, every: 200 })
    await jobs.enqueue({ ...job, data: 'second', delay: 40, every: 200 })
    await enqueueHalf({ ...job, data: 'third', every: 200 })
    const begun: number[] = []
    await jobs.work(async () => void begun.push(Date.now()))
    await until(() => begun.length >= 4)
    expect(begun.slice(1).filter((at, index) => at - (begun[index] ?? 0) < 200)).toEqual([])
    await jobs.clear()
  })
})
