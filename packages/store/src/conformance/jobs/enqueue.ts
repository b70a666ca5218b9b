import type { Job } from '../../jobs.js'
import { HOSTILE } from '../hostile.js'
import { codeOf } from '../suite.js'
import { gate, idsOf, type JobsSuite, job, pause, until, untilNone } from './suite.js'

export function describeEnqueue({ describe, fact, expect }: JobsSuite): void {
  describe('enqueueing', () => {
    fact('hands a job to a worker as it was given, and forgets it once it is done', async ({ jobs, work }) => {
      const seen: Job[] = []
      await work(async given => void seen.push(given))
      await jobs.enqueue(job('one', { data: { to: ['ada'], deep: { n: 1.5 } }, group: 'letters' }))
      await until(() => seen.length > 0)
      expect(seen[0]).toMatchObject({ queue: 'mail', id: 'one', kind: 'send', group: 'letters', attempts: 1 })
      expect(seen[0]?.data).toEqual({ to: ['ada'], deep: { n: 1.5 } })
      await untilNone(jobs)
      expect(await jobs.get('mail', 'one')).toBe(undefined)
    })

    fact('an id waits once: the later content counts', async ({ jobs, work }) => {
      for (const data of [1, 2, 3]) await jobs.enqueue(job('same', { data }))
      await jobs.enqueue(job('same', { queue: 'other', data: 4 }))
      const seen: unknown[] = []
      await work(async ({ data }) => void seen.push(data))
      await untilNone(jobs)
      expect(seen.sort()).toEqual([3, 4])
    })

    fact('one that is enqueued while it runs, runs after it, once', async ({ jobs, work }) => {
      const first = gate()
      const seen: unknown[] = []
      let atOnce = 0
      await work(async ({ data }) => {
        seen.push(data)
        atOnce++
        if (seen.length === 1) await first.passed
        expect(atOnce).toBe(1)
        atOnce--
      })
      await jobs.enqueue(job('same', { data: 1 }))
      await until(() => seen.length === 1)
      for (const data of [2, 3]) await jobs.enqueue(job('same', { data }))
      expect(await jobs.get('mail', 'same')).toMatchObject({ state: 'running' })
      first.open()
      await untilNone(jobs)
      expect(seen).toEqual([1, 3])
    })

    fact('names are text and nothing else', async ({ jobs, work }) => {
      for (const name of HOSTILE) await jobs.enqueue(job(name, { queue: name, group: name, data: name }))
      const seen: unknown[] = []
      await work(async ({ queue, id, data }) => void seen.push([queue, id, data]))
      await untilNone(jobs)
      const known = HOSTILE.map(name => JSON.stringify([name, name, name]))
      expect(seen.map(entry => JSON.stringify(entry)).sort()).toEqual([...known].sort())
    })

    fact('what is no well-formed text is kept as such', async ({ jobs, work }) => {
      await jobs.enqueue(job('a\ud800', { kind: 'b\ud800', group: 'c\ud800', queue: 'd\ud800', data: 'e\ud800' }))
      const kept = { queue: 'd\ufffd', id: 'a\ufffd', kind: 'b\ufffd', group: 'c\ufffd' }
      expect(await jobs.list({ limit: 9 })).toMatchObject([kept])
      expect(await jobs.get('d\ud800', 'a\ud800')).toMatchObject(kept)
      const seen: Job[] = []
      await work(async given => void seen.push(given))
      await untilNone(jobs)
      expect(seen).toMatchObject([kept])
    })

    fact('data that JSON does not know is refused', async ({ jobs }) => {
      for (const data of [undefined, () => 1] as unknown as null[])
        expect(await codeOf(jobs.enqueue(job('one', { data })))).toBe('value_not_allowed')
      expect(await jobs.list({ limit: 9 })).toEqual([])
    })

    fact('a delayed one waits for its time; the earlier time counts', async ({ jobs, work }) => {
      const begun = Date.now()
      const ran = new Map<string, number>()
      await work(async ({ id }) => void ran.set(id, Date.now()))
      await jobs.enqueue(job('late', { delay: 40 }))
      await jobs.enqueue(job('sooner', { delay: 3_600_000 }))
      await jobs.enqueue(job('sooner', { delay: 20 }))
      await jobs.enqueue(job('still sooner', { delay: 20 }))
      await jobs.enqueue(job('still sooner', { delay: 3_600_000 }))
      await untilNone(jobs)
      expect([...ran].filter(([id, at]) => at < begun + (id === 'late' ? 40 : 20))).toEqual([])
      expect(ran.size).toBe(3)
    })

    fact('a repeated one runs again and again, also after failures, until it is canceled', async ({ jobs, work }) => {
      let runs = 0
      await work(async () => {
        runs++
        if (runs % 2 === 0) throw new Error('no')
      })
      await jobs.enqueue(job('tick', { every: 5, attempts: 1 }))
      await until(() => runs >= 5)
      await until(() => jobs.cancel('mail', 'tick'))
      const last = runs
      await pause(20)
      expect([runs, await jobs.list({ limit: 9 })]).toEqual([last, []])
    })

    fact('lists in pages, by queue and state; cancels what waits', async ({ jobs }) => {
      for (const queue of ['b', 'a']) for (const id of ['2', '1']) await jobs.enqueue(job(id, { queue, delay: 60_000 }))
      const all = await jobs.list({ limit: 9 })
      expect(all.map(({ queue, id }) => queue + id)).toEqual(['a1', 'a2', 'b1', 'b2'])
      expect(all[0]).toMatchObject({ kind: 'send', state: 'waiting', attempts: 0 })
      expect(idsOf(await jobs.list({ queue: 'b', limit: 1 }))).toEqual(['1'])
      const behind = await jobs.list({ after: { queue: 'a', id: '2' }, limit: 9 })
      expect(behind.map(({ queue, id }) => queue + id)).toEqual(['b1', 'b2'])
      expect(await jobs.list({ state: 'running', limit: 9 })).toEqual([])
      expect([await jobs.cancel('a', '1'), await jobs.cancel('a', '1')]).toEqual([true, false])
      await jobs.clear()
      expect(await jobs.list({ limit: 9 })).toEqual([])
    })
  })
}
