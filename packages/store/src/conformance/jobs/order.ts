import { gate, type JobsSuite, job, pause, until, untilNone } from './suite.js'

export function describeOrder({ describe, fact, expect }: JobsSuite): void {
  describe('queues and groups', () => {
    fact('a queue is worked in the order in which its jobs are due', async ({ jobs, work }) => {
      for (const delay of [600, 200, 400, 0]) await jobs.enqueue(job(`after ${delay}`, { delay }))
      const waiting = [...(await jobs.list({ limit: 9 }))].sort((one, other) => one.dueAt - other.dueAt)
      await until(() => waiting.every(({ dueAt }) => dueAt <= Date.now()))
      const seen: string[] = []
      await work(async ({ id }) => void seen.push(id), { concurrency: 1 })
      await untilNone(jobs)
      const dueAt = new Map(waiting.map(one => [one.id, one.dueAt]))
      expect(seen.map(id => dueAt.get(id))).toEqual(waiting.map(one => one.dueAt))
    })

    fact('a limited number of a queue run at once, and other queues do not wait for it', async ({ jobs, work }) => {
      const hold = gate()
      const running = new Set<string>()
      let most = 0
      let quick = 0
      await work(
        async ({ queue, id }) => {
          if (queue === 'quick') {
            quick++
            return
          }
          running.add(id)
          most = Math.max(most, running.size)
          await hold.passed
          running.delete(id)
        },
        { concurrency: 2 },
      )
      for (const id of ['1', '2', '3', '4', '5']) await jobs.enqueue(job(id, { queue: 'slow' }))
      await until(() => running.size === 2)
      await jobs.enqueue(job('1', { queue: 'quick' }))
      await until(() => quick === 1)
      expect(running.size).toBe(2)
      hold.open()
      await untilNone(jobs)
      expect(most).toBe(2)
    })

    fact('a worker that names queues leaves the others alone', async ({ jobs, work }) => {
      const seen: string[] = []
      await work(async ({ queue }) => void seen.push(queue), { queues: ['mail', 'none'] })
      await jobs.enqueue(job('1', { queue: 'other' }))
      await jobs.enqueue(job('1'))
      await until(() => seen.length > 0)
      expect(await jobs.get('other', '1')).toMatchObject({ state: 'waiting' })
      expect(seen).toEqual(['mail'])
    })

    fact('jobs of one group run one at a time, over queues and engines', async ({ jobs, beside, work }) => {
      const engines = [jobs, ...(beside ? [await beside()] : [])]
      const running = new Map<string, number>()
      const seen: string[] = []
      let most = 0
      const handler = async ({ id, group = id }: { readonly id: string; readonly group?: string | undefined }) => {
        running.set(group, (running.get(group) ?? 0) + 1)
        most = Math.max(most, running.get(group) ?? 0)
        await pause(1)
        running.set(group, (running.get(group) ?? 0) - 1)
        seen.push(id)
      }
      for (const on of engines) for (const _ of [1, 2]) await work(handler, { on, lease: 500 })
      for (let number = 0; number < 40; number++) {
        const on = engines[number % engines.length] ?? jobs
        await on.enqueue(job(`${number}`, { queue: `q${number % 3}`, group: `g${number % 4}` }))
      }
      await untilNone(jobs)
      expect(new Set(seen).size).toBe(40)
      expect(most).toBe(1)
    })
  })
}
