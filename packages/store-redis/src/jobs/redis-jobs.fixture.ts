import { randomBytes } from 'node:crypto'
import type { JobsUnderTest } from '@godwit/store/conformance'
import { readAddress } from '../address.js'
import { connect } from '../connect/connect.js'
import type { RedisHandle } from '../redis-handle.js'
import { redisJobs } from './redis-jobs.js'

/** Jobs under a separate prefix in a Redis that all tests share; `discard` deletes its keys. */
export async function openIn(url: string): Promise<JobsUnderTest> {
  const prefix = `test ${randomBytes(6).toString('hex')}:`
  const process = { handles: [] as RedisHandle[], isDead: false }
  const openFirst = async (): Promise<RedisHandle> => {
    const handle = await connect(readAddress(url))
    process.handles.push(handle)
    const alive = () => {
      if (process.isDead) throw new Error('This process is dead.')
    }
    return {
      ...handle,
      send: async (key, command) => {
        alive()
        return handle.send(key, command)
      },
      subscribe: async (...given) => {
        const end = await handle.subscribe(...given)
        return async () => {
          alive()
          await end()
        }
      },
      close: async () => {
        alive()
        await handle.close()
      },
    }
  }
  const beside = () => redisJobs(() => connect(readAddress(url)), { prefix })
  return {
    jobs: await redisJobs(openFirst, { prefix }),
    beside,
    reopen: beside,
    /** Simulates a killed process: destroys its connections, and opens no others. */
    crash: async () => {
      process.isDead = true
      for (const handle of process.handles) handle.destroy()
    },
    discard: async () => {
      const jobs = await beside()
      await jobs.clear()
      await jobs.close()
    },
  }
}
