import { setTimeout as pause } from 'node:timers/promises'
import { startRedis, until } from '@godwit/testing'
import { expect, test } from '@jest/globals'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import { describeWithRedis, keeper } from '../redis.fixture.js'
import type { RedisHandle } from '../redis-handle.js'
import { redisJobs } from './redis-jobs.js'

const kept = keeper()

describeWithRedis('a worker on all queues', () => {
  test('searches for unannounced queues until it succeeds', async () => {
    const { url } = kept(await startRedis())
    let [isAway, lost] = [false, () => {}]
    const open = async (): Promise<RedisHandle> => {
      const handle = await connect(readAddress(url))
      return {
        ...handle,
        send: (...command) => (isAway ? Promise.reject(new Error('Redis is away.')) : handle.send(...command)),
        subscribe: (channel, _, missed) => {
          lost = missed
          return handle.subscribe(channel, () => undefined, missed)
        },
      }
    }
    const jobs = kept(await redisJobs(open))
    const [done, errors]: [string[], unknown[]] = [[], []]
    await jobs.work(async ({ id }) => void done.push(id), { onError: error => errors.push(error) })
    isAway = true
    lost()
    await until(() => errors.length > 0)
    isAway = false
    const beside = kept(await redisJobs(() => connect(readAddress(url))))
    await beside.enqueue({ queue: 'new', id: 'a', kind: 'any', data: {} })
    await until(() => done.length > 0)
    expect(done).toEqual(['a'])
  })

  test('does not spin while every command fails at once', async () => {
    const { url } = kept(await startRedis())
    let [isAway, failed] = [false, 0]
    const open = async (): Promise<RedisHandle> => {
      const handle = await connect(readAddress(url))
      const send: RedisHandle['send'] = async (...command) => {
        if (!isAway) return handle.send(...command)
        // Without a limit, a loop of such failures would never end the test.
        if (++failed > 1000) return new Promise(() => {})
        throw new Error('Redis is full.')
      }
      return { ...handle, send }
    }
    const jobs = await redisJobs(open)
    isAway = true
    const worker = await jobs.work(async () => undefined, { queues: ['mail'] })
    await until(() => failed > 0)
    await pause(1000)
    expect(failed).toBeLessThan(20)
    isAway = false
    await worker.close()
    await jobs.close()
  })

  test('closes without a timer that is left, though Redis was away', async () => {
    const { url } = kept(await startRedis())
    const timers = () => process.getActiveResourcesInfo().filter(kind => kind === 'Timeout').length
    const before = timers()
    let [isAway, failed] = [false, 0]
    const open = async (): Promise<RedisHandle> => {
      const handle = await connect(readAddress(url))
      const send: RedisHandle['send'] = async (...command) => {
        if (!isAway) return handle.send(...command)
        failed++
        throw new Error('connect ECONNREFUSED')
      }
      return { ...handle, send }
    }
    const jobs = await redisJobs(open)
    const worker = await jobs.work(async () => undefined, { queues: ['mail'], lease: 100 })
    isAway = true
    await until(() => failed > 0)
    isAway = false
    await worker.close()
    await jobs.close()
    expect(timers()).toBeLessThanOrEqual(before)
  })
})
