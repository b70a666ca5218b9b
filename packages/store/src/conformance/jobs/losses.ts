import { sure } from '../suite.js'
import { gate, type JobsScene, type JobsSuite, job, until, untilNone } from './suite.js'

export function describeLosses(suite: JobsSuite): void {
  const { describe, fact, expect } = suite
  describe('losses', () => {
    fact('what a lost worker had, another gets when its lease is over', async scene => {
      const { survivor, work } = scene
      if (!survivor) return
      await runAndDie(scene)
      const other = await survivor()
      const attempts: number[] = []
      await work(async given => void attempts.push(given.attempts), { on: other })
      await untilNone(other)
      expect(attempts).toEqual([2])
    })

    fact('a job that loses all its workers is dead, and says why', async scene => {
      const { survivor, work } = scene
      if (!survivor) return
      await runAndDie(scene, 1)
      const other = await survivor()
      await work(async () => undefined, { on: other })
      await until(async () => (await other.get('mail', 'one'))?.state === 'dead')
      expect((await other.get('mail', 'one'))?.reason).toBe('Its worker was lost while it ran.')
    })

    if (suite.durable) describeReopen(suite)
  })
}

function describeReopen({ fact, expect }: JobsSuite): void {
  fact('what was enqueued is there after a restart', async ({ jobs, reopen, work }) => {
    await jobs.enqueue(job('late', { delay: 3_600_000 }))
    await jobs.enqueue(job('dies', { attempts: 1 }))
    await work(async () => {
      throw new Error('no paper')
    })
    await until(async () => (await jobs.get('mail', 'dies'))?.state === 'dead')
    const before = await jobs.list({ limit: 9 })
    await jobs.close()
    const after = await sure(reopen)()
    expect(await after.list({ limit: 9 })).toEqual(before)
  })

  fact('what was enqueued or ran is done after a kill', async scene => {
    const { jobs, reopen, work } = scene
    await jobs.enqueue(job('two', { delay: 20 }))
    await runAndDie(scene)
    const after = await sure(reopen)()
    const seen: string[] = []
    await work(async ({ id }) => void seen.push(id), { on: after })
    await untilNone(after)
    expect(seen.sort()).toEqual(['one', 'two'])
  })
}

/** Kills the engine while it runs a job with a short lease. */
async function runAndDie({ jobs, crash, work }: JobsScene, attempts = 5): Promise<void> {
  const never = gate()
  await work(async () => never.passed, { lease: 100 })
  await jobs.enqueue(job('one', { attempts }))
  await until(async () => (await jobs.get('mail', 'one'))?.state === 'running')
  await sure(crash)()
}
