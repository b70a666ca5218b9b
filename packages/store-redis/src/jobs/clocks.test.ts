import { randomBytes } from 'node:crypto'
import { until } from '@godwit/testing'
import { afterEach, expect, jest, test } from '@jest/globals'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import { describeOnAnyRedis, keeper } from '../redis.fixture.js'
import { redisJobs } from './redis-jobs.js'

const HOUR = 3_600_000
const kept = keeper()

/** Sets this process's clock ahead of Redis' by this number of milliseconds until the end of the test. */
function putAhead(milliseconds: number) {
  const now = Date.now
  return jest.spyOn(Date, 'now').mockImplementation(() => now() + milliseconds)
}

describeOnAnyRedis('delayed jobs', redis => {
  afterEach(() => void jest.restoreAllMocks())

  const open = async () => {
    const prefix = `test ${randomBytes(6).toString('hex')}:`
    let sent = 0
    const connected = async () => {
      const handle = await connect(readAddress(redis.url))
      return {
        ...handle,
        send: (...given: Parameters<typeof handle.send>) => {
          sent++
          return handle.send(...given)
        },
      }
    }
    return { jobs: kept(await redisJobs(connected, { prefix })), sent: () => sent }
  }
  const job = { queue: 'mail', id: 'one', kind: 'send', data: null, delay: 300 }

  for (const [name, ahead] of [
    ['ahead', HOUR],
    ['behind', -HOUR],
  ] as const)
    test(`run at their time when the clock of the enqueuing process is ${name}`, async () => {
      const { jobs } = await open()
      const clock = putAhead(ahead)
      await jobs.enqueue(job)
      clock.mockRestore()
      const due = (await jobs.get('mail', 'one'))?.dueAt ?? 0
      const begun: number[] = []
      await jobs.work(async () => void begun.push(Date.now()))
      await until(() => begun.length > 0)
      expect(begun[0]).toBeGreaterThanOrEqual(due)
      await jobs.clear()
    })

  test('wait for their time, without polling, when the clock of the worker is ahead', async () => {
    const { jobs, sent } = await open()
    await jobs.enqueue(job)
    putAhead(HOUR)
    const due = (await jobs.get('mail', 'one'))?.dueAt ?? 0
    const begun: number[] = []
    await jobs.work(async () => void begun.push(Date.now() - HOUR))
    await until(() => begun.length > 0)
    expect(begun[0]).toBeGreaterThanOrEqual(due)
    expect(sent()).toBeLessThan(50)
    await jobs.clear()
  })
})
