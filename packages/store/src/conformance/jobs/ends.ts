import { codeOf } from '../suite.js'
import { gate, type JobsSuite, job, until, untilNone } from './suite.js'

export function describeEnds({ describe, fact, expect }: JobsSuite): void {
  describe('how a job ends', () => {
    fact('one that fails is tried again, with pauses that grow', async ({ jobs, work }) => {
      const begun: number[] = []
      const attempts: number[] = []
      await work(async given => {
        begun.push(Date.now())
        attempts.push(given.attempts)
        if (attempts.length < 4) throw new Error(`attempt ${given.attempts}`)
      })
      await jobs.enqueue(job('one', { backOff: 8 }))
      await untilNone(jobs)
      expect(attempts).toEqual([1, 2, 3, 4])
      const pauses = begun.slice(1).map((at, index) => at - (begun[index] ?? 0))
      expect(pauses.map((pause, index) => pause >= 8 * 2 ** index)).toEqual([true, true, true])
    })

    fact('one that failed as often as it may is dead, with the reason; enqueued again it lives', async scene => {
      const { jobs, work } = scene
      let isWell = false
      let runs = 0
      await work(async () => {
        runs++
        if (!isWell) throw new Error('the printer is out of paper')
      })
      await jobs.enqueue(job('one', { attempts: 2 }))
      await until(async () => (await jobs.get('mail', 'one'))?.state === 'dead')
      expect(runs).toBe(2)
      const [dead] = await jobs.list({ state: 'dead', limit: 9 })
      expect(dead).toMatchObject({ id: 'one', attempts: 2, reason: 'the printer is out of paper' })
      isWell = true
      await jobs.enqueue(job('one'))
      await untilNone(jobs)
      expect(runs).toBe(3)
    })

    fact('a dead one can be canceled; one that runs cannot', async ({ jobs, work }) => {
      const hold = gate()
      await work(async ({ id }) => {
        if (id === 'dies') throw new Error('no')
        await hold.passed
      })
      await jobs.enqueue(job('dies', { attempts: 1 }))
      await jobs.enqueue(job('runs'))
      await until(async () => (await jobs.get('mail', 'dies'))?.state === 'dead')
      await until(async () => (await jobs.get('mail', 'runs'))?.state === 'running')
      expect([await jobs.cancel('mail', 'dies'), await jobs.cancel('mail', 'runs')]).toEqual([true, false])
      hold.open()
      await untilNone(jobs)
    })

    fact('a worker that closes lets what runs come to its end, and takes nothing more', async ({ jobs, work }) => {
      const hold = gate()
      const seen: string[] = []
      const worker = await work(async ({ id }, { signal }) => {
        seen.push(id)
        signal.addEventListener('abort', hold.open)
        await hold.passed
      })
      await jobs.enqueue(job('one'))
      await until(() => seen.length === 1)
      await worker.close()
      expect(await jobs.get('mail', 'one')).toBe(undefined)
      await jobs.enqueue(job('two'))
      await worker.close()
      expect(await jobs.get('mail', 'two')).toMatchObject({ state: 'waiting', attempts: 0 })
      expect(seen).toEqual(['one'])
    })

    fact('what does not end in time is given back, and that attempt does not count', async ({ jobs, work }) => {
      const never = gate()
      const worker = await work(async () => never.passed)
      await jobs.enqueue(job('one'))
      await until(async () => (await jobs.get('mail', 'one'))?.state === 'running')
      await worker.close({ patience: 1 })
      expect(await jobs.get('mail', 'one')).toMatchObject({ state: 'waiting', attempts: 0 })
      const attempts: number[] = []
      await work(async given => void attempts.push(given.attempts))
      await untilNone(jobs)
      never.open()
      expect(attempts).toEqual([1])
    })

    fact(
      'what fails because its worker closes is given back, and that attempt does not count',
      async ({ jobs, work }) => {
        const worker = await work(async (_, { signal }) => {
          await new Promise(resolve => signal.addEventListener('abort', resolve))
          throw new Error('the server stops')
        })
        await jobs.enqueue(job('one', { attempts: 1 }))
        await until(async () => (await jobs.get('mail', 'one'))?.state === 'running')
        await worker.close()
        expect(await jobs.get('mail', 'one')).toMatchObject({ state: 'waiting', attempts: 0 })
        const attempts: number[] = []
        await work(async given => void attempts.push(given.attempts))
        await untilNone(jobs)
        expect(attempts).toEqual([1])
      },
    )

    fact('what runs while all is cleared ends without a trace', async ({ jobs, work }) => {
      const hold = gate()
      await work(async () => hold.passed)
      await jobs.enqueue(job('one', { every: 60_000 }))
      await until(async () => (await jobs.get('mail', 'one'))?.state === 'running')
      await jobs.clear()
      hold.open()
      await jobs.enqueue(job('two'))
      await untilNone(jobs)
    })

    fact('closed twice it takes nothing more', async ({ jobs }) => {
      await jobs.close()
      await jobs.close()
      expect(await codeOf(jobs.enqueue(job('one')))).toBe('store_unavailable')
      expect(await codeOf(jobs.work(async () => undefined))).toBe('store_unavailable')
    })
  })
}
